; What is what in Python? Captures are explained in docs/guides/add-a-language.md.

; definitions
(function_definition name: (identifier) @name body: (_) @body) @function
(class_definition name: (identifier) @name body: (_) @body) @class
(decorated_definition definition: (function_definition name: (identifier) @name)) @function
(decorated_definition definition: (class_definition name: (identifier) @name)) @class
(class_definition name: (identifier) @name superclasses: (argument_list [(identifier) (attribute)] @base))
(class_definition name: (identifier) @name superclasses: (argument_list (subscript value: [(identifier) (attribute)] @base)))
(module (expression_statement (assignment left: (identifier) @variable)))
(module (expression_statement (assignment left: (pattern_list (identifier) @variable))))
(module (if_statement consequence: (block (expression_statement (assignment left: (identifier) @variable)))))
(module (try_statement body: (block (expression_statement (assignment left: (identifier) @variable)))))
(module (expression_statement (assignment left: (identifier) @alias right: [(identifier) (attribute)] @alias.of)))
(class_definition name: (identifier) @alias.in body: (block (expression_statement (assignment left: (identifier) @alias right: (identifier) @alias.of))))

; documentation
(module . (comment)* . (expression_statement (string) @module.doc))
(function_definition name: (identifier) @name body: (block . (expression_statement (string) @doc)))
(class_definition name: (identifier) @name body: (block . (expression_statement (string) @doc)))
(comment) @comment

; uses
(call function: [(identifier) (attribute)] @use)
(decorator [(identifier) (attribute)] @use)
(argument_list (identifier) @use)
(keyword_argument value: (identifier) @use)
(except_clause [(identifier) (attribute)] @use)
(except_clause (tuple [(identifier) (attribute)] @use))
(raise_statement [(identifier) (attribute)] @use)
(type [(identifier) (attribute)] @use)
(comparison_operator (identifier) @use.value)
(binary_operator (identifier) @use.value)
(boolean_operator (identifier) @use.value)
(return_statement (identifier) @use.value)
(subscript value: (identifier) @use.value)
(for_statement right: (identifier) @use.value)
(assignment right: (identifier) @use.value)
(default_parameter value: (identifier) @use.value)

; names that are bound inside a function
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(assignment left: (identifier) @local)
(augmented_assignment left: (identifier) @local)
(named_expression name: (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)
(global_statement (identifier) @global)

; a name whose class is plain to see
(assignment left: [(identifier) (attribute)] @typed type: (type [(identifier) (attribute)] @typed.as))
(assignment left: [(identifier) (attribute)] @typed !type right: (call function: [(identifier) (attribute)] @typed.as))
(typed_parameter (identifier) @typed type: (type [(identifier) (attribute)] @typed.as))
(typed_default_parameter name: (identifier) @typed type: (type [(identifier) (attribute)] @typed.as))

; imports
(import_statement name: (dotted_name) @import.module) @import
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name) @import
(import_from_statement module_name: (_) @import.module name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.all) @import
(future_import_statement) @import
