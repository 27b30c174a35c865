; What is what in C++? Captures are explained in docs/guides/add-a-language.md.

; definitions
((function_definition declarator: (function_declarator (ERROR (identifier) @name .)) body: (_) @body) @function (#not-match? @name "^(int|char|long|short|void|float|double|signed|unsigned|const|static|struct|inline)$"))
(function_definition type: (type_identifier) @name declarator: (parenthesized_declarator) body: (_) @body) @function
(ERROR (function_declarator declarator: (identifier) @name) @open . "{")
(ERROR (pointer_declarator (function_declarator declarator: (identifier) @name)) @open . "{")
(function_definition declarator: (function_declarator declarator: [
  (identifier) @name (field_identifier) @name (operator_name) @name (destructor_name) @name
  (qualified_identifier scope: (_) @owner name: [(identifier) @name (operator_name) @name (destructor_name) @name])
  (qualified_identifier name: (qualified_identifier scope: (_) @owner name: [(identifier) @name (operator_name) @name (destructor_name) @name]))
]) body: (_)? @body) @function
(function_definition declarator: (_ [
  (function_declarator declarator: [
    (identifier) @name (field_identifier) @name (operator_name) @name
    (qualified_identifier scope: (_) @owner name: [(identifier) @name (operator_name) @name])
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: [(identifier) @name (operator_name) @name]))
  ])
  (_ (function_declarator declarator: [(identifier) @name (field_identifier) @name]))
]) body: (_) @body) @function
(template_declaration (function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (_ (function_declarator declarator: (identifier) @name))
])) @function
((function_definition (storage_class_specifier) @private declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator (function_declarator declarator: (identifier) @name))
]) (#eq? @private "static"))
(preproc_function_def name: (identifier) @name value: (_)? @body) @function
(class_specifier name: [(type_identifier) (template_type)] @name body: (_) @body) @class
(struct_specifier name: [(type_identifier) (template_type)] @name body: (_) @body) @class
(function_definition type: [(class_specifier) (struct_specifier)] declarator: (identifier) @name body: (_) @body) @class
(template_declaration [(class_specifier name: (_) @name body: (_)) (struct_specifier name: (_) @name body: (_))]) @class
(class_specifier name: (_) @name (base_class_clause [(type_identifier) @base (qualified_identifier) @base (template_type name: (_) @base)]))
(struct_specifier name: (_) @name (base_class_clause [(type_identifier) @base (qualified_identifier) @base (template_type name: (_) @base)]))
(union_specifier name: (type_identifier) @name body: (_) @body) @type
(enum_specifier name: (type_identifier) @name body: (_) @body) @type
(type_definition type: (_ body: (_) @body) declarator: (type_identifier) @name) @type
(alias_declaration name: (type_identifier) @variable)
(type_definition type: (_ !body) declarator: (type_identifier) @variable)
((declaration declarator: (init_declarator declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (pointer_declarator [
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator (array_declarator declarator: (identifier) @name))
  ])
] value: (initializer_list) @body)) @block (#match? @body "\n"))

; a declared function is no definition: a block where a comment explains it, else one of the names of its run
((comment) . (declaration type: (_ !body) declarator: [
  (function_declarator declarator: (identifier) @name)
  (_ (function_declarator declarator: (identifier) @name))
]) @block)
((comment) . (field_declaration declarator: [
  (function_declarator declarator: (field_identifier) @name)
  (_ (function_declarator declarator: (field_identifier) @name))
]) @block)
(preproc_def name: (identifier) @variable)
(declaration declarator: [
  (identifier) @variable
  (array_declarator declarator: (identifier) @variable)
  (init_declarator declarator: [(identifier) @variable (_ declarator: (identifier) @variable)])
  (function_declarator declarator: (identifier) @variable)
])
(declaration declarator: (_ (function_declarator declarator: (identifier) @variable)))

; documentation
(comment) @comment
(translation_unit . (comment) @module.doc)

; lines of the preprocessor
(preproc_ifdef ["#ifdef" "#ifndef" "#endif"] @directive)
(preproc_if ["#if" "#endif"] @directive)
(preproc_else "#else" @directive)
(preproc_elif "#elif" @directive)

; uses
(call_expression function: [(identifier) @use (qualified_identifier) @use (field_expression) @use (template_function name: (identifier) @use)])
(new_expression type: [(type_identifier) @use (qualified_identifier) @use (template_type name: (type_identifier) @use)])
(argument_list (identifier) @use)
(initializer_list (identifier) @use)
(declaration type: [(type_identifier) (qualified_identifier)] @use)
(parameter_declaration type: [(type_identifier) (qualified_identifier)] @use)
(field_declaration type: [(type_identifier) (qualified_identifier)] @use)
(function_definition type: [(type_identifier) (qualified_identifier)] @use)
(type_descriptor type: [(type_identifier) (qualified_identifier)] @use)
(struct_specifier name: (type_identifier) @use !body)

; names that are bound inside a function
(parameter_declaration declarator: [(identifier) @local (_ [(identifier) @local (_ (identifier) @local)])])
(compound_statement (declaration declarator: [(identifier) @local (_ declarator: (identifier) @local) (_ (_ (identifier) @local))]))
(for_statement initializer: (declaration declarator: (_ declarator: (identifier) @local)))
(for_range_loop declarator: (identifier) @local)
(preproc_params (identifier) @local)

; a name whose class is plain to see
(parameter_declaration type: (type_identifier) @typed.as declarator: [(identifier) @typed (_ (identifier) @typed)])
(declaration type: (type_identifier) @typed.as declarator: [(identifier) @typed (init_declarator declarator: [(identifier) @typed (_ declarator: (identifier) @typed)])])
(field_declaration type: (type_identifier) @typed.as declarator: [(field_identifier) @typed.member (_ declarator: (field_identifier) @typed.member)])

; imports
(preproc_include path: (string_literal) @import.module) @import
(preproc_include path: (system_lib_string) @import.module (#match? @import.module "/")) @import
(preproc_include) @import
(using_declaration) @import
