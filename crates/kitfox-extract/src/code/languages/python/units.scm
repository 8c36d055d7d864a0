(module (expression_statement (assignment left: (identifier) @name)) @constant)
(type_alias_statement left: (type (identifier) @name)) @type
(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function

(module [
  (function_definition name: (identifier) @name) @test
  (decorated_definition definition: (function_definition name: (identifier) @name) @test)]
  (#match? @name "^test_"))
(class_definition name: (identifier) @_class body: (block [
  (function_definition name: (identifier) @name) @test
  (decorated_definition definition: (function_definition name: (identifier) @name) @test)])
  (#match? @_class "Test")
  (#match? @name "^test"))
