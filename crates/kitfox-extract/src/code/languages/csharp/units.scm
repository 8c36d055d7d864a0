(comment) @comment
(attribute_list) @attribute
(field_declaration (variable_declaration (variable_declarator) @wrapped)) @wrapper
(event_field_declaration (variable_declaration (variable_declarator) @wrapped)) @wrapper

(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(destructor_declaration name: (identifier) @name) @method
(operator_declaration operator: _ @name) @method
(conversion_operator_declaration type: (_) @name) @method
(indexer_declaration "this" @name (accessor_list)? @rest) @member.property
(local_function_statement name: (identifier) @name) @function
(property_declaration name: (identifier) @name (accessor_list)? @rest) @member.property
(event_declaration name: (identifier) @name) @member.property
(event_field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name) @member.property))
(field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name) @member.property))
(enum_member_declaration name: (identifier) @name) @member.variant

((method_declaration
  (attribute_list (attribute name: [(identifier) @_test (qualified_name name: (identifier) @_test)]))
  name: (identifier) @name) @test
  (#any-of? @_test "Fact" "Theory" "Test" "TestCase" "TestMethod" "DataTestMethod"))
