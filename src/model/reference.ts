// What do words refer to? Mentions in a text or a question, and their resolution.

export type MentionForm =
  /** A Markdown link of any form, an autolink, or `<a href>`. */
  | 'link'
  /** `[[Page]]`, when configured. */
  | 'wiki'
  /** A decision id such as ADR-013, in plain text. */
  | 'id'
  | 'image'
  /** A name that code calls, builds, extends or decorates with. */
  | 'uses'
  /** A module that code imports. */
  | 'import'
  /** The type that a function belongs to, where that is not the class around it. */
  | 'class'
  /** `<script src>`. */
  | 'script'
  /** Inline code of a document that may name a piece of code. */
  | 'code'

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
      /** Path of the document. */
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
