// What is a file as it was read? The unit of hashing, freshness and deletion.
import type { CodeLanguage } from './code-languages.ts'

/** Languages that have a rulebook; `text` is prose other than Markdown. */
export type RuledLanguage = 'markdown' | 'text' | CodeLanguage

/** Languages that yore reads; `generic` is any other text, such as configuration: found, and never expanded. */
export type Language = RuledLanguage | 'generic'

/** A file of the corpus, decoded. `path` is relative to the corpus root and always uses `/`. */
export interface SourceFile {
  readonly path: string
  readonly language: Language
  /** Decoded text; line endings as in the file. */
  readonly text: string
  /** SHA-256 of the file's bytes, hex. */
  readonly contentHash: string
  /** Milliseconds since 1970 of the last commit that touched the file, or of the file itself outside git. */
  readonly modifiedAt: number
}

/** What the file system says about a file: enough to know that it has not changed. */
export interface FileStamp {
  readonly path: string
  readonly size: number
  /** mtime in milliseconds, with the fraction that the file system gives. */
  readonly mtime: number
  /** ctime, likewise, and inode: a file that was edited or replaced shows it here, whatever mtime it was given. */
  readonly ctime: number
  readonly inode: number
}

/** The position in the original file from a line of an extracted text on: `p. 12`, `slide 3`, `cell 7`. */
export interface TextPlace {
  /** From 1. */
  readonly line: number
  readonly place: string
}

/** Where a secret was hidden in a text. */
export interface Mask {
  /** From 1. */
  readonly line: number
  /** What it is by its form, for example `github-token`. */
  readonly kind: string
}

/** Why a file of the corpus is not in the index. */
export type SkipReason =
  | 'ignored'
  | 'unsupported'
  | 'too-large'
  | 'binary'
  | 'long-line'
  | 'secret'
  | 'unreadable'
  | 'outside-root'
  | 'unusual-name'
  | 'parse-failed'
  /** The index refused its rows. */
  | 'not-stored'
  /** What a package manager wrote for itself. */
  | 'lock-file'
  | 'minified'
  | 'source-map'
  /** Numbers, encoded bytes, tables, lists of words, records without end. */
  | 'data'
  | 'translation'
  /** Written by yore itself: a digest that quotes the corpus would displace its own sources. */
  | 'digest'
  /** Written by `yore setup` for an agent: it speaks of yore, not of the corpus. */
  | 'guide'
  /** Of `yore eval`: its questions would find themselves. */
  | 'evaluation'

export interface SkippedFile {
  readonly path: string
  readonly reason: SkipReason
  /** One plain sentence: what was seen, for example `3.1 MB, the limit is 2 MB`. */
  readonly detail: string
  /** As it was read, when its own bytes were the reason: while it stays the same it is not opened again. */
  readonly seen?: Omit<FileStamp, 'path'>
}
