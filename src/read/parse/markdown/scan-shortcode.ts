// What does a Hugo shortcode say? Its name and values, from `{{< name "value" key="value" >}}` or `{{% … %}}`.

interface Shortcode {
  readonly name: string
  readonly positional: readonly string[]
  readonly named: ReadonlyMap<string, string>
  /** Offset after its last character. */
  readonly end: number
}

const quotes = '"\'`'

/** Reads the shortcode at an offset; null if there is none or if it never ends. */
export function scanShortcode(text: string, at: number): Shortcode | null {
  const end = shortcodeEnd(text, at)
  if (end === -1) return null
  const [name, ...words] = readWords(text.slice(at + 3, end - 3))
  const positional: string[] = []
  const named = new Map<string, string>()
  for (const { key, value } of words)
    if (key === null) positional.push(value)
    else named.set(key, value)

  return { name: name?.value ?? '', positional, named, end }
}

const pointing = ['ref', 'relref', 'glossary_', 'link']

/** Could the shortcode at an offset have a target? Most do not, and their values need not be read. */
export function mayPoint(text: string, at: number): boolean {
  const start = skipSpaces(text, at + 3)
  return pointing.some((name) => text.startsWith(name, start))
}

/** Where the shortcode at an offset ends; -1 if it does not. */
export function shortcodeEnd(text: string, at: number): number {
  const mark = shortcodeMark(text, at)
  if (mark === null) return -1
  const close = findClose(text, at + 3, `${mark === '<' ? '>' : '%'}}}`)
  return close === -1 ? -1 : close + 3
}

function shortcodeMark(text: string, at: number): '<' | '%' | null {
  if (text.charCodeAt(at) !== 123 || text.charCodeAt(at + 1) !== 123) return null
  const mark = text[at + 2]
  return mark === '<' || mark === '%' ? mark : null
}

/** The next shortcode ends the search, so a run of open ones costs one pass in total. */
function findClose(text: string, from: number, close: string): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === close.charCodeAt(0) && text.startsWith(close, at)) return at
    if (code === 123 && text.charCodeAt(at + 1) === 123) return -1
  }
  return -1
}

interface ShortcodeWord {
  readonly key: string | null
  readonly value: string
}

function readWords(inner: string): ShortcodeWord[] {
  const words: ShortcodeWord[] = []
  let at = 0
  while (at < inner.length) {
    if (isSpace(inner, at)) {
      at++
      continue
    }
    let key: string | null = null
    let value = readValue(inner, at)
    let next = skipSpaces(inner, value.end)
    if (!value.quoted && inner[next] === '=') {
      next = skipSpaces(inner, next + 1)
      key = value.text
      value = readValue(inner, next)
    }
    words.push({ key, value: value.text })
    at = Math.max(value.end, at + 1)
  }
  return words
}

function readValue(inner: string, at: number): { text: string; end: number; quoted: boolean } {
  const quote = inner[at] ?? ''
  if (quote !== '' && quotes.includes(quote)) {
    let end = at + 1
    while (end < inner.length && inner[end] !== quote) end += inner[end] === '\\' ? 2 : 1
    return { text: inner.slice(at + 1, end).replaceAll(`\\${quote}`, quote), end: end + 1, quoted: true }
  }
  let end = at
  while (end < inner.length && !isSpace(inner, end) && inner[end] !== '=') end++
  return { text: inner.slice(at, end), end, quoted: false }
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text, at)) at++
  return at
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || (code >= 9 && code <= 13)
}

/**
 * The target of a shortcode: `ref:` for Hugo's page look-up, `glossary:` for a glossary
 * term, a plain target for the rest. Null for a shortcode without a target.
 */
export function shortcodeTarget(code: Shortcode): string | null {
  const value = (key: string): string | null => code.named.get(key) ?? null
  switch (code.name) {
    case 'ref':
    case 'relref':
      return prefixed('ref:', value('path') ?? code.positional[0] ?? null)
    case 'glossary_tooltip':
    case 'glossary_definition':
      return prefixed('glossary:', value('term_id'))
    case 'link':
      return value('url')
    default:
      return null
  }
}

const prefixed = (prefix: string, value: string | null): string | null =>
  value === null || value === '' ? null : prefix + value

/** The target of a link whose destination starts with a shortcode; any other destination stays as written. */
export function expandTarget(destination: string): string {
  const code = scanShortcode(destination, skipSpaces(destination, 0))
  const target = code === null ? null : shortcodeTarget(code)
  return target === null ? destination : target + destination.slice(code!.end).trim()
}
