; What is what in Ruby? Captures are explained in docs/guides/add-a-language.md.

; definitions
(class name: (_) @name body: (_)? @body) @class
(module name: (_) @name body: (_)? @body) @class
(method name: (_) @name body: (_)? @body) @function
(singleton_method name: (_) @name body: (_)? @body) @function
(class name: (_) @name superclass: (superclass [(constant) (scope_resolution)] @base))
(program (assignment left: [(constant) (identifier)] @variable))
(module body: (body_statement (assignment left: (constant) @variable)))
(class body: (body_statement (assignment left: (constant) @variable)))

; documentation; a line that only says who may call what follows belongs to that
(comment) @comment
((identifier) @comment (#match? @comment "^(private|protected|public|module_function)$"))
(program . (comment) @module.doc)

; uses; what is made by `new` is its class
(call receiver: [(constant) (scope_resolution) (identifier) (self)] @use.from method: (identifier) @use.to (#not-eq? @use.to "new"))
(call receiver: [(constant) (scope_resolution)] @use method: (identifier) @made (#eq? @made "new"))
(call !receiver method: (identifier) @use)
(body_statement (identifier) @use)
(assignment left: (call receiver: [(constant) (scope_resolution) (identifier) (self)] @use.from method: (identifier) @use.to)) @use.set
; no variable ends so
([
  (binary (identifier) @use) (unary (identifier) @use) (argument_list (identifier) @use) (assignment right: (identifier) @use)
  (_ condition: (identifier) @use) (_ body: (identifier) @use) (then (identifier) @use) (else (identifier) @use)
  (block_body (identifier) @use) (parenthesized_statements (identifier) @use)
] (#match? @use "[?!]$"))
(argument_list [(constant) (scope_resolution)] @use)
(rescue (exceptions [(constant) (scope_resolution)] @use))

; names that are bound inside a method
(method_parameters (identifier) @local)
(method_parameters (_ name: (identifier) @local))
(block_parameters (identifier) @local)
(assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)

; a name whose class is plain to see
(assignment left: (identifier) @typed right: (call receiver: [(constant) (scope_resolution)] @typed.as method: (identifier) @made) (#eq? @made "new"))

; imports
(call !receiver method: (identifier) @how arguments: (argument_list . (string (string_content) @import.module)) (#match? @how "^(require|require_relative|load|autoload)$")) @import
