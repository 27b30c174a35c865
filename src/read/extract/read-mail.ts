// What is in a message or a mailbox? Sender, recipients, date, subject and text; attachments by name only.
import type { Address, Email } from 'postal-mime'
import type { ExtractedMetadata, FormatReader } from './format.ts'
import { UnreadableFormat } from './format.ts'
import { writePage } from './read-html.ts'
import { MarkdownWriter, oneLine, unifyEnds, yearOf } from './write-markdown.ts'

const packageName = 'postal-mime'

/** Limit per mailbox, with embedded messages. */
const MOST_MESSAGES = 20_000
/** Limit on nested messages: deeper ones are attachments. */
const MOST_CARRIED = 3
/** Limit on listed recipients and attachments: the rest is counted. */
const MOST_NAMES = 20
/** Limit on a quoted message, which is usually present elsewhere in full. */
const MOST_QUOTED = 40

type Parse = (bytes: Uint8Array, options: object) => Promise<Email>

async function loadParser(): Promise<Parse> {
  try {
    const name: string = packageName
    return ((await import(name)) as { default: { parse: Parse } }).default.parse
  } catch {
    throw new UnreadableFormat(
      `e-mail is read by a package that is not installed: npm install ${packageName}`,
      'needs-package',
    )
  }
}

function headerOf({ headers }: Email, key: string): string {
  return oneLine(headers.find((header) => header.key === key)?.value ?? '')
}

function nameAddress({ name, address, group }: Address): string {
  if (group !== undefined) return `${oneLine(name)} (${group.length})`
  return name === '' || name === address ? oneLine(address) : `${oneLine(name)} (${oneLine(address)})`
}

function listNames(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? [`and ${names.length - MOST_NAMES} more`] : []
  return [...names.slice(0, MOST_NAMES), ...more].join(', ')
}

/** Embedded messages, as in forwarding, and other attachments. */
function splitAttachments({ attachments }: Email): {
  readonly carried: readonly Uint8Array[]
  readonly names: readonly string[]
} {
  const carried: Uint8Array[] = []
  const names: string[] = []
  for (const { mimeType, content, filename, related } of attachments)
    if (mimeType === 'message/rfc822' && typeof content !== 'string') carried.push(new Uint8Array(content))
    // Inline images have meaningless names.
    else if (related !== true) names.push(oneLine(filename ?? mimeType))
  return { carried, names }
}

/** Where mail programs append the answered message without marking its lines. */
const historyBegins = /^(?:-{2,} ?(?:original message|forwarded message|forwarded by .*) ?-{2,}|_{20,})$/i

/** The lines, with quoted messages up to their limit. */
function shortenQuotes(lines: readonly string[]): string[] {
  const kept: string[] = []
  let quoted = 0
  let isHistory = false
  const endQuote = (): void => {
    if (quoted > MOST_QUOTED) kept.push(`(${quoted - MOST_QUOTED} more quoted lines)`, '')
    quoted = 0
  }
  for (const line of lines) {
    const shown = line.trim()
    const isBlank = shown === ''
    isHistory ||= historyBegins.test(shown)
    if (isHistory || line.startsWith('>')) quoted += isBlank ? 0 : 1
    else if (!isBlank) endQuote()
    if (quoted <= MOST_QUOTED) kept.push(line)
  }
  endQuote()
  return kept
}

/** Paragraphs, with patches as code, up to the signature. */
function writeText(writer: MarkdownWriter, text: string): void {
  let gathered: string[] = []
  let isPatch = false
  const flush = (): void => {
    if (isPatch) writer.code(gathered.join('\n'), 'diff')
    else writer.paragraph(gathered)
    gathered = []
  }
  for (const line of shortenQuotes(unifyEnds(text).split('\n'))) {
    const starts: boolean = !isPatch && line.startsWith('diff --git ')
    const ends = isPatch && /^--\s*$/.test(line)
    const isBlank = line.trim() === ''
    if (starts || ends || (!isPatch && isBlank)) flush()
    if (starts || ends) isPatch = starts
    if (isPatch || !isBlank) gathered.push(line)
  }
  flush()
}

/** Writes messages in sequence, each with its number. */
class MailReader {
  readonly writer: MarkdownWriter = new MarkdownWriter()
  readonly #parse: Parse
  #messages = 0

  constructor(parse: Parse) {
    this.#parse = parse
  }

  /** Messages of a mailbox and embedded ones have their subject as heading. Throws UnreadableFormat. */
  async read(bytes: Uint8Array, place: string, depth: number): Promise<ExtractedMetadata> {
    if (++this.#messages > MOST_MESSAGES)
      throw new UnreadableFormat(`it holds more than ${MOST_MESSAGES} messages`, 'too-large')
    const email = await this.#parse(bytes, { forceRfc822Attachments: true })
    const { writer } = this
    const subject = oneLine(email.subject ?? '')
    writer.at(place)
    writer.headingShift = 0
    if (depth > 0) writer.heading(depth, subject === '' ? 'Without a subject' : subject)
    const { carried, names } = splitAttachments(email)
    const isRead = depth <= MOST_CARRIED
    const attached = [...names, ...(isRead ? [] : carried.map(() => 'message/rfc822'))]
    const facts = {
      From: email.from === undefined ? '' : nameAddress(email.from),
      To: listNames((email.to ?? []).map(nameAddress)),
      Cc: listNames((email.cc ?? []).map(nameAddress)),
      // As written: a date without a zone would differ between machines.
      Date: headerOf(email, 'date'),
      Attachments: listNames(attached),
    }
    const shown = Object.entries(facts).filter(([, value]) => value !== '')
    if (depth === 0 && subject === '' && headerOf(email, 'message-id') === '' && shown.length === 0)
      throw new UnreadableFormat('it is not an e-mail: it has no subject, sender or date')
    writer.paragraph(shown.map(([name, value]) => `${name}: ${value}`))
    writer.headingShift = depth
    if (email.text !== undefined && email.text.trim() !== '') writeText(writer, email.text)
    else if (email.html !== undefined) writePage(email.html, writer, 'html', () => place)
    for (const [at, message] of isRead ? carried.entries() : [])
      await this.read(message, `${place}.${at + 1}`, depth + 1)
    return {
      ...(subject === '' ? {} : { title: subject }),
      authors: email.from === undefined ? [] : [email.from.name || (email.from.address ?? '')],
      ...yearOf(facts.Date),
    }
  }
}

export const eml: FormatReader = {
  async read(bytes) {
    const reader = new MailReader(await loadParser())
    const metadata = await reader.read(bytes, 'message 1', 0)
    return reader.writer.finish(metadata)
  },
}

/** The line between messages names a sender and a time; not all programs put an empty line before it. */
const separator = /^From \S.{0,200} \d\d?:\d\d(?::\d\d)? .{0,20}(?:19|20)\d\d.{0,10}$/gm

export const mbox: FormatReader = {
  async read(bytes) {
    // Byte for byte, because each message declares its own encoding.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const starts = [...text.matchAll(separator)]
    if (text.slice(0, starts[0]?.index).trim() !== '') throw new UnreadableFormat('it is not a mailbox')
    const reader = new MailReader(await loadParser())
    const broken: number[] = []
    for (const [at, { index, 0: line }] of starts.entries()) {
      const message = text.slice(index + line.length, starts[at + 1]?.index).trimStart()
      const unquoted = message.replace(/^>(>*From )/gm, '$1')
      try {
        await reader.read(Buffer.from(unquoted, 'latin1'), `message ${at + 1}`, 1)
      } catch (error) {
        // Other messages are read even if one is damaged.
        if (error instanceof UnreadableFormat && error.reason === 'too-large') throw error
        broken.push(at + 1)
      }
    }
    if (broken.length === starts.length) throw new UnreadableFormat('none of its messages can be read')
    if (broken.length > 0)
      reader.writer.warnings.push(`messages that cannot be read: ${listNames(broken.map(String))}`)
    return reader.writer.finish()
  },
}
