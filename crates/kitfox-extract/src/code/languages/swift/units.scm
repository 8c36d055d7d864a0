[(comment) (multiline_comment)] @comment
(attribute) @attribute

(class_declaration name: (_) @name) @class
(class_declaration declaration_kind: "struct" name: (_) @name) @struct
(class_declaration declaration_kind: "enum" name: (_) @name) @enum
(class_declaration declaration_kind: "extension" name: (_) @name) @extension
(protocol_declaration name: (_) @name) @interface
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (_) @name) @member.type
(function_declaration "func" . _ @name) @function
(protocol_function_declaration "func" . _ @name) @function
(init_declaration "init" @name) @method
(deinit_declaration "deinit" @name) @method
(subscript_declaration "subscript" @name (computed_property) @body) @method
(source_file (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @rest) @member.property)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @rest) @member.property)
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @member.property
(enum_entry name: (simple_identifier) @name @member.variant)

((function_declaration "func" . _ @name) @test (#match? @name "^test[A-Z_]"))
