[(comment) (marginalia)] @comment
(statement (_) @wrapped) @wrapper

(create_table (object_reference) @name (column_definitions)? @body) @table
(create_view (object_reference) @name (create_query) @body) @view
(create_materialized_view (object_reference) @name (create_query) @body) @view
(create_function (object_reference) @name (function_body) @body) @function
(create_type (object_reference) @name) @type
(create_trigger . (keyword_create) (object_reference) @name) @function
(create_index column: (identifier) @name) @member.index
(create_sequence (object_reference) @name) @member.index
(create_schema (identifier) @name) @module
(create_table (column_definitions (column_definition name: (identifier) @name) @member.property))
