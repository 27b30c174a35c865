; What is what in Swift? Captures are explained in docs/guides/add-a-language.md.

; definitions; an extension is named by the type that it extends
(class_declaration name: (type_identifier) @name body: (_) @body) @class
(class_declaration name: (user_type (type_identifier) @name .) body: (_) @body) @class
(protocol_declaration name: (type_identifier) @name body: (_) @body) @class
(function_declaration name: (simple_identifier) @name) @function
; any node, because tree-sitter analyses a named one with two children for a second whenever the query is opened
(_ name: (simple_identifier) @name body: (function_body) @body) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(init_declaration "init" @name body: (_)? @body) @function
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @member)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @member)
(typealias_declaration name: (type_identifier) @name) @type
(class_declaration name: (type_identifier) @name (inheritance_specifier inherits_from: (user_type (type_identifier) @base .)))
(class_declaration name: (user_type (type_identifier) @name .) (inheritance_specifier inherits_from: (user_type (type_identifier) @base .)))
(protocol_declaration name: (type_identifier) @name (inheritance_specifier inherits_from: (user_type (type_identifier) @base .)))
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @variable)))

; documentation
(comment) @comment
(multiline_comment) @comment
(source_file . (comment) @module.doc)

; uses
(call_expression . [(simple_identifier) (navigation_expression)] @use)
(user_type (type_identifier) @use .)

; names that are bound inside a function
(parameter name: (simple_identifier) @local)
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @local)))
(guard_statement bound_identifier: (simple_identifier) @local)
(if_statement bound_identifier: (simple_identifier) @local)
(for_statement item: (pattern bound_identifier: (simple_identifier) @local))
(lambda_parameter name: (simple_identifier) @local)

; a name whose class is plain to see
(parameter name: (simple_identifier) @typed (user_type . (type_identifier) @typed.as .))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @typed) value: (call_expression . (simple_identifier) @typed.as)) (#match? @typed.as "^[A-Z]"))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @typed) (type_annotation (user_type . (type_identifier) @typed.as .))))
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @typed.member) (type_annotation (user_type . (type_identifier) @typed.as .))))
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @typed.member) value: (call_expression . (simple_identifier) @typed.as)) (#match? @typed.as "^[A-Z]"))

; imports
(import_declaration (identifier) @import.module) @import
