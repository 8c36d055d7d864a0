(comment) @comment

((variable_declaration (identifier) @name) @constant
  (#not-match? @constant "@import\\([^)]*\\)(\\.[A-Za-z_.]+)?;$"))
(variable_declaration (identifier) @name (struct_declaration "{" @rest) @body) @struct
(variable_declaration (identifier) @name (union_declaration "{" @rest) @body) @struct
(variable_declaration (identifier) @name (opaque_declaration "{" @rest) @body) @struct
(variable_declaration (identifier) @name (enum_declaration "{" @rest) @body) @enum
(variable_declaration (identifier) @name (error_set_declaration "{" @rest) @body) @enum
(function_declaration name: (identifier) @name) @function
(struct_declaration (container_field name: (identifier) @name) @member.property)
(union_declaration (container_field name: (identifier) @name) @member.variant)
(enum_declaration (container_field name: (identifier) @name) @member.variant)
(error_set_declaration (identifier) @name @member.variant)
(test_declaration [(string) (identifier)] @name (block) @body) @test
