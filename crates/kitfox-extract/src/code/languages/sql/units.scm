[(comment) (marginalia)] @comment
(statement (_) @wrapped) @wrapper

(create_table (object_reference) @name) @table
(create_view (object_reference) @name) @view
(create_materialized_view (object_reference) @name) @view
(create_function (object_reference) @name (function_body) @body) @function
(create_type (object_reference) @name) @type
(create_trigger . (keyword_create) (object_reference) @name) @function
(create_index column: (identifier) @name) @member.index
(create_sequence (object_reference) @name) @member.index
(create_schema (identifier) @name) @module
(column_definition name: (identifier) @name) @member.property
