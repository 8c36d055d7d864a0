(comment) @comment
(unary_operator operator: "@") @attribute
((unary_operator operator: "@" operand: (call target: (identifier) @_doc
  (arguments . [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))
  (#any-of? @_doc "doc" "typedoc" "moduledoc"))

((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @constant
  (#not-any-of? @name "doc" "moduledoc" "typedoc" "shortdoc" "spec" "impl" "since" "deprecated"
    "dialyzer" "derive" "behaviour" "before_compile" "after_compile" "on_definition" "compile"
    "external_resource" "enforce_keys" "tag" "moduletag" "describetag" "type" "typep" "opaque"
    "callback" "macrocallback" "optional_callbacks"))
((unary_operator operator: "@" operand: (call target: (identifier) @_type (arguments
  (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @type
  (#any-of? @_type "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @_callback (arguments [
  (binary_operator left: [(identifier) @name (call target: (identifier) @name)])
  (binary_operator left: (binary_operator left: (call target: (identifier) @name)))]))) @function
  (#any-of? @_callback "callback" "macrocallback"))

((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @module
  (#any-of? @_def "defmodule" "defprotocol"))
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @impl
  (#eq? @_def "defimpl"))
((call target: (identifier) @_def (arguments)) @struct
  (#any-of? @_def "defstruct" "defexception"))
((call target: (identifier) @_def
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (identifier) @name operator: "when")
    (binary_operator left: (call target: (identifier) @name) operator: "when")
    (binary_operator operator: _ @name right: (_))
    (unary_operator operator: _ @name)])
  (do_block)? @body) @function
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn"
    "defnp"))
((call target: (identifier) @_test (arguments . (string) @name) (do_block) @body) @test
  (#any-of? @_test "test" "describe" "property"))
