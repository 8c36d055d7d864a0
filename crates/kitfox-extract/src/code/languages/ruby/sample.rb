# frozen_string_literal: true

require "json"

module Example
  # How many values fit.
  CAPACITY = 1024

  # Keeps values in memory.
  #
  # It forgets them.
  class Store < Base
    include Enumerable
    attr_reader :values, :size

    class << self
      # The store all share.
      def shared
        @shared ||= new
      end
    end

    def self.open(path)
      new(JSON.parse(File.read(path)))
    end

    def initialize(values = {})
      @values = values
    end

    # Finds a value.
    def [](key)
      @values[key]
    end

    def empty?
      @values.empty?
    end

    def size=(size); @size = size; end

    private def secret = 1

    alias_method :none?, :empty?
    scope :recent, -> { order(:at) }

    define_method(:each) do |&block|
      @values.each(&block)
    end
  end

  class Store::Error < StandardError; end
  Entry = Struct.new(:key, :value) do
    def to_s
      key
    end
  end
end

def count(store)
  store.size
end

class StoreTest < Minitest::Test
  def test_values_are_found
    assert_equal 1, Example::Store.new("a" => 1)["a"]
  end

  test "nothing is found in an empty store" do
    assert_nil Example::Store.new["a"]
  end
end

describe Example::Store do
  it "finds values" do
    expect(subject["a"]).to eq(1)
  end
end

task :build => [:clean] do
  sh "make"
end
