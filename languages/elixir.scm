; What is what in Elixir? Captures are explained in docs/guides/add-a-language.md.

; definitions; the clauses of a function are one
((call target: (identifier) @def (arguments . (alias) @name) (do_block) @body) @class (#match? @def "^def(module|protocol|impl)$"))
((call target: (identifier) @def (arguments . (call target: (identifier) @name)) (do_block)? @body) @function @clause (#match? @def "^def(p|macro|macrop|guard|guardp|delegate|n|np)?$"))
((call target: (identifier) @def (arguments . (identifier) @name) (do_block)? @body) @function @clause (#match? @def "^def(p|macro|macrop|guard|guardp|delegate|n|np)?$"))
((call target: (identifier) @def (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when")) (do_block)? @body) @function @clause (#match? @def "^def(p|macro|macrop|guard|guardp|delegate|n|np)?$"))
((call target: (identifier) @def (arguments . (string (quoted_content) @name)) (do_block) @body) @function @test (#eq? @def "test"))
((call target: (identifier) @def (arguments . (string (quoted_content) @name)) (do_block) @body) @class @test (#eq? @def "describe"))

; documentation and other attributes belong to what follows them
(comment) @comment
(source . (comment) @module.doc)
((unary_operator operator: "@" operand: (call target: (identifier) @kind)) @comment (#match? @kind "^(doc|spec|impl|deprecated|since|typedoc|tag)$"))
((unary_operator operator: "@" operand: (call target: (identifier) @variable)) (#not-match? @variable "^(doc|spec|impl|deprecated|since|typedoc|tag|moduledoc|behaviour|type|typep|opaque|callback|derive)$"))

; uses
(call target: (dot left: (alias) @use.from right: (identifier) @use.to))
((call target: (identifier) @use) (#not-match? @use "^(def\\w*|use|import|alias|require|quote|unquote|test|describe|doc|moduledoc|typedoc|spec|impl|type|typep|opaque|callback|behaviour|deprecated|derive)$"))
(binary_operator operator: "|>" right: (identifier) @use)
(struct (alias) @use)
((unary_operator operator: "@" operand: (call target: (identifier) @kind (arguments (alias) @use))) (#eq? @kind "behaviour"))
((call target: (identifier) @kind (arguments . (alias) @use)) (#eq? @kind "use"))

; names that are bound inside a function
(binary_operator left: (identifier) @local operator: "=")
(binary_operator left: (identifier) @local operator: "<-")
(binary_operator left: (tuple (identifier) @local) operator: "=")
(stab_clause left: (arguments (identifier) @local))

; imports
((call target: (identifier) @how (arguments . (alias) @import.module)) @import (#match? @how "^(alias|import|require|use)$"))
((call target: (identifier) @how (arguments . (alias) @alias.of (keywords (pair key: (keyword) @as value: (alias) @alias)))) (#match? @how "^(alias|require)$") (#match? @as "^as:"))
