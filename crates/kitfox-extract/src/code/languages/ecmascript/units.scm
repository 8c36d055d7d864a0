; What JavaScript and TypeScript share.

(comment) @comment
(decorator) @attribute
(export_statement declaration: (_) @wrapped) @wrapper
(lexical_declaration (variable_declarator) @wrapped) @wrapper
(variable_declaration (variable_declarator) @wrapped) @wrapper

(program [
  (lexical_declaration (variable_declarator name: (identifier) @name) @constant)
  (variable_declaration (variable_declarator name: (identifier) @name) @constant)
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
  (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @constant))])
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(function_expression name: (identifier) @name) @function
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
          (generator_function body: (_) @body)]) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(pair key: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
          (generator_function body: (_) @body)]) @function
(expression_statement (assignment_expression
  left: (member_expression object: (_) @scope property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
          (generator_function body: (_) @body)])) @function
(expression_statement (assignment_expression
  left: (member_expression object: (_) @scope property: (property_identifier) @name)
  right: (class body: (_) @body))) @class
((expression_statement (call_expression
  function: [(identifier) @_test
             (member_expression object: (identifier) @_test)
             (call_expression function: (member_expression object: (identifier) @_test))]
  arguments: (arguments . [(string) (template_string)] @name
    [(arrow_function body: (statement_block) @body)
     (function_expression body: (statement_block) @body)]))) @test
  (#any-of? @_test "describe" "it" "test" "suite" "context" "bench"))
