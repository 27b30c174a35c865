// What is a format? One function from bytes to Markdown, with the places of its lines: everything else is the Markdown way.
import type { TextPlace } from '../../model/source-file.ts'

/** What a document says of itself; it becomes the frontmatter of the text. */
export interface ExtractedMetadata {
  readonly title?: string
  readonly authors?: readonly string[]
  readonly year?: number
}

/** What a reader gives. The text is a function of the bytes alone. */
export interface Extraction {
  readonly text: string
  /** By line, each from its line to the next one's. */
  readonly places: readonly TextPlace[]
  readonly metadata: ExtractedMetadata
  /** What a person should know: `page 4: no text`. */
  readonly warnings: readonly string[]
}

/** A format is read in a thread of its own, where it may fail in any way. */
export interface FormatReader {
  read(bytes: Uint8Array): Extraction | Promise<Extraction>
}

/** The bytes are not what their name promises, or more than may be read; the message is one plain clause. */
export class UnreadableFormat extends Error {
  readonly reason: 'parse-failed' | 'too-large' | 'needs-package'

  constructor(message: string, reason: UnreadableFormat['reason'] = 'parse-failed') {
    super(message)
    this.reason = reason
  }
}
