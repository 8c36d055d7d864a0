(comment) @comment

(rule_set (selectors) @name (block) @body) @rule
(media_statement (block) . ) @rule
(keyframes_statement (keyframes_name) @name) @rule
(declaration (property_name) @name) @member.property
