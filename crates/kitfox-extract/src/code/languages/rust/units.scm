[(line_comment) (block_comment)] @comment
(attribute_item) @attribute

(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @member.type
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(mod_item name: (identifier) @name) @module
(macro_definition name: (identifier) @name (macro_rule)? @rest) @macro
(field_declaration name: (field_identifier) @name) @member.property
(enum_variant name: (identifier) @name) @member.variant

(impl_item type: (_) @name) @impl

((_ (attribute_item (attribute [(identifier) @_test (scoped_identifier name: (identifier) @_test)]))
    . (function_item name: (identifier) @name) @test)
  (#any-of? @_test "test" "rstest" "test_case" "bench"))
((_ (attribute_item (attribute [(identifier) @_test (scoped_identifier name: (identifier) @_test)]))
    . (attribute_item) . (function_item name: (identifier) @name) @test)
  (#any-of? @_test "test" "rstest" "test_case" "bench"))
