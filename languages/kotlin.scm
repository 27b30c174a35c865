; What is what in Kotlin? Captures are explained in docs/guides/add-a-language.md.

; definitions
(class_declaration name: (identifier) @name (class_body)? @body) @class
(class_declaration name: (identifier) @name (enum_class_body) @body) @class
(object_declaration name: (identifier) @name (class_body)? @body) @class
(function_declaration name: (identifier) @name (function_body)? @body) @function
(type_alias type: (identifier) @name) @type
((function_declaration (modifiers (platform_modifier) @private) name: (identifier) @name) (#eq? @private "actual"))
((class_declaration (modifiers (platform_modifier) @private) name: (identifier) @name) (#eq? @private "actual"))
((object_declaration (modifiers (platform_modifier) @private) name: (identifier) @name) (#eq? @private "actual"))
(class_declaration name: (identifier) @name (delegation_specifiers (delegation_specifier (user_type . (identifier) @base))))
(class_declaration name: (identifier) @name (delegation_specifiers (delegation_specifier (constructor_invocation (user_type . (identifier) @base)))))
(object_declaration name: (identifier) @name (delegation_specifiers (delegation_specifier (user_type . (identifier) @base))))
(object_declaration name: (identifier) @name (delegation_specifiers (delegation_specifier (constructor_invocation (user_type . (identifier) @base)))))
(source_file (property_declaration (variable_declaration . (identifier) @variable)))

; documentation
(line_comment) @comment
(block_comment) @comment
(source_file . (block_comment) @module.doc)

; uses
(call_expression . [(identifier) (navigation_expression) (unary_expression)] @use)
(user_type . (identifier) @use)
(callable_reference . (identifier) @use)

; names that are bound inside a function
(parameter . (identifier) @local)
(block (property_declaration (variable_declaration . (identifier) @local)))
(lambda_literal (property_declaration (variable_declaration . (identifier) @local)))
(lambda_parameters (variable_declaration . (identifier) @local))
(for_statement (variable_declaration . (identifier) @local))

; a name whose class is plain to see
(parameter . (identifier) @typed (user_type . (identifier) @typed.as .))
(property_declaration (variable_declaration . (identifier) @typed (user_type . (identifier) @typed.as .)))
(property_declaration (variable_declaration . (identifier) @typed) (call_expression . (identifier) @typed.as) (#match? @typed.as "^[A-Z]"))
(class_parameter (identifier) @typed.member (user_type . (identifier) @typed.as .))
(class_body (property_declaration (variable_declaration . (identifier) @typed.member (user_type . (identifier) @typed.as .))))
(class_body (property_declaration (variable_declaration . (identifier) @typed.member) (call_expression . (identifier) @typed.as)) (#match? @typed.as "^[A-Z]"))

; imports
(package_header) @import
(import (qualified_identifier (identifier) @import.name .) @import.module) @import
(import (qualified_identifier (identifier) @import.name .) @import.module . (identifier) @import.alias) @import
(import (qualified_identifier) @import.module "*" @import.all) @import
