(template_declaration (_) @wrapped) @wrapper

(namespace_definition name: (_) @name) @namespace
(namespace_definition !name) @namespace
(type_definition type: [(qualified_identifier) (template_type) (dependent_type) (decltype)]
  declarator: (_) @name) @type
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @type
(class_specifier name: (_) @name body: (_)) @class
(field_declaration declarator:
  (reference_declarator (field_identifier)) @name @member.property)

(function_definition
  declarator: [(reference_declarator) (operator_cast) (qualified_identifier)] @name) @function
(declaration declarator: [
  (operator_cast)
  (function_declarator declarator: [(qualified_identifier) (operator_name) (destructor_name)
    (template_function)])
  (pointer_declarator (function_declarator declarator: (qualified_identifier)))
  (reference_declarator (function_declarator))
] @name) @function
(field_declaration declarator: [
  (operator_cast)
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)])
  (pointer_declarator (function_declarator declarator: (_)))
  (pointer_declarator (pointer_declarator (function_declarator declarator: (_))))
  (reference_declarator (function_declarator declarator: (_)))
] @name) @method
(field_declaration_list (declaration declarator: [
  (operator_cast) (function_declarator)
] @name) @method)

((function_definition declarator: (function_declarator
  declarator: (identifier) @_test
  parameters: (parameter_list
    . (parameter_declaration type: (_) @scope !declarator)
    . (parameter_declaration type: (_) @name !declarator) .))) @test
  (#any-of? @_test "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))
