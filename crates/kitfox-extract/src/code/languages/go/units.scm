(comment) @comment
(const_declaration "const" . (const_spec) @wrapped) @wrapper
(const_declaration (const_spec) @grouped) @group
(var_declaration "var" . (var_spec) @wrapped) @wrapper
(var_declaration (var_spec_list (var_spec) @grouped)) @group
(type_declaration "type" . (_) @wrapped) @wrapper
(type_declaration [(type_spec) (type_alias)] @grouped) @group

(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @constant)))

(type_alias name: (type_identifier) @name) @type
(type_spec name: (type_identifier) @name) @type
(type_spec name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @rest)) @interface
(field_declaration name: (field_identifier) @name) @member.property
(method_elem name: (field_identifier) @name) @member.method

(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (pointer_type (type_identifier) @scope)
    (generic_type type: (type_identifier) @scope)
    (pointer_type (generic_type type: (type_identifier) @scope))]))
  name: (field_identifier) @name) @method

((function_declaration name: (identifier) @name) @test
  (#match? @name "^(Test|Benchmark|Fuzz|Example)"))
