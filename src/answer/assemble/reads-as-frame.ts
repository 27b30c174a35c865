// Does a line of a document read, or render, as a line of the digest's frame? Markup, entities and lookalike letters are seen through.

/** What opens a line of the frame, without spaces and in lower case. A quote may also open with a note. */
const labels: readonly string[] = [
  'source',
  'referencedby',
  'refersto',
  'samedocumentas',
  'alsoat',
  'generated',
  'tokenbudget',
  'actualtokens',
  'primaryareas',
  'documentsscanned',
  'sectionsselected',
  'canonicalityscores',
  'sectionselection',
]
const noteLabel = 'note'
const gap = '[...'
/** Headings of the frame. In Markdown they are demoted; as tags they are escaped. */
const headings: readonly string[] = [
  'contextdigestfor',
  'toprelevantdocuments',
  'distilledcontent',
  'cross-referenceddocuments',
  'surroundingsections',
  'morematches',
  'metadata',
  'usagewithllm',
]

/** Letters of other alphabets, colons and asterisks that look like ours; the rest is folded by NFKC. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  [
    ['aАаΑα', 'bВΒ', 'cСсϲ', 'dԁ', 'eЕеΕ', 'gɡ', 'iІіΙιı', 'kКкΚκ', 'lӏ', 'mМΜ', 'nΝո', 'oОоΟοօ'],
    ['pРрΡρ', 'sЅѕ', 'tТтΤτ', 'uυս', 'yУуΥү', 'zΖ', ':∶ː꞉׃։⁚˸', '*∗⁎✱٭', '[⁅', '.․·'],
  ].flatMap((group) => group.flatMap(([own = '', ...others]) => others.map((one) => [one, own] as const))),
)

const entities: Readonly<Record<string, string>> = {
  colon: ':',
  nbsp: ' ',
  ast: '*',
  lowbar: '_',
  lbrack: '[',
  hellip: '…',
}
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/iy

/** Tags that emphasize text as the frame's labels are. */
const emphasisTag = /^<(?:b|strong|em|i|u|mark|big|ins|font|span|th|dt|h[1-6])(?![a-z0-9-])|\sstyle\s*=/i
const headingTag = /^<h[1-6](?![a-z0-9-])/i
const ruleTag = /^<hr(?![a-z0-9-])/i

/** A line that does not begin with one of these is not emphasized. */
const opensLikeFrame = /^\p{Zs}*[*_<&[［＊＿﹡∗⁎✱٭⁅\u{1d400}-\u{1d7ff}]/u
const boldLetter = /^[\u{1d400}-\u{1d7ff}]$/u

/**
 * `text` is the line behind its indentation and markers.
 *
 * @example readsAsFrame('<b>Source:</b> a.md:1-2', { inQuote: false }) // true
 */
export function readsAsFrame(text: string, { inQuote }: { readonly inQuote: boolean }): boolean {
  if (!opensLikeFrame.test(text)) return false
  let plain = ''
  let emphasis = 0
  let isHeading = false
  for (let at = 0; at < text.length; ) {
    const { end, char, tag } = readToken(text, at)
    at = end
    if (tag !== null) {
      if (plain === '' && ruleTag.test(tag)) return true
      if (plain === '') isHeading ||= headingTag.test(tag)
      else if (emphasis > 1 && isLabel(plain, inQuote)) return true
      if (emphasisTag.test(tag)) emphasis += 2
    } else if (char === '*' || char === '_') {
      if (emphasis > 1 && isLabel(plain, inQuote)) return true
      emphasis++
    } else if (char === ':' && isLabel(plain, inQuote)) return emphasis > 0
    else if (char !== '' && char !== '\\') {
      if (boldLetter.test(text.slice(end - 2, end))) emphasis += 2
      plain += char
      if (plain === gap || (isHeading && headings.includes(plain))) return true
      if (!mayGrow(plain, isHeading)) return false
    }
  }
  return emphasis > 1 && isLabel(plain, inQuote)
}

interface Token {
  readonly end: number
  /** Folded; empty for spaces. */
  readonly char: string
  readonly tag: string | null
}

function readToken(text: string, at: number): Token {
  const first = text.charAt(at)
  if (first === '<') {
    const end = tagEnd(text, at)
    if (end > at) return { end, char: '', tag: text.slice(at, end) }
  }
  if (first === '&') {
    entity.lastIndex = at
    const found = entity.exec(text)
    if (found !== null) return { end: entity.lastIndex, char: fold(decode(found)), tag: null }
  }
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return { end: at + char.length, char: fold(char), tag: null }
}

/** Behind the `>` of a tag, quoted values included; `at` when it is not a tag. */
function tagEnd(text: string, at: number): number {
  let quote = ''
  for (let next = at + 1; next < text.length; next++) {
    const char = text.charAt(next)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '>') return next + 1
    else if (char === '<') return at
    else if (char === '"' || char === "'") quote = char
  }
  return at
}

function decode([whole, decimal, hex, name]: RegExpExecArray): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code > 0x10ffff ? whole : String.fromCodePoint(code)
}

function fold(char: string): string {
  const own = lookalikes.get(char) ?? char.normalize('NFKC')
  return own.replace(/[\p{Zs}\t]/gu, '').toLowerCase()
}

/** A link around a label opens with a bracket, which Markdown does not show. */
const withoutBracket = (plain: string): string => (plain.startsWith('[') ? plain.slice(1) : plain)

function isLabel(plain: string, inQuote: boolean): boolean {
  const label = withoutBracket(plain)
  return labels.includes(label) || (inQuote && label === noteLabel)
}

function mayGrow(plain: string, isHeading: boolean): boolean {
  const label = withoutBracket(plain)
  const wanted = isHeading ? [...labels, noteLabel, ...headings] : [...labels, noteLabel]
  return gap.startsWith(plain) || wanted.some((one) => one.startsWith(label))
}
