// Which names, files and lines does a question mention, and where does a text contain them? Definitions, calls, stack traces.
import type { ArtifactRow } from '../../model/section.ts'
import { isWordCharacter } from '../../read/parse/code/code-names.ts'

/** `Task.cancel()` is `cancel` of `Task`. */
export const nameParts = (identifier: string): string[] => identifier.replace(/\(\)$/, '').split(/\.|::|#/)

export const lastName = (identifier: string): string => nameParts(identifier).at(-1) as string

/** Files of declarations without calls (`.d.ts`, headers). */
export const declares = /\.(?:h|hh|hpp|hxx|pyi|d\.[cm]?ts)$/

/** Files that declare what others implement: `types/`, `interfaces/`, `contracts/`, `.d.ts`, `.pyi`. */
export const declaresOnly: RegExp =
  /\.(?:d\.[cm]?ts|pyi)$|(?:^|\/)(?:types|interfaces|contracts)(?:\/|\.\w{1,8}$)/i

/** A file that a question names by at least its folder and name, with a line where it has one. */
export interface NamedPlace {
  readonly path: string
  readonly line: number | null
}

/** Maximum number of places read from a stack trace. */
const MOST_PLACES = 20

/** `lib/core/connect.js:146`, `/srv/app/node_modules/x/lib/a.js:10:3`, `File "a/b.py", line 12`, `blob/main/a/b.py#L12`. */
export function findPlaces(question: string): NamedPlace[] {
  const pattern = /((?:[\w.@+-]{1,80}\/){1,20}[\w.@+-]{1,80}\.\w{1,8})(?:(?:"?, line |:|#L)(\d{1,7}))?/g
  return [...question.slice(0, 8_000).matchAll(pattern)]
    .slice(0, MOST_PLACES)
    .map(([, path, line]) => ({ path: path as string, line: line === undefined ? null : Number(line) }))
}

/** `fix(sse): …` and `cacheprovider: …`: the part of the code that a message is about, `sse` and `cacheprovider`; else null. */
export function findScope(question: string): string | null {
  const [, within, before] = scoped.exec(question.slice(0, 100)) ?? []
  const scope = within ?? before
  return scope === undefined || notScope.test(scope) ? null : scope.toLowerCase()
}

const scoped = /^\s{0,9}(?:[a-z]{1,12}\(([\w./ -]{2,40})\)!?|([\w./-]{2,40})): \S/
/** Kinds of a commit or a message. */
const notScope =
  /^(?:fix|feat|chore|docs?|test|refactor|perf|build|ci|style|revert|bug|error|note|warning|fatal|panic|todo|https?)$/i

/** Does a path have the scope as its file, 1, or as one of its folders, 0.5? `json-lines` is `json_lines.rs`. */
export function isInScope(scope: string, path: string): number {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '')
  const namesIn = (text: string): string[] =>
    text.split('/').map((name) => plain(name.replace(/\.\w{1,8}$/, '')))
  const names = namesIn(path)
  const at = names.lastIndexOf(namesIn(scope).at(-1) as string)
  return at < 0 ? 0 : at === names.length - 1 ? 1 : 0.5
}

/** Is one of them the end of the other, by whole names, at least a folder and a file? */
export function endsAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.includes('/') && long.endsWith(`/${short}`)
}

/** Is a name called anywhere: `name(`, `name::<T>(`, `name<T>(`, or a name that only methods have: `name?`, `name!`? */
export function isCalled(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (isWordCharacter(text[at - 1])) continue
    if (/[?!]$/.test(name)) return true
    if (/^(?:(?:::)?<[^<>()]{0,60}>)?\(/.test(text.slice(at + name.length, at + name.length + 70)))
      return true
  }
  return false
}

/** The name itself, with as many of the classes around it as the question has. */
export function isNamed(
  { name, headings, level }: Pick<ArtifactRow, 'name' | 'headings' | 'level'>,
  parts: readonly string[],
): boolean {
  if (level === 0 || name !== parts.at(-1)) return false
  const names = headings.flatMap((heading) => heading.split('.'))
  const shared = Math.min(parts.length, names.length)
  return parts.slice(-shared).every((part, index) => names[names.length - shared + index] === part)
}
