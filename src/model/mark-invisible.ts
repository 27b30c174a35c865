// Which characters can a reader not see, and how does a digest show them? As marks like ⟦U+202E⟧ that read back exactly.
import { remember } from './remember.ts'

/** Controls, format and bidi characters, lone surrogates, line and paragraph separators, fillers, tags, variation selectors. */
const invisible = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n]]/gv
/** Anything but the visible characters of most texts. */
const unusual =
  /[^\t\n -~\xa1-\xac\xae-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u27bf\u3001-\u3163\u4e00-\u9fff]/
/** A `⟦` that would read as the start of a mark is marked too: then every `⟦U+` of the output is a mark. */
const invisibleOrMark =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n]]|⟦(?=U\+)/gv
/** Letters whose spelling needs joiners between them: those of Arabic and Indic scripts. */
const joining =
  /[\p{sc=Arab}\p{sc=Beng}\p{sc=Deva}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Khmr}\p{sc=Mlym}\p{sc=Mymr}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}]/u
/** C0 but tab and newline, DEL, C1, and the marks that reorder or hide text. */
export const unprintable: RegExp = new RegExp(
  String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|(?<!${joining.source})[\u200c\u200d]|[\u200c\u200d](?!${joining.source})`,
  'gu',
)
const mark = /⟦U\+([0-9A-F]{4,6})⟧/g

/** Shows every invisible character but tabs and line feeds. `unmarkInvisible` gives back the exact text. */
export function markInvisible(text: string): string {
  if (!unusual.test(text)) return text
  return text.replace(invisibleOrMark, (char, at: number) =>
    isSpelling(text, at, char) ? char : markOf(char),
  )
}

/** The same for text that must stay on one line. */
export const markOneLine = (text: string): string => markInvisible(text).replace(/[\t\n]/g, markOf)

/** Inverts `markInvisible` and `markOneLine`. */
export const unmarkInvisible = (text: string): string =>
  text.replace(mark, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code > 0x10ffff ? whole : String.fromCodePoint(code)
  })

/** Writes the invisible characters of a JSON text as `\uXXXX`; parsing gives them back. */
export function escapeInvisibleJson(json: string): string {
  return json.replace(invisible, (char, at: number) => {
    if (isSpelling(json, at, char)) return char
    let escaped = ''
    for (let unit = 0; unit < char.length; unit++)
      escaped += `\\u${char.charCodeAt(unit).toString(16).padStart(4, '0')}`

    return escaped
  })
}

/** A long text repeats few invisible characters. */
const markOf = remember(
  (char: string) => `⟦U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`,
)

/** Joiners and emoji selectors stay where a script needs them, or where they make one picture of several characters. */
function isSpelling(text: string, at: number, char: string): boolean {
  if (char === '\u200c' || char === '\u200d')
    if (joining.test(text.charAt(at - 1)) && joining.test(text.charAt(at + 1))) return true

  if (char !== '\u200d' && char !== '\ufe0e' && char !== '\ufe0f') return false
  if (text.charAt(at - 1) === char) return false
  const after = text.slice(at + 1, at + 3)
  if (char === '\u200d') {
    const before = text.slice(Math.max(0, at - 4), at)
    return (
      /\p{Extended_Pictographic}(?:\ufe0f|[\u{1f3fb}-\u{1f3ff}])?$/u.test(before) &&
      /^\p{Extended_Pictographic}/u.test(after)
    )
  }
  if (/\p{Extended_Pictographic}$/u.test(text.slice(Math.max(0, at - 2), at))) return true
  return after.startsWith('\u20e3') && /[0-9]/.test(text.charAt(at - 1))
}

/** At most this many characters, and no half of one. */
export function cut(line: string, most: number): string {
  if (line.length <= most) return line
  const kept = line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  return `${kept.trimEnd()}…`
}

/** One line of bounded length. */
export const clip = (text: string, most = 120): string => cut(markOneLine(text), most)

/** The escape of a character in JSON and JavaScript. */
export const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
