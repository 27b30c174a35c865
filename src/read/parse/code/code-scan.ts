// What does a grammar find in a code file? Facts with offsets, independent of the grammar's objects.
import type { OutlineExport, OutlineImport } from '../../../model/code.ts'

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
  /** Start of the body; the text before it is the signature. */
  readonly body: number | null
  /** The documentation inside the body. */
  readonly doc: CodeSpan | null
  readonly bases: readonly string[]
  /** The type that a function belongs to, if the definition names it. */
  readonly owner: string | null
  /** A function only inside a class; elsewhere part of the surrounding code. */
  readonly onlyMember: boolean
  /** Visible only in its own file. */
  readonly isPrivate: boolean
  /** A test by its attributes or its keyword. */
  readonly isTest: boolean
  /** Joined with the definition of the same name before it. */
  readonly isClause: boolean
  /** Its end is unknown, because the grammar lost its way. */
  readonly isOpen: boolean
}

/** A name and its position. */
export interface PlacedName {
  readonly name: string
  readonly at: number
  /** It is called: `(` follows. */
  readonly isCall?: boolean
}

/** A name whose class is evident: `x = Server()` has `as` Server. */
export interface TypedName extends PlacedName {
  readonly as: string
}

export type ImportedName = CodeSpan &
  OutlineImport & { /** Inside an expression. */ readonly isInline?: boolean }

/** A position between two statements; lower levels are further out. */
export interface StatementStart {
  readonly at: number
  readonly level: number
}

export interface CodeScan {
  /** True if the grammar could not parse a part. */
  readonly hasError: boolean
  readonly definitions: readonly Definition[]
  /** Names that statements of the module bind. */
  readonly variables: readonly PlacedName[]
  /** Names that are aliases; `as` is the other name. */
  readonly aliases: readonly TypedName[]
  readonly moduleDoc: CodeSpan | null
  /** The name in its package clause. */
  readonly package: string | null
  readonly comments: readonly CodeSpan[]
  /** Preprocessor lines: `#endif` belongs to the text above it, any other to the text below. */
  readonly directives: readonly PlacedName[]
  readonly uses: readonly PlacedName[]
  /** Names in expressions; uses if the file defines or imports them. */
  readonly values: readonly PlacedName[]
  readonly locals: readonly PlacedName[]
  /** Names that a function takes from the module although it binds them. */
  readonly globals: readonly PlacedName[]
  readonly typed: readonly TypedName[]
  readonly imports: readonly ImportedName[]
  readonly exports: readonly OutlineExport[]
  /** Targets of scripts that a page loads. */
  readonly scripts: readonly PlacedName[]
  /** Positions inside text that is too long for one piece. */
  readonly statements: readonly StatementStart[]
}

/** Reads one language. Null if a text takes too much work or breaks the grammar. */
export interface CodeReader {
  (text: string): CodeScan | null
  /** The colour of each character, as a number of colour-code.ts. */
  readonly colour: (text: string) => Uint8Array | null
}
