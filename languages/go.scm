; What is what in Go? Captures are explained in docs/guides/add-a-language.md.

; definitions
(function_declaration name: (identifier) @name body: (_) @body) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (field_identifier) @name body: (_) @body) @function
(type_declaration . (type_spec name: (type_identifier) @name type: (struct_type)) .) @class
(type_declaration . (type_spec name: (type_identifier) @name type: (interface_type)) .) @type
(type_spec name: (type_identifier) @name) @type
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list (field_declaration !name type: [(type_identifier) (qualified_type)] @base))))
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list (field_declaration !name type: (generic_type type: [(type_identifier) (qualified_type)] @base)))))
(type_spec name: (type_identifier) @name type: (interface_type (type_elem . [(type_identifier) (qualified_type)] @base .)))
(source_file (var_declaration (var_spec name: (identifier) @variable)))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @variable))))
(source_file (const_declaration (const_spec name: (identifier) @variable)))

; documentation
(comment) @comment
(source_file . (comment) @module.doc)

; uses
(call_expression function: [(identifier) (selector_expression)] @use)
(type_identifier) @use.type
(qualified_type) @use
(selector_expression operand: (identifier)) @use.value
(argument_list (identifier) @use)
(expression_list (identifier) @use)
(binary_expression (identifier) @use)
(unary_expression (identifier) @use)
(index_expression operand: (identifier) @use)
(range_clause right: (identifier) @use)
(keyed_element (literal_element) (literal_element (identifier) @use))
(literal_value (literal_element (identifier) @use))

; names that are bound inside a function
(short_var_declaration left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(range_clause left: (expression_list (identifier) @local))
(type_parameter_declaration name: (identifier) @local)

; a name whose type is plain to see
(parameter_declaration name: (identifier) @typed type: [(type_identifier) (qualified_type)] @typed.as)
(parameter_declaration name: (identifier) @typed type: (pointer_type [(type_identifier) (qualified_type)] @typed.as))
(short_var_declaration left: (expression_list . (identifier) @typed .) right: (expression_list . (composite_literal type: [(type_identifier) (qualified_type)] @typed.as) .))
(short_var_declaration left: (expression_list . (identifier) @typed .) right: (expression_list . (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type)] @typed.as)) .))

; imports
(package_clause (package_identifier) @package)
(import_spec path: (interpreted_string_literal) @import.module !name) @import
(import_spec name: (package_identifier) @import.alias path: (interpreted_string_literal) @import.module) @import
