; What is what in C? Captures are explained in docs/guides/add-a-language.md.

; definitions
((function_definition declarator: (function_declarator (ERROR (identifier) @name .)) body: (_) @body) @function (#not-match? @name "^(int|char|long|short|void|float|double|signed|unsigned|const|static|struct|inline)$"))
(function_definition type: (type_identifier) @name declarator: (parenthesized_declarator) body: (_) @body) @function
(ERROR (function_declarator declarator: (identifier) @name) @open . "{")
(ERROR (pointer_declarator (function_declarator declarator: (identifier) @name)) @open . "{")
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function
(function_definition declarator: (pointer_declarator (function_declarator declarator: (identifier) @name)) body: (_) @body) @function
(function_definition declarator: (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name))) body: (_) @body) @function
(preproc_function_def name: (identifier) @name value: (_)? @body) @function
(struct_specifier name: (type_identifier) @name body: (_) @body) @type
(union_specifier name: (type_identifier) @name body: (_) @body) @type
(enum_specifier name: (type_identifier) @name body: (_) @body) @type
(type_definition type: (_ body: (_) @body) declarator: (type_identifier) @name) @type
(type_definition type: (_ !body) declarator: (type_identifier) @variable)
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @variable))
(type_definition declarator: (function_declarator declarator: (type_identifier) @variable))
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @variable))))
(enum_specifier !name body: (enumerator_list . (enumerator name: (identifier) @name)) @body) @type
((function_definition (storage_class_specifier) @private declarator: (function_declarator declarator: (identifier) @name)) (#eq? @private "static"))
((function_definition (storage_class_specifier) @private declarator: (pointer_declarator (function_declarator declarator: (identifier) @name))) (#eq? @private "static"))

; tables: what is filled in over several lines is a block by its name
((declaration declarator: (init_declarator declarator: (identifier) @name value: (initializer_list) @body)) @block (#match? @body "\n"))
((declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name) value: (initializer_list) @body)) @block (#match? @body "\n"))
((declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)) value: (initializer_list) @body)) @block (#match? @body "\n"))

; a declared function is no definition: a block where a comment explains it, else one of the names of its run
((comment) . (declaration type: (_ !body) declarator: (function_declarator declarator: (identifier) @name)) @block)
((comment) . (declaration type: (_ !body) declarator: (pointer_declarator (function_declarator declarator: (identifier) @name))) @block)
(declaration declarator: (function_declarator declarator: (identifier) @variable))
(declaration declarator: (pointer_declarator (function_declarator declarator: (identifier) @variable)))
(preproc_def name: (identifier) @variable)
(declaration declarator: (identifier) @variable)
(declaration declarator: (array_declarator declarator: (identifier) @variable))
(declaration declarator: (pointer_declarator declarator: (identifier) @variable))
(declaration declarator: (init_declarator declarator: (identifier) @variable))
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @variable)))
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @variable)))
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @variable))))

; documentation
(comment) @comment
(translation_unit . (comment) @module.doc)

; lines of the preprocessor
(preproc_ifdef ["#ifdef" "#ifndef" "#endif"] @directive)
(preproc_if ["#if" "#endif"] @directive)
(preproc_else "#else" @directive)
(preproc_elif "#elif" @directive)

; uses
(call_expression function: (identifier) @use)
(argument_list (identifier) @use)
(initializer_list (identifier) @use)
(initializer_pair value: (identifier) @use)
(assignment_expression right: (identifier) @use)
(struct_specifier name: (type_identifier) @use !body)
(union_specifier name: (type_identifier) @use !body)
(enum_specifier name: (type_identifier) @use !body)
(declaration type: (type_identifier) @use)
(parameter_declaration type: (type_identifier) @use)
(field_declaration type: (type_identifier) @use)
(function_definition type: (type_identifier) @use)
(type_descriptor type: (type_identifier) @use)

; names that are bound inside a function
(parameter_declaration declarator: (identifier) @local)
(parameter_declaration declarator: (_ declarator: (identifier) @local))
(parameter_declaration declarator: (_ declarator: (_ declarator: (identifier) @local)))
(function_declarator parameters: (parameter_list (identifier) @local))
(preproc_params (identifier) @local)
(compound_statement (declaration declarator: (identifier) @local))
(compound_statement (declaration declarator: (_ declarator: (identifier) @local)))
(compound_statement (declaration declarator: (_ declarator: (_ declarator: (identifier) @local))))
(for_statement initializer: (declaration declarator: (_ declarator: (identifier) @local)))

; imports
(preproc_include path: (string_literal) @import.module) @import
(preproc_include path: (system_lib_string) @import.module (#match? @import.module "/")) @import
(preproc_include) @import
