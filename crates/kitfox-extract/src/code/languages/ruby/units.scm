(comment) @comment
(call arguments: (argument_list . (method) @wrapped .)) @wrapper
((call method: (identifier) @_call arguments: (argument_list (simple_symbol) @wrapped)) @wrapper
  (#any-of? @_call "attr_reader" "attr_writer" "attr_accessor"))
(call arguments: (argument_list . (singleton_method) @wrapped .)) @wrapper

(module name: (constant) @name) @module
(module name: (scope_resolution scope: (_) @scope name: (constant) @name)) @module
(class name: (constant) @name) @class
(class name: (scope_resolution scope: (_) @scope name: (constant) @name)) @class
(singleton_class) @class
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(alias name: (_) @name) @member.method
(assignment left: (constant) @name) @constant
(assignment left: (constant) @name
  right: (call block: (do_block body: (_) @body))) @class
((call method: (identifier) @_call arguments: (argument_list . [(simple_symbol) (string)] @name)) @member.method
  (#any-of? @_call "alias_method"))
((call method: (identifier) @_call arguments: (argument_list . [(simple_symbol) (string)] @name)
  block: (_ body: (_) @body)) @function
  (#any-of? @_call "define_method" "task" "namespace"))
((call method: (identifier) @_call arguments: (argument_list . (pair key: (_) @name))
  block: (_ body: (_) @body)) @function
  (#any-of? @_call "task"))
((call method: (identifier) @_call arguments: (argument_list (simple_symbol) @name @member.property))
  (#any-of? @_call "attr_reader" "attr_writer" "attr_accessor"))

((method name: (identifier) @name) @test (#match? @name "^test_"))
((call method: (identifier) @_test arguments: (argument_list . (_) @name)
  block: (do_block body: (_) @body)) @test
  (#any-of? @_test "test" "it" "specify" "describe" "context" "feature" "scenario"))
((call receiver: (constant) @_rspec method: (identifier) @_test
  arguments: (argument_list . (_) @name) block: (do_block body: (_) @body)) @test
  (#eq? @_rspec "RSpec")
  (#any-of? @_test "describe" "feature"))
