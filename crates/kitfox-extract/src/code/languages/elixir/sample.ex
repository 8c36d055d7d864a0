defmodule Example.Store do
  @moduledoc """
  Keeps values in memory.
  """

  use GenServer
  alias Example.Entry

  @capacity 1024
  @type key :: String.t()
  @typedoc "What is kept."
  @opaque value(t) :: {:ok, t}
  @callback get(key) :: value(any)
  @callback name :: String.t()

  defstruct [:name, values: %{}]

  defmodule Error do
    defexception [:message]
  end

  @doc """
  Finds a value.

  It may be missing.
  """
  @doc since: "1.1"
  @spec get(t, key) :: value(any)
  def get(store, key)

  def get(%{values: values}, key) when is_map(values) do
    Map.fetch(values, key)
  end

  def get(_, _), do: :error

  # Not for others.
  defp normalize(key), do: String.downcase(key)

  @doc false
  defmacro unless_empty(store, do: block) do
    quote do
      if map_size(unquote(store).values) > 0, do: unquote(block)
    end
  end

  defguard is_key(key) when is_binary(key)
  defdelegate count(store), to: Enum
  def left <~> right, do: left ++ right

  @impl true
  def handle_call(:size, _from, state) do
    {:reply, map_size(state), state}
  end
end

defprotocol Example.Size do
  @doc "How large it is."
  def size(data)
end

defimpl Example.Size, for: Example.Store do
  def size(store), do: map_size(store.values)
end

defmodule Example.StoreTest do
  use ExUnit.Case

  describe "get/2" do
    test "finds values", %{store: store} do
      assert {:ok, 1} = Example.Store.get(store, "a")
    end
  end
end
