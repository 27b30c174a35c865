; What is what in a shell script? Captures are explained in docs/guides/add-a-language.md.

; definitions
(function_definition name: (word) @name body: (_) @body) @function
(program (variable_assignment name: (variable_name) @variable))
(program (declaration_command (variable_assignment name: (variable_name) @variable)))

; documentation
(comment) @comment
(program . (comment) @module.doc)

; uses
(command name: (command_name (word) @use))

; imports
(command name: (command_name (word) @how) . argument: (_) @import.module (#match? @how "^(\\.|source)$")) @import
