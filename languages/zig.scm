; What is what in Zig? Captures are explained in docs/guides/add-a-language.md.

; definitions
(function_declaration name: (identifier) @name body: (_)? @body) @function
(variable_declaration . (identifier) @name (struct_declaration) @body) @class
(variable_declaration . (identifier) @name (union_declaration) @body) @class
(variable_declaration . (identifier) @name (enum_declaration) @body) @class
(variable_declaration . (identifier) @name (opaque_declaration) @body) @class
(variable_declaration . (identifier) @name (error_set_declaration) @body) @class
(test_declaration (string (string_content) @name) (block) @body) @function @test
(test_declaration (identifier) @name (block) @body) @function @test
(source_file (variable_declaration . (identifier) @variable))

; documentation
(comment) @comment
(source_file . (comment) @module.doc)

; uses
(call_expression function: [(identifier) (field_expression)] @use)
(struct_initializer . [(identifier) (field_expression)] @use)
(parameter type: [(identifier) (field_expression)] @use)
(pointer_type (identifier) @use)
(container_field type: [(identifier) (field_expression)] @use)
(function_declaration type: (identifier) @use)
(error_union_type ok: (identifier) @use)

; names that are bound inside a function
(parameter name: (identifier) @local)
(block (variable_declaration . (identifier) @local))
(payload (identifier) @local)

; a name whose type is plain to see
((parameter name: (identifier) @typed type: (identifier) @typed.as) (#not-eq? @typed "self"))
((parameter name: (identifier) @typed type: (pointer_type (identifier) @typed.as)) (#not-eq? @typed "self"))
(block (variable_declaration . (identifier) @typed type: (identifier) @typed.as))
(block (variable_declaration . (identifier) @typed (call_expression function: (field_expression object: (identifier) @typed.as)) (#match? @typed.as "^[A-Z]")))
(block (variable_declaration . (identifier) @typed (struct_initializer . (identifier) @typed.as)))
(container_field name: (identifier) @typed.member type: (identifier) @typed.as)
(container_field name: (identifier) @typed.member type: (pointer_type (identifier) @typed.as))

; imports
(variable_declaration . (identifier) @import.alias (builtin_function (builtin_identifier) @how (arguments (string (string_content) @import.module))) (#eq? @how "@import")) @import
(variable_declaration . (identifier) @import.alias (field_expression object: (builtin_function (builtin_identifier) @how (arguments (string (string_content) @import.module))) member: (identifier) @import.name) (#eq? @how "@import")) @import
