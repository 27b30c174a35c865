; What is what in PHP? Captures are explained in docs/guides/add-a-language.md.

; definitions
(class_declaration name: (name) @name body: (_) @body) @class
(interface_declaration name: (name) @name body: (_) @body) @class
(trait_declaration name: (name) @name body: (_) @body) @class
(enum_declaration name: (name) @name body: (_) @body) @class
(function_definition name: (name) @name body: (_) @body) @function
(method_declaration name: (name) @name body: (_)? @body) @function
(_ name: (name) @name (base_clause [(name) (qualified_name)] @base))
(_ name: (name) @name (class_interface_clause [(name) (qualified_name)] @base))
(_ name: (name) @name body: (declaration_list (use_declaration [(name) (qualified_name)] @base)))
(program (const_declaration (const_element . (name) @variable)))
(program (expression_statement (assignment_expression left: (variable_name) @variable)))

; documentation
(comment) @comment
(program . (php_tag) . (comment) @module.doc)

; uses
(function_call_expression function: [(name) (qualified_name)] @use)
(member_call_expression object: [(variable_name) (member_access_expression)] @use.from name: (name) @use.to)
(scoped_call_expression scope: [(name) (qualified_name) (relative_scope)] @use.from name: (name) @use.to)
(class_constant_access_expression . [(name) (qualified_name)] @use)
(object_creation_expression [(name) (qualified_name)] @use)
(named_type [(name) (qualified_name)] @use)
(attribute [(name) (qualified_name)] @use)

; names that are bound inside a function
(simple_parameter name: (variable_name) @local)
(assignment_expression left: (variable_name) @local)
(foreach_statement (variable_name) @local)

; a name whose class is plain to see
(simple_parameter type: (named_type (name) @typed.as) name: (variable_name) @typed)
(simple_parameter type: (optional_type (named_type (name) @typed.as)) name: (variable_name) @typed)
(assignment_expression left: (variable_name) @typed right: (object_creation_expression [(name) (qualified_name)] @typed.as))
(property_declaration type: (named_type (name) @typed.as) (property_element name: (variable_name (name) @typed.member)))
(property_promotion_parameter type: (named_type (name) @typed.as) name: (variable_name (name) @typed.member))

; imports
(namespace_use_declaration (namespace_use_clause (qualified_name prefix: (_) @import.module (name) @import.name) !alias)) @import
(namespace_use_declaration (namespace_use_clause (qualified_name prefix: (_) @import.module (name) @import.name) alias: (name) @import.alias)) @import
(namespace_use_declaration (namespace_name) @import.module body: (namespace_use_group (namespace_use_clause (name) @import.name !alias))) @import
(namespace_use_declaration (namespace_name) @import.module body: (namespace_use_group (namespace_use_clause (name) @import.name alias: (name) @import.alias))) @import
(namespace_use_declaration) @import
(expression_statement [(require_once_expression (string) @import.module) (require_expression (string) @import.module) (include_expression (string) @import.module) (include_once_expression (string) @import.module)]) @import
(expression_statement [(require_once_expression (binary_expression right: (string) @import.module)) (require_expression (binary_expression right: (string) @import.module)) (include_expression (binary_expression right: (string) @import.module)) (include_once_expression (binary_expression right: (string) @import.module))]) @import
