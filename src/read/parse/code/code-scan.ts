// What does a grammar see in a file of code? Plain facts with offsets; nothing of the grammar's own objects is left in them.

/** UTF-16 offsets into the file. */
export interface CodeSpan {
  readonly start: number
  readonly end: number
}

export type DefinitionShape = 'function' | 'class' | 'type' | 'block' | 'script'

export interface Definition extends CodeSpan {
  readonly shape: DefinitionShape
  /** As written. */
  readonly name: string
  readonly nameStart: number
  /** Where the body starts: what is before it is the signature. */
  readonly body: number | null
  /** The documentation inside the body. */
  readonly doc: CodeSpan | null
  readonly bases: readonly string[]
  /** The type that a function belongs to, where the definition itself says so. */
  readonly owner: string | null
  /** A function only inside a class; anywhere else a part of what is around it. */
  readonly onlyMember: boolean
  /** Only its own file sees it. */
  readonly isPrivate: boolean
  /** Its end is not known: the grammar lost its way in it. */
  readonly isOpen: boolean
}

/** A name and where it stands. */
export interface PlacedName {
  readonly name: string
  readonly at: number
}

/** A name whose class is plain to see: `x = Server()` has `as` Server. */
export interface TypedName extends PlacedName {
  readonly as: string
}

export interface ImportedName extends CodeSpan {
  readonly local: string
  readonly module: string
  /** `*` for all names, null for the module itself. */
  readonly name: string | null
}

export interface ExportedName {
  readonly name: string
  readonly module: string | null
  readonly from: string | null
}

/** A place between two statements; lower levels are further out. */
export interface StatementStart {
  readonly at: number
  readonly level: number
}

export interface CodeScan {
  /** True when the grammar could not make sense of a part. */
  readonly hasError: boolean
  readonly definitions: readonly Definition[]
  /** Names that statements of the module bind. */
  readonly variables: readonly PlacedName[]
  /** Names that are other names; `as` is the other. */
  readonly aliases: readonly TypedName[]
  readonly moduleDoc: CodeSpan | null
  readonly comments: readonly CodeSpan[]
  /** Lines of a preprocessor: `#endif` belongs to what is above it, any other to what is below. */
  readonly directives: readonly PlacedName[]
  readonly uses: readonly PlacedName[]
  readonly locals: readonly PlacedName[]
  /** Names that a function takes from the module although it binds them. */
  readonly globals: readonly PlacedName[]
  readonly typed: readonly TypedName[]
  readonly imports: readonly ImportedName[]
  readonly exports: readonly ExportedName[]
  /** Targets of scripts that a page loads. */
  readonly scripts: readonly PlacedName[]
  /** Inside what is too long for one piece. */
  readonly statements: readonly StatementStart[]
}

/** Reads one language. Null when a text takes too much work, or breaks the grammar. */
export type CodeReader = (text: string) => CodeScan | null
