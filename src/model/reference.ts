// What do words refer to? Mentions in a text or a question, and their resolution.

interface MentionFacts {
  /** The catalogue that resolves it. */
  readonly resolvedIn: 'documents' | 'code'
  /** Does it add to the authority of its target? */
  readonly givesAuthority: boolean
}

const inDocuments = { resolvedIn: 'documents', givesAuthority: true } as const
const inCode = { resolvedIn: 'code', givesAuthority: false } as const

export const mentionForms = {
  /** A Markdown link of any form, an autolink, or `<a href>`. */
  link: inDocuments,
  /** `[[Page]]`, when configured. */
  wiki: inDocuments,
  /** A decision id such as ADR-013, in plain text. */
  id: inDocuments,
  image: { resolvedIn: 'documents', givesAuthority: false },
  /** A name that code calls, builds, extends or decorates with. */
  uses: inCode,
  /** A module that code imports. */
  import: inCode,
  /** The type that a function belongs to, if it is not the class around it. */
  class: inCode,
  /** `<script src>`. */
  script: inCode,
  /** Inline code of a document that may name a definition. */
  code: { resolvedIn: 'code', givesAuthority: true },
} as const satisfies Record<string, MentionFacts>

export type MentionForm = keyof typeof mentionForms

/** The forms with these facts. */
export const formsWhere = (isWanted: (facts: MentionFacts) => boolean): readonly MentionForm[] =>
  (Object.keys(mentionForms) as MentionForm[]).filter((form) => isWanted(mentionForms[form]))

/** Words that seem to point somewhere. */
export interface Mention {
  /** Canonical id of the artifact whose own text holds it. */
  readonly origin: string
  readonly form: MentionForm
  /** The visible words: link text, or the id as written. */
  readonly text: string
  /** What it points at, as written: a link target, or the id. */
  readonly target: string
  readonly line: number
}

export type UnresolvedReason = 'external' | 'missing' | 'ambiguous' | 'self'

/** What a mention turned out to mean. Failure is data. */
export type Resolution =
  | {
      readonly outcome: 'resolved'
      readonly path: string
      /** The section's canonical id where an anchor named one; null for the document as a whole. */
      readonly section: string | null
      /** The anchor as written, without `#`; null when there is none. */
      readonly anchor: string | null
      /** 0 to 1. */
      readonly confidence: number
      readonly method: string
    }
  | {
      readonly outcome: UnresolvedReason
      /** Paths that it could mean, when ambiguous. */
      readonly candidates: readonly string[]
    }
