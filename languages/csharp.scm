; What is what in C#? Captures are explained in docs/guides/add-a-language.md.

; definitions
(class_declaration name: (identifier) @name body: (_)? @body) @class
(interface_declaration name: (identifier) @name body: (_) @body) @class
(struct_declaration name: (identifier) @name body: (_)? @body) @class
(record_declaration name: (identifier) @name body: (_)? @body) @class
(enum_declaration name: (identifier) @name body: (_) @body) @type
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name body: (_)? @body) @function
(constructor_declaration name: (identifier) @name body: (_)? @body) @function
(global_statement (local_function_statement name: (identifier) @name body: (_) @body) @function)
(global_statement (local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @variable))))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @variable)))
((property_declaration name: (identifier) @name accessors: (_) @body) @member (#match? @body "\n"))
(_ name: (identifier) @name (base_list [(identifier) (qualified_name)] @base))
(_ name: (identifier) @name (base_list (generic_name . (identifier) @base)))
(_ name: (identifier) @name (base_list (primary_constructor_base_type . (identifier) @base)))

; documentation; attributes are inside what they belong to
(comment) @comment
(compilation_unit . (comment) @module.doc)

; uses
(invocation_expression function: [(identifier) (member_access_expression)] @use)
(invocation_expression function: (generic_name . (identifier) @use))
(object_creation_expression type: [(identifier) (qualified_name)] @use)
(object_creation_expression type: (generic_name . (identifier) @use))
(attribute name: (identifier) @use)
(parameter type: (identifier) @use)
(variable_declaration type: (identifier) @use)
(variable_declaration type: (nullable_type type: (identifier) @use))
(property_declaration type: (identifier) @use)
(method_declaration returns: (identifier) @use)
(type_argument_list (identifier) @use)
(generic_name . (identifier) @use (type_argument_list))
(typeof_expression type: (identifier) @use)

; names that are bound inside a method
(parameter name: (identifier) @local)
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)

; a name whose class is plain to see
(parameter type: [(identifier) @typed.as (generic_name . (identifier) @typed.as) (nullable_type (identifier) @typed.as)] name: (identifier) @typed)
(local_declaration_statement (variable_declaration type: [(identifier) @typed.as (generic_name . (identifier) @typed.as) (nullable_type (identifier) @typed.as)] (variable_declarator name: (identifier) @typed)))
(local_declaration_statement (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @typed (object_creation_expression type: (identifier) @typed.as))))
(field_declaration (variable_declaration type: [(identifier) @typed.as (generic_name . (identifier) @typed.as) (nullable_type (identifier) @typed.as)] (variable_declarator name: (identifier) @typed.member)))
(property_declaration type: [(identifier) @typed.as (generic_name . (identifier) @typed.as) (nullable_type (identifier) @typed.as)] name: (identifier) @typed.member)

; imports
(using_directive !name [(qualified_name) (identifier)] @import.module) @import
(file_scoped_namespace_declaration) @import
(using_directive name: (identifier) @import.alias (qualified_name) @import.module) @import
