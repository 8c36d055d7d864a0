(comment) @comment
(variable_declaration (assignment_statement) @wrapped) @wrapper

(chunk (variable_declaration
  (assignment_statement (variable_list . name: (identifier) @name)) @constant))
(chunk (assignment_statement (variable_list . name: (identifier) @name)) @constant)
(chunk (assignment_statement (variable_list . name:
  (dot_index_expression table: (_) @scope field: (_) @name))) @constant)

(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (_) @scope field: (_) @name)) @function
(function_declaration name: (method_index_expression table: (_) @scope method: (_) @name)) @method
(assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @function
(assignment_statement (variable_list . name:
    (dot_index_expression table: (_) @scope field: (_) @name) .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @function
(field name: [(identifier) (string) (number)] @name value: (function_definition body: (_)? @body)) @function

((function_call name: (identifier) @_test
  arguments: (arguments . (string) @name (function_definition body: (_)? @body))) @test
  (#any-of? @_test "describe" "it" "test" "context"))
