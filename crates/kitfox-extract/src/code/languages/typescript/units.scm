(ambient_declaration (_) @wrapped) @wrapper
(expression_statement (internal_module) @wrapped) @wrapper

(function_signature name: (identifier) @name) @function
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(ambient_declaration [
  (lexical_declaration (variable_declarator name: (identifier) @name) @constant)
  (variable_declaration (variable_declarator name: (identifier) @name) @constant)])
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name) @member.property
(public_field_definition name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
(interface_declaration body: (_ (property_signature name: (_) @name) @member.property))
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @member.property
(enum_body (property_identifier) @name @member.variant)
(enum_body (enum_assignment name: (_) @name) @member.variant)
