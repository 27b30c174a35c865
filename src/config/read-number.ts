// Which number do these characters write? Plain decimal notation only: no hex, no exponents, no blanks.

/** The number that `text` writes, or null. */
export function readNumber(text: string): number | null {
  if (text.length > 20 || !/^-?\d+(\.\d+)?$/.test(text)) return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}
