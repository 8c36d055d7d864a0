(comment) @comment

(rule_set (selectors) @name (block) @body) @rule
(media_statement (_) @name (block) @body) @rule
(supports_statement (_) @name (block) @body) @rule
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @rule
(at_rule (at_keyword) @name (block) @body) @rule
((at_rule (at_keyword) @_at (keyword_query) @name (block) @body) @function
  (#any-of? @_at "@mixin" "@function"))
((declaration (property_name) @name) @member.property (#match? @name "^--"))
