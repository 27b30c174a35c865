; What is what in a page? Captures are explained in docs/guides/add-a-language.md.

; structural blocks
((element (start_tag (tag_name) @name)) @block
  (#any-of? @name "header" "nav" "main" "section" "article" "aside" "footer" "form" "table" "figure" "dialog" "template" "head"))
(script_element (start_tag (tag_name) @name)) @script
(style_element (start_tag (tag_name) @name)) @block

; scripts that the page loads
((script_element (start_tag (attribute (attribute_name) @_name (quoted_attribute_value (attribute_value) @external))))
  (#eq? @_name "src"))
((script_element (start_tag (attribute (attribute_name) @_name (attribute_value) @external)))
  (#eq? @_name "src"))

(comment) @comment
