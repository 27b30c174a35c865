// What is a format? A function from bytes to Markdown with the position of each line in the original file.
import type { TextPlace } from '../../model/source-file.ts'

/** Metadata of a document, which becomes the frontmatter of the text. */
export interface ExtractedMetadata {
  readonly title?: string
  readonly authors?: readonly string[]
  readonly year?: number
}

/** The result of a reader. The text depends on the bytes only. */
export interface Extraction {
  readonly text: string
  /** By line, each from its line to the next one's. */
  readonly places: readonly TextPlace[]
  readonly metadata: ExtractedMetadata
  /** Notes for the user: `page 4: no text`. */
  readonly warnings: readonly string[]
}

/** A reader runs in a thread of its own and may fail in any way. */
export interface FormatReader {
  read(bytes: Uint8Array): Extraction | Promise<Extraction>
}

/** The bytes do not match their extension, or exceed a limit; the message is one plain clause. */
export class UnreadableFormat extends Error {
  readonly reason: 'parse-failed' | 'too-large'

  constructor(message: string, reason: UnreadableFormat['reason'] = 'parse-failed') {
    super(message)
    this.reason = reason
  }
}
