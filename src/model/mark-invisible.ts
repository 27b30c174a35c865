// Which characters can a reader not see, and how does a digest show them? As marks like ⟦U+202E⟧ that read back exactly.

/** Controls, format and bidi characters, lone surrogates, line and paragraph separators, fillers, tags, variation selectors. */
const invisible = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n]]/gv
/** A `⟦` that would read as the start of a mark is marked too: then every `⟦U+` of the output is a mark. */
const invisibleOrMark =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n]]|⟦(?=U\+)/gv
const mark = /⟦U\+([0-9A-F]{4,6})⟧/g

/** Shows every invisible character but tabs and line feeds. `unmarkInvisible` gives back the exact text. */
export function markInvisible(text: string): string {
  return text.replace(invisibleOrMark, (char, at: number) =>
    isInEmoji(text, at, char) ? char : markOf(char),
  )
}

/** The same for text that must stay on one line. */
export function markOneLine(text: string): string {
  return markInvisible(text).replace(/[\t\n]/g, markOf)
}

/** Inverts `markInvisible` and `markOneLine`. */
export function unmarkInvisible(text: string): string {
  return text.replace(mark, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code > 0x10ffff ? whole : String.fromCodePoint(code)
  })
}

/** Writes the invisible characters of a JSON text as `\uXXXX`; parsing gives them back. */
export function escapeInvisibleJson(json: string): string {
  return json.replace(invisible, (char, at: number) => {
    if (isInEmoji(json, at, char)) return char
    let escaped = ''
    for (let unit = 0; unit < char.length; unit++) {
      escaped += `\\u${char.charCodeAt(unit).toString(16).padStart(4, '0')}`
    }
    return escaped
  })
}

/** A long text repeats few invisible characters. */
const marks = new Map<string, string>()

function markOf(char: string): string {
  const known = marks.get(char)
  if (known !== undefined) return known
  const made = `⟦U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`
  marks.set(char, made)
  return made
}

/** Joiners and emoji selectors stay where they make one picture of several characters. */
function isInEmoji(text: string, at: number, char: string): boolean {
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
