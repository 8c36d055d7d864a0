(comment) @comment
(decorator) @attribute
(decorated_definition definition: (_) @wrapped) @wrapper

(module (expression_statement (assignment left: (identifier) @name)) @constant)
(class_definition body: (block
  (expression_statement (assignment left: (identifier) @name)) @member.property))
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @type
(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function

(module . (comment)* . (expression_statement (string) @doc))
(class_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(function_definition body: (block . (comment)* . (expression_statement (string) @doc)))

(module [
  (function_definition name: (identifier) @name) @test
  (decorated_definition definition: (function_definition name: (identifier) @name) @test)]
  (#match? @name "^test_"))
(class_definition name: (identifier) @_class body: (block [
  (function_definition name: (identifier) @name) @test
  (decorated_definition definition: (function_definition name: (identifier) @name) @test)])
  (#match? @_class "Test")
  (#match? @name "^test"))
