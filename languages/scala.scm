; What is what in Scala? Captures are explained in docs/guides/add-a-language.md.

; definitions
(class_definition name: (identifier) @name body: (_)? @body) @class
(object_definition name: (identifier) @name body: (_)? @body) @class
(package_object name: (identifier) @name body: (_)? @body) @class
(trait_definition name: (identifier) @name body: (_)? @body) @class
(enum_definition name: (identifier) @name body: (_)? @body) @class
(given_definition name: (identifier) @name body: (_)? @body) @class
(function_definition name: (_) @name body: (_)? @body) @function
(function_declaration name: (_) @name) @function
(type_definition name: (type_identifier) @name) @type
(class_definition name: (identifier) @name extend: (extends_clause [(type_identifier) (stable_type_identifier)] @base))
(class_definition name: (identifier) @name extend: (extends_clause (generic_type type: [(type_identifier) (stable_type_identifier)] @base)))
(object_definition name: (identifier) @name extend: (extends_clause [(type_identifier) (stable_type_identifier)] @base))
(object_definition name: (identifier) @name extend: (extends_clause (generic_type type: [(type_identifier) (stable_type_identifier)] @base)))
(trait_definition name: (identifier) @name extend: (extends_clause [(type_identifier) (stable_type_identifier)] @base))
(trait_definition name: (identifier) @name extend: (extends_clause (generic_type type: [(type_identifier) (stable_type_identifier)] @base)))
(compilation_unit (val_definition pattern: (identifier) @variable))
(template_body (val_definition pattern: (identifier) @variable))

; documentation
(comment) @comment
(block_comment) @comment
(compilation_unit . (block_comment) @module.doc)

; uses
(call_expression function: [(identifier) (field_expression)] @use)
(call_expression function: (generic_function function: [(identifier) (field_expression)] @use))
(instance_expression [(type_identifier) (stable_type_identifier)] @use)
(instance_expression (generic_type type: (type_identifier) @use))
(parameter type: (type_identifier) @use)
(class_parameter type: (type_identifier) @use)
(generic_type type: (type_identifier) @use)
(type_arguments (type_identifier) @use)
(function_definition return_type: (type_identifier) @use)

; names that are bound inside a function
(parameter name: (identifier) @local)
(block (val_definition pattern: (identifier) @local))
(block (var_definition pattern: (identifier) @local))
(enumerator . (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(bindings (binding name: (identifier) @local))
(case_clause pattern: (identifier) @local)

; a name whose class is plain to see
(parameter name: (identifier) @typed type: (type_identifier) @typed.as)
(block (val_definition pattern: (identifier) @typed type: (type_identifier) @typed.as))
(block (val_definition pattern: (identifier) @typed value: (instance_expression . (type_identifier) @typed.as)))
(class_parameter name: (identifier) @typed.member type: (type_identifier) @typed.as)
(template_body (val_definition pattern: (identifier) @typed.member value: (instance_expression . (type_identifier) @typed.as)))

; imports; a path has no node of its own, and all files of the language see each other's names
(package_clause !body) @import
(import_declaration) @import
