; What is what in TypeScript and TSX? Captures are explained in docs/guides/add-a-language.md.

; functions in all their forms
(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @function
(variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @function
(expression_statement (assignment_expression left: (member_expression) @name right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)])) @function
(expression_statement (assignment_expression left: (identifier) @name right: (function_expression body: (_) @body))) @function
(export_statement [
  (function_declaration name: (identifier) @name)
  (generator_function_declaration name: (identifier) @name)
  (function_signature name: (identifier) @name)
  (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]))
]) @function
(export_statement "default" @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function

; classes
(class_declaration name: (type_identifier) @name body: (_) @body) @class
(lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @class
(export_statement [
  (class_declaration name: (type_identifier) @name)
  (abstract_class_declaration name: (type_identifier) @name)
  (internal_module name: (identifier) @name)
  (lexical_declaration (variable_declarator name: (identifier) @name value: (class)))
]) @class
(export_statement "default" @name value: (class body: (_) @body)) @class
(method_definition name: (_) @name body: (_) @body) @member
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(class_declaration name: (type_identifier) @name (class_heritage [
  (extends_clause value: [(identifier) @base (member_expression) @base])
  (implements_clause [
    (type_identifier) @base (nested_type_identifier) @base
    (generic_type name: [(type_identifier) @base (nested_type_identifier) @base])
  ])
]))
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @class
(abstract_class_declaration name: (type_identifier) @name (class_heritage [
  (extends_clause value: [(identifier) @base (member_expression) @base])
  (implements_clause [
    (type_identifier) @base (nested_type_identifier) @base
    (generic_type name: [(type_identifier) @base (nested_type_identifier) @base])
  ])
]))
(internal_module name: [(identifier) (nested_identifier)] @name body: (_) @body) @class

; types
(interface_declaration name: (type_identifier) @name body: (_) @body) @type
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name body: (_) @body) @type
(export_statement [
  (interface_declaration name: (type_identifier) @name)
  (type_alias_declaration name: (type_identifier) @name)
  (enum_declaration name: (identifier) @name)
]) @type
(interface_declaration name: (type_identifier) @name (extends_type_clause [
  (type_identifier) @base (nested_type_identifier) @base
  (generic_type name: [(type_identifier) @base (nested_type_identifier) @base])
]))
(function_signature name: (identifier) @name) @function

; an object of functions
(lexical_declaration (variable_declarator name: (identifier) @name value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @body)) @class
(pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @member

; variables of the module
(program [
  (lexical_declaration (variable_declarator name: (identifier) @variable))
  (variable_declaration (variable_declarator name: (identifier) @variable))
])
(export_statement (lexical_declaration (variable_declarator name: (identifier) @variable)))
(program (lexical_declaration (variable_declarator name: (identifier) @alias value: [(identifier) (member_expression)] @alias.of)))
(program (expression_statement (assignment_expression left: (member_expression) @alias right: (identifier) @alias.of)))

; documentation
(comment) @comment
(program . (comment) @module.doc)

; uses
(call_expression function: [(identifier) @use (member_expression) @use (await_expression [(identifier) @use (member_expression) @use])])
(member_expression object: (identifier) @use.value)
(spread_element (identifier) @use.value)
(binary_expression (identifier) @use.value)
(subscript_expression object: (identifier) @use.value)
(return_statement (identifier) @use.value)
(new_expression constructor: [(identifier) (member_expression)] @use)
(arguments (identifier) @use)
(decorator [(identifier) (member_expression)] @use)
;for tree-sitter-tsx ((jsx_opening_element name: (identifier) @use) (#match? @use "^[A-Z]"))
;for tree-sitter-tsx (jsx_opening_element name: (member_expression) @use)
;for tree-sitter-tsx ((jsx_self_closing_element name: (identifier) @use) (#match? @use "^[A-Z]"))
;for tree-sitter-tsx (jsx_self_closing_element name: (member_expression) @use)
(pair value: (identifier) @use)
(shorthand_property_identifier) @use
;for tree-sitter-tsx (jsx_expression (identifier) @use)

(type_identifier) @use.type
(nested_type_identifier) @use

; names that are bound inside a function
(type_parameter name: (type_identifier) @local)
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(rest_pattern (identifier) @local)
(variable_declarator name: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(statement_block (function_declaration name: (identifier) @local))

; a name whose class is plain to see
(variable_declarator name: (identifier) @typed value: (new_expression constructor: [(identifier) (member_expression)] @typed.as))
(assignment_expression left: (member_expression) @typed right: (new_expression constructor: [(identifier) (member_expression)] @typed.as))
(public_field_definition name: (property_identifier) @typed.member value: (new_expression constructor: [(identifier) (member_expression)] @typed.as))

(required_parameter pattern: (identifier) @typed type: (type_annotation (type_identifier) @typed.as))
(optional_parameter pattern: (identifier) @typed type: (type_annotation (type_identifier) @typed.as))
(variable_declarator name: (identifier) @typed type: (type_annotation (type_identifier) @typed.as))
(public_field_definition name: (_) @typed.member type: (type_annotation (type_identifier) @typed.as))

; imports
(import_statement source: (string) @import.module) @import
(import_statement (import_clause [
  (identifier) @import.default
  (namespace_import (identifier) @import.alias)
  (named_imports (import_specifier name: (_) @import.name alias: (identifier)? @import.alias))
]) source: (string) @import.module) @import
((variable_declarator name: [
  (identifier) @import.alias
  (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)
  ])
] value: [
  (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module .)))
]) @import
  (#eq? @_require "require"))
((assignment_expression left: (identifier) @import.alias right: [
  (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (binary_expression right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)))
]) @import
  (#eq? @_require "require"))
((augmented_assignment_expression left: (identifier) @import.alias right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))) @import
  (#eq? @_require "require"))
((call_expression function: (member_expression object: [
  (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (parenthesized_expression (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module .))))
] property: (property_identifier) @import.use)) @import.inline
  (#eq? @_require "require"))
((call_expression function: (member_expression object: (call_expression function: (import) arguments: (arguments . (string) @import.module .)) property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (required_parameter pattern: [(identifier) @import.alias (object_pattern (shorthand_property_identifier_pattern) @import.name)]))))) @import.inline
  (#eq? @_then "then"))
((variable_declarator name: (identifier) @import.alias value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)) property: (property_identifier) @import.name)) @import
  (#eq? @_require "require"))

; exports
(export_statement source: (string) @export.module !declaration) @export.all
(export_statement [
  (export_clause (export_specifier name: (_) @export.from alias: (_)? @export.name))
  (namespace_export (_) @export.name)
] source: (string) @export.module)
(export_statement (export_clause (export_specifier name: (_) @export.from alias: (_) @export.name)) !source)
(export_statement "default" @export.name value: (identifier) @export.from)
(export_statement "default" @export.name [
  (function_declaration name: (identifier) @export.from)
  (class_declaration name: (type_identifier) @export.from)
])
((expression_statement (assignment_expression left: (member_expression) @_module right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @export.module .)))) @export.all
  (#eq? @_module "module.exports") (#eq? @_require "require"))
