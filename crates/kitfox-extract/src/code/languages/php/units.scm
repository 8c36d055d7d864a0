(comment) @comment
(attribute_list) @attribute
(property_declaration (property_element) @wrapped) @wrapper
(const_declaration (const_element) @wrapped) @wrapper

(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(method_declaration name: (name) @name) @method
(function_definition name: (name) @name) @function
(program (const_declaration (const_element . (name) @name) @constant))
(declaration_list (const_declaration (const_element . (name) @name) @member.constant))
(enum_declaration_list (const_declaration (const_element . (name) @name) @member.constant))
(property_declaration (property_element name: (variable_name (name) @name)) @member.property)
(property_promotion_parameter name: (variable_name (name) @name)) @member.property
(enum_case name: (name) @name) @member.variant
((expression_statement (function_call_expression
  function: (name) @_define arguments: (arguments . (argument (string) @name)))) @constant
  (#eq? @_define "define"))
(expression_statement (assignment_expression left: (variable_name (name) @name)
  right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)])) @function

((method_declaration name: (name) @name) @test (#match? @name "^test"))
((expression_statement (function_call_expression function: (name) @_test
  arguments: (arguments . (argument [(string) (encapsed_string)] @name)
    (argument [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)])))) @test
  (#any-of? @_test "test" "it" "describe"))
