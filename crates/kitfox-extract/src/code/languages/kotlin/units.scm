[(line_comment) (block_comment)] @comment
(annotation) @attribute

(class_declaration name: (identifier) @name (class_body)? @body) @class
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @interface
(class_declaration name: (identifier) @name (enum_class_body) @body) @enum
(object_declaration name: (identifier) @name (class_body)? @body) @class
(companion_object name: (identifier)? @name (class_body)? @body) @class
(type_alias type: (identifier) @name) @type
(function_declaration name: (identifier) @name (function_body)? @body) @function
(function_declaration
  [(user_type (identifier) @scope) (nullable_type (user_type (identifier) @scope))] .
  name: (identifier) @name (function_body)? @body) @function
(secondary_constructor "constructor" @name (block)? @body) @method
(source_file (property_declaration (variable_declaration (identifier) @name)) @constant)
(class_body (property_declaration (variable_declaration (identifier) @name)) @member.property)
(enum_class_body (property_declaration (variable_declaration (identifier) @name)) @member.property)
(primary_constructor (class_parameters
  (class_parameter ["val" "var"] (identifier) @name) @member.property))
(enum_entry (identifier) @name (class_body)? @body) @member.variant

((function_declaration
  (modifiers (annotation [(user_type (identifier) @_test)
                          (constructor_invocation (user_type (identifier) @_test))]))
  name: (identifier) @name (function_body)? @body) @test
  (#any-of? @_test "Test" "ParameterizedTest"))
