(comment) @comment

((element
  (start_tag (attribute (attribute_name) @_id
    [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  . (_) @rest) @element
  (#eq? @_id "id"))
((element (start_tag (tag_name) @_tag)) @section.1 @name (#any-of? @_tag "h1" "H1"))
((element (start_tag (tag_name) @_tag)) @section.2 @name (#any-of? @_tag "h2" "H2"))
((element (start_tag (tag_name) @_tag)) @section.3 @name (#any-of? @_tag "h3" "H3"))
((element (start_tag (tag_name) @_tag)) @section.4 @name (#any-of? @_tag "h4" "H4"))
((element (start_tag (tag_name) @_tag)) @section.5 @name (#any-of? @_tag "h5" "H5"))
((element (start_tag (tag_name) @_tag)) @section.6 @name (#any-of? @_tag "h6" "H6"))
