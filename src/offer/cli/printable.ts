// What may be printed on a terminal? Text without control characters: a document must not move the cursor.

// C0 but tab and newline, DEL, C1, and the marks that reorder or hide text.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** The text with every control character written as its code. A carriage return before a newline is dropped. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unprintable, escapeCharacter)
}

/** The text on one line. */
export function oneLine(text: string): string {
  return printable(text).replaceAll(/[\n\t]/g, ' ')
}

/** JSON with the control characters escaped that JSON leaves raw. */
export function printableJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, escapeCharacter)}\n`
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
