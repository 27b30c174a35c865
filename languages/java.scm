; What is what in Java? Captures are explained in docs/guides/add-a-language.md.

; definitions
(class_declaration name: (identifier) @name body: (_) @body) @class
(interface_declaration name: (identifier) @name body: (_) @body) @class
(enum_declaration name: (identifier) @name body: (_) @body) @class
(record_declaration name: (identifier) @name body: (_) @body) @class
(annotation_type_declaration name: (identifier) @name body: (_) @body) @class
(method_declaration name: (identifier) @name body: (_)? @body) @function
(constructor_declaration name: (identifier) @name body: (_) @body) @function
(field_declaration declarator: (variable_declarator name: (identifier) @variable))
(class_declaration name: (identifier) @name superclass: (superclass [(type_identifier) (scoped_type_identifier)] @base))
(class_declaration name: (identifier) @name superclass: (superclass (generic_type . [(type_identifier) (scoped_type_identifier)] @base)))
(class_declaration name: (identifier) @name interfaces: (super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @base)))
(class_declaration name: (identifier) @name interfaces: (super_interfaces (type_list (generic_type . [(type_identifier) (scoped_type_identifier)] @base))))
(enum_declaration name: (identifier) @name interfaces: (super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @base)))
(enum_declaration name: (identifier) @name interfaces: (super_interfaces (type_list (generic_type . [(type_identifier) (scoped_type_identifier)] @base))))
(record_declaration name: (identifier) @name interfaces: (super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @base)))
(record_declaration name: (identifier) @name interfaces: (super_interfaces (type_list (generic_type . [(type_identifier) (scoped_type_identifier)] @base))))
(interface_declaration name: (identifier) @name (extends_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @base)))
(interface_declaration name: (identifier) @name (extends_interfaces (type_list (generic_type . [(type_identifier) (scoped_type_identifier)] @base))))

; documentation
(line_comment) @comment
(block_comment) @comment
(program . (block_comment) @module.doc)

; uses
(method_invocation !object name: (identifier) @use)
(method_invocation object: [(identifier) (this) (super) (field_access)] @use.from name: (identifier) @use.to)
(object_creation_expression type: (type_identifier) @use)
(marker_annotation name: (identifier) @use)
(annotation name: (identifier) @use)
(formal_parameter type: (type_identifier) @use)
(method_declaration type: (type_identifier) @use)
(field_declaration type: (type_identifier) @use)
(type_arguments (type_identifier) @use)

; names that are bound inside a method
(formal_parameter name: (identifier) @local)
(local_variable_declaration (variable_declarator name: (identifier) @local))
(catch_formal_parameter name: (identifier) @local)
(enhanced_for_statement name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)

; a name whose class is plain to see
(formal_parameter type: [(type_identifier) @typed.as (generic_type . (type_identifier) @typed.as)] name: (identifier) @typed)
(local_variable_declaration type: [(type_identifier) @typed.as (generic_type . (type_identifier) @typed.as)] declarator: (variable_declarator name: (identifier) @typed) (#not-eq? @typed.as "var"))
(local_variable_declaration type: (type_identifier) @var declarator: (variable_declarator name: (identifier) @typed value: [(object_creation_expression type: (type_identifier) @typed.as) (cast_expression type: (type_identifier) @typed.as)]) (#eq? @var "var"))
(field_declaration type: [(type_identifier) @typed.as (generic_type . (type_identifier) @typed.as)] declarator: (variable_declarator name: (identifier) @typed.member))

; imports
(import_declaration (scoped_identifier scope: (_) @import.module name: (identifier) @import.name)) @import
(import_declaration (_) @import.module (asterisk) @import.all) @import
