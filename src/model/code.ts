// What is known of a piece of code? Its shape, its metadata by the format of its language, and the outline of its file.

/** The second half of a code artifact's kind: `python_class_function` has the shape `class_function`. */
export type CodeShape =
  /** The file itself; its own text precedes everything else. */
  | 'module'
  /** The same for a page. */
  | 'document'
  | 'class'
  /** A type without functions of its own: an interface, an alias, an enumeration. */
  | 'type'
  | 'function'
  | 'class_function'
  | 'import'
  /** What a file says about itself at its top. */
  | 'docstring'
  /** Statements between definitions, or a structural part of a page. */
  | 'block'
  /** A script inside a page. */
  | 'script'
  /** A test, or a module of tests, next to the code that it tests. */
  | 'test'

/** The fields of a chunk. The format of its language defines which of them a chunk type has. */
export interface CodeMetadata {
  readonly identifier?: string
  /** Names that it uses, as written, each once, in the order of the text. */
  readonly uses?: readonly string[]
  readonly member_functions?: readonly string[]
  readonly class_name?: string
  /** Names of modules. */
  readonly imports?: readonly string[]
  /** Targets of `<script src>`. */
  readonly external_scripts?: readonly string[]
}

/** One name that a file defines. */
export interface OutlineSymbol {
  /** Dotted below a class: `Server.start`. */
  readonly name: string
  /** The part after `path#` in its canonical id. */
  readonly id: string
  readonly shape: CodeShape
  /** Names that it extends, as written. */
  readonly bases?: readonly string[]
  /** Only its own file sees it: `static` in C. */
  readonly private?: true
  /** For a name that is another name: `export { a as b }`, `b = a`. */
  readonly alias?: string
}

/** A name that an import brings into a file. */
export interface OutlineImport {
  /** Empty for `import *` and for an import that binds no name. */
  readonly local: string
  /** The module as written: `.util`, `./util`, `crate::util`. */
  readonly module: string
  /** The name inside the module; `*` for all of them, null for the module itself. */
  readonly name: string | null
}

/** A name that a file passes on from another module. */
export interface OutlineExport {
  /** `*` for everything. */
  readonly name: string
  /** Null when it is a name of this file. */
  readonly module: string | null
  /** The name there; null for the module itself. */
  readonly from: string | null
}

/** What others may ask of a file of code. */
export interface CodeOutline {
  /** The name in its package clause, if the language has one that imports do not write: Go. */
  readonly package?: string
  readonly symbols: readonly OutlineSymbol[]
  readonly imports: readonly OutlineImport[]
  readonly exports: readonly OutlineExport[]
}

/** How a language finds its modules. */
export interface ModuleRules {
  /** Between the parts of a module's name: `.`, `/`, `::`. */
  readonly separator: string
  /** How a name starts that is looked for from the file itself: `dots` (Python), `slashes` (./ and ../), `keywords` (crate, self, super), `paths` (of files, from the folder of the file or one above it), or `none`. */
  readonly relative: 'dots' | 'slashes' | 'keywords' | 'paths' | 'none'
  /** Extensions of a module's file, in the order in which they are tried. */
  readonly extensions: readonly string[]
  /** Extensions of files that others include: of other files, only what is defined and not private is seen elsewhere. */
  readonly headers?: readonly string[]
  /** Index files of a folder, without extension. */
  readonly index: readonly string[]
  /** Which files see each other's names without importing them: none, those of one folder, or all of the language. */
  readonly scope: 'file' | 'folder' | 'corpus'
  /** What an import names: a module's file, a folder of files, or a definition inside a module. */
  readonly names: 'file' | 'folder' | 'definition'
}

/** The fields of one chunk type: the type of each. */
type ChunkFields = Readonly<Record<string, 'string' | 'list'>>

/** Structure as data: the chunk types of a language with their fields, and how its names work. */
export interface Format {
  readonly language: string
  /** File extensions, each with the grammar that reads it. */
  readonly grammars: Readonly<Record<string, string>>
  readonly chunk_types: Readonly<Record<string, { readonly fields: ChunkFields }>>
  /** Names of the object that a function belongs to, inside it: `self`, `this`. */
  readonly self: readonly string[]
  /** Whether members of the class around a function are used by their bare names. */
  readonly bare_members?: boolean
  /** A text that the grammar reads once before V8 may optimize it: for lexers that take V8's optimizer 600 MB. */
  readonly warm_up?: string
  /** Patterns of text that the grammar misreads, each by the character that replaces theirs in a second parse. */
  readonly misread?: Readonly<Record<string, string>>
  /** True if functions are never nested, so that a nested one was misread. */
  readonly flat_functions?: boolean
  /** Names that the language itself gives: never worth a relation. */
  readonly builtins: readonly string[]
  readonly modules: ModuleRules
}
