[(comment) (block_comment)] @comment
(annotation) @attribute

(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(package_object name: (_) @name) @class
(trait_definition name: (_) @name) @trait
(enum_definition name: (_) @name) @enum
(extension_definition parameters: (parameters (parameter type: (_) @name))) @extension
(given_definition return_type: (_) @name) @impl
(given_definition name: (_) @name) @impl
(type_definition name: (_) @name) @type
(template_body (type_definition name: (_) @name) @member.type)
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @function

(compilation_unit [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)] @constant)
(object_definition body: (template_body (val_definition pattern: (identifier) @name) @constant))
(package_object body: (template_body (val_definition pattern: (identifier) @name) @constant))
(class_definition body: (template_body (val_definition pattern: (identifier) @name) @member.property))
(trait_definition body: (template_body (val_definition pattern: (identifier) @name) @member.property))
(template_body (var_definition pattern: (identifier) @name) @member.property)
(template_body (val_declaration name: (identifier) @name) @member.property)
(template_body (var_declaration name: (identifier) @name) @member.property)
(simple_enum_case name: (_) @name) @member.variant
(full_enum_case name: (_) @name) @member.variant

((call_expression
  function: (call_expression
    function: (identifier) @_test
    arguments: (arguments . (string) @name))
  arguments: [(block) (indented_block)] @body) @test
  (#any-of? @_test "test" "it" "describe" "property"))
