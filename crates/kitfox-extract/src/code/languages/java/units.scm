[(line_comment) (block_comment)] @comment
[(marker_annotation) (annotation)] @attribute
(field_declaration declarator: (_) @wrapped) @wrapper
(constant_declaration declarator: (_) @wrapped) @wrapper

(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @enum
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(constructor_declaration name: (identifier) @name) @method
(compact_constructor_declaration name: (identifier) @name) @method
(method_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(field_declaration declarator: (variable_declarator name: (identifier) @name) @member.property)
(constant_declaration declarator: (variable_declarator name: (identifier) @name) @member.constant)
(enum_constant name: (identifier) @name) @member.variant

((method_declaration
  (modifiers [(marker_annotation name: (identifier) @_test) (annotation name: (identifier) @_test)])
  name: (identifier) @name) @test
  (#any-of? @_test "Test" "ParameterizedTest" "RepeatedTest" "TestFactory"))
