(comment) @comment

(program (variable_assignment name: (variable_name) @name) @constant)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @constant)
(function_definition name: (word) @name) @function
((command name: (command_name) @_alias . argument: [(word) @name (concatenation . (word) @name)]) @member.function
  (#eq? @_alias "alias") (#match? @name "="))
