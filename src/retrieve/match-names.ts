// Which names, files and lines does a question mention, and where do they stand in a text? Definitions, calls, stack traces.

/** `Task.cancel()` is `cancel` of `Task`. */
export function nameParts(identifier: string): string[] {
  return identifier.replace(/\(\)$/, '').split(/\.|::|#/)
}

export function lastName(identifier: string): string {
  return nameParts(identifier).at(-1) as string
}

/** Files that declare and never call. */
export const declares = /\.(?:h|hh|hpp|hxx|pyi|d\.[cm]?ts)$/

/** A file that a question names by at least its folder and name, with a line where it has one. */
export interface NamedPlace {
  readonly path: string
  readonly line: number | null
}

/** As many are looked at: a long trace repeats itself. */
const MOST_PLACES = 20

/** `lib/core/connect.js:146`, `/srv/app/node_modules/x/lib/a.js:10:3`, `File "a/b.py", line 12`. */
export function findPlaces(question: string): NamedPlace[] {
  const pattern = /((?:[\w.@+-]{1,80}\/){1,20}[\w.@+-]{1,80}\.\w{1,8})(?:"?, line (\d{1,7})|:(\d{1,7}))?/g
  return [...question.slice(0, 8_000).matchAll(pattern)]
    .slice(0, MOST_PLACES)
    .map(([, path, after, line]) => ({
      path: path as string,
      line: after === undefined && line === undefined ? null : Number(after ?? line),
    }))
}

/** Is one of them the end of the other, by whole names, at least a folder and a file? */
export function endsAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.includes('/') && long.endsWith(`/${short}`)
}

/** Is a name called anywhere: `name(`, `name::<T>(`, `name<T>(`? */
export function isCalled(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (isWordCharacter(text[at - 1])) continue
    if (/^(?:(?:::)?<[^<>()]{0,60}>)?\(/.test(text.slice(at + name.length, at + name.length + 70)))
      return true
  }
  return false
}

function isWordCharacter(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_$]/u.test(char)
}

/** The first place where a word stands by itself; -1 for none. */
export function findWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return at
  return -1
}

/** The name itself, with as many of the classes around it as the question has. */
export function isNamed(
  {
    name,
    headings,
    level,
  }: { readonly name: string; readonly headings: readonly string[]; readonly level: number },
  parts: readonly string[],
): boolean {
  if (level === 0 || name !== parts.at(-1)) return false
  const names = headings.flatMap((heading) => heading.split('.'))
  const shared = Math.min(parts.length, names.length)
  return parts.slice(-shared).every((part, index) => names[names.length - shared + index] === part)
}
