[(comment) (haddock)] @comment
(pragma) @attribute

(declarations (data_type name: (_) @name constructors: (_)? @rest) @type)
(declarations (newtype name: (_) @name constructor: (_)? @rest) @type)
(declarations (type_synonym name: (_) @name) @type)
(class name: (_) @name (class_declarations)? @body) @class
(instance name: (_) @name (instance_declarations)? @body) @impl
(declarations (type_family name: (_) @name) @type)
(declarations (data_family name: (_) @name) @type)
(data_constructor (_ name: (_) @name)) @member.variant
(gadt_constructor name: (_) @name) @member.variant
(newtype_constructor name: (_) @name) @member.variant
(field name: (field_name (_) @name)) @member.property
(declarations (pattern_synonym (equation (_ function: (_) @name))) @function)
(foreign_import signature: (signature name: (_) @name)) @function

(declarations (signature name: [(variable) @name (prefix_id (_) @name)]) @function)
(declarations (function name: [(variable) @name (prefix_id (_) @name)] match: (_) @rest) @function)
(declarations (function (infix operator: (_) @name) match: (_) @rest) @function)
(declarations (bind name: [(variable) @name (prefix_id (_) @name)] match: (_) @rest) @function)
(class_declarations (signature name: [(variable) @name (prefix_id (_) @name)]) @method)
(class_declarations (function name: [(variable) @name (prefix_id (_) @name)] match: (_) @rest) @method)
(class_declarations (bind name: [(variable) @name (prefix_id (_) @name)] match: (_) @rest) @method)
(instance_declarations (signature name: [(variable) @name (prefix_id (_) @name)]) @method)
(instance_declarations (function name: [(variable) @name (prefix_id (_) @name)] match: (_) @rest) @method)
(instance_declarations (function (infix operator: (_) @name) match: (_) @rest) @method)
(instance_declarations (bind name: [(variable) @name (prefix_id (_) @name)] match: (_) @rest) @method)
