; What is what in Rust? Captures are explained in docs/guides/add-a-language.md.

; definitions
(function_item name: (identifier) @name body: (_) @body) @function
(function_signature_item name: (identifier) @name) @function
(macro_definition name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @class
(trait_item name: (type_identifier) @name body: (_) @body) @class
(impl_item type: (type_identifier) @name body: (_) @body) @class
(impl_item type: (generic_type type: (type_identifier) @name) body: (_) @body) @class
(impl_item trait: [(type_identifier) (scoped_type_identifier)] @base type: (type_identifier) @name)
(impl_item trait: (generic_type type: [(type_identifier) (scoped_type_identifier)] @base) type: (type_identifier) @name)
(impl_item trait: [(type_identifier) (scoped_type_identifier)] @base type: (generic_type type: (type_identifier) @name))
(impl_item trait: (generic_type type: [(type_identifier) (scoped_type_identifier)] @base) type: (generic_type type: (type_identifier) @name))
(trait_item name: (type_identifier) @name bounds: (trait_bounds [(type_identifier) (scoped_type_identifier)] @base))
(mod_item name: (identifier) @name body: (_) @body) @class
(enum_item name: (type_identifier) @name body: (_) @body) @type
(union_item name: (type_identifier) @name body: (_) @body) @type
(type_item name: (type_identifier) @name) @type
(source_file (const_item name: (identifier) @variable))
(source_file (static_item name: (identifier) @variable))

; items inside the braces of a macro
[(source_file (macro_invocation (token_tree) @inside)) (declaration_list (macro_invocation (token_tree) @inside))]

; tests, which functions and modules are by their attributes
((attribute_item (attribute [(identifier) (scoped_identifier)] @attribute)) @test . [(attribute_item) (line_comment)]* . (function_item name: (identifier) @name) (#match? @attribute "^(\\w+::)*(test|bench|rstest|test_case|wasm_bindgen_test)$"))
((attribute_item (attribute (identifier) @attribute arguments: (token_tree . (identifier) @configured))) @test . [(attribute_item) (line_comment)]* . [(function_item name: (identifier) @name) (mod_item name: (identifier) @name)] (#eq? @attribute "cfg") (#eq? @configured "test"))

; documentation; attributes belong to what follows them, as comments do
(line_comment) @comment
(block_comment) @comment
(attribute_item) @comment
(source_file . (line_comment) @module.doc)

; uses
(call_expression function: [(identifier) (scoped_identifier) (field_expression)] @use)
(call_expression function: (generic_function function: [(identifier) (scoped_identifier)] @use))
(macro_invocation macro: [(identifier) (scoped_identifier)] @use)
(struct_expression name: [(type_identifier) (scoped_type_identifier)] @use)
(parameter type: (type_identifier) @use)
(reference_type type: (type_identifier) @use)
(function_item return_type: (type_identifier) @use)
(type_arguments (type_identifier) @use)
(field_declaration type: (type_identifier) @use)
(arguments (identifier) @use)

; names that are bound inside a function
(parameter pattern: (identifier) @local)
(let_declaration pattern: (identifier) @local)
(let_declaration pattern: (tuple_pattern (identifier) @local))
(closure_parameters (identifier) @local)
(for_expression pattern: (identifier) @local)
(tuple_struct_pattern (identifier) @local)

; a name whose type is plain to see
(parameter pattern: (identifier) @typed type: (type_identifier) @typed.as)
(parameter pattern: (identifier) @typed type: (reference_type type: (type_identifier) @typed.as))
(let_declaration pattern: (identifier) @typed value: (call_expression function: (scoped_identifier path: (identifier) @typed.as)))
(let_declaration pattern: (identifier) @typed value: (struct_expression name: (type_identifier) @typed.as))

; imports
(use_declaration argument: (scoped_identifier path: (_) @import.module name: (identifier) @import.name)) @import
(use_declaration argument: (use_as_clause path: (scoped_identifier path: (_) @import.module name: (identifier) @import.name) alias: (identifier) @import.alias)) @import
(scoped_use_list path: (_) @import.module list: (use_list (identifier) @import.name)) @import
(scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: (identifier) @import.name alias: (identifier) @import.alias))) @import
(use_list (scoped_identifier path: (_) @import.module name: (identifier) @import.name) @import)
(use_list (use_as_clause path: (scoped_identifier path: (_) @import.module name: (identifier) @import.name) alias: (identifier) @import.alias) @import)
(scoped_use_list path: (_) @import.below list: (_) @import.list)
(use_declaration argument: (use_wildcard (_) @import.module) @import.all) @import
(mod_item name: (identifier) @import.module @import.alias !body) @import
