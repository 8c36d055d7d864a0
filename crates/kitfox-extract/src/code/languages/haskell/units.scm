[(comment) (haddock)] @comment
(pragma) @attribute

(declarations (data_type name: (_) @name) @type)
(declarations (newtype name: (_) @name) @type)
(declarations (type_synonym name: (_) @name) @type)
(class name: (_) @name) @class
(instance name: (_) @name) @impl
(declarations (type_family name: (_) @name) @type)
(declarations (data_family name: (_) @name) @type)
(data_constructor (_ name: (_) @name)) @member.variant
(gadt_constructor name: (_) @name) @member.variant
(newtype_constructor name: (_) @name) @member.variant
(field name: (field_name (_) @name)) @member.property
(declarations (pattern_synonym (equation (_ function: (_) @name))) @function)
(foreign_import signature: (signature name: (_) @name)) @function

(declarations (signature name: (_) @name) @function)
(declarations (function name: (_) @name) @function)
(declarations (function (infix operator: (_) @name)) @function)
(declarations (bind name: (_) @name) @function)
(class_declarations (signature name: (_) @name) @method)
(class_declarations (function name: (_) @name) @method)
(class_declarations (bind name: (_) @name) @method)
(instance_declarations (signature name: (_) @name) @method)
(instance_declarations (function name: (_) @name) @method)
(instance_declarations (function (infix operator: (_) @name)) @method)
(instance_declarations (bind name: (_) @name) @method)
