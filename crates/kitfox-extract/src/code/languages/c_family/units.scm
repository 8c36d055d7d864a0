; What C and C++ share. A name is followed down the declarators around it.

(comment) @comment
(attribute_declaration) @attribute
(type_definition type: [(struct_specifier) (union_specifier) (enum_specifier)] @wrapped) @wrapper
(field_declaration declarator: (_) @wrapped) @wrapper

(preproc_def name: (identifier) @name value: (_)) @macro
(preproc_function_def name: (identifier) @name) @macro

(translation_unit (declaration declarator: (_) @name) @constant)
(declaration_list (declaration declarator: (_) @name) @constant)
(linkage_specification body: (declaration declarator: (_) @name) @constant)
(preproc_ifdef (declaration declarator: (_) @name) @constant)
(preproc_if (declaration declarator: (_) @name) @constant)
(preproc_else (declaration declarator: (_) @name) @constant)
(preproc_elif (declaration declarator: (_) @name) @constant)

(declaration declarator: [
  (function_declarator declarator: [(identifier) (parenthesized_declarator (identifier))])
  (pointer_declarator (function_declarator declarator: (identifier)))
  (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier))))
] @name) @function
(function_definition declarator: [(function_declarator) (pointer_declarator)] @name) @function

(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(enumerator name: (_) @name) @member.variant
(type_definition type: [
    (primitive_type) (type_identifier) (sized_type_specifier)
    (struct_specifier !body) (union_specifier !body) (enum_specifier !body)]
  declarator: (_) @name) @type
(type_definition type: [
    (struct_specifier name: (_) body: (_))
    (union_specifier name: (_) body: (_))
    (enum_specifier name: (_) body: (_))]
  declarator: (_) @name @member.type)
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (_) @name) @struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (_) @name) @struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (_) @name) @enum

(field_declaration declarator: (field_identifier) @name @member.property)
(field_declaration declarator: (array_declarator) @name @member.property)
(field_declaration declarator:
  (pointer_declarator declarator: [(field_identifier) (array_declarator)]) @name @member.property)
(field_declaration declarator:
  (pointer_declarator (pointer_declarator declarator: (field_identifier))) @name @member.property)
(field_declaration declarator:
  (function_declarator declarator: (parenthesized_declarator)) @name @member.property)
