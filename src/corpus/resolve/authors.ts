// Who wrote what, and when? Authors and years of documents, from frontmatter and from file names such as `hummel-et-al-2021`.

const yearAlone = /(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])/
const leadingYear = /^(?:19|20)[0-9]{2}(?![0-9])/
/** `Hummel, P.`, `Patrik Hummel`, `Patrik Hummel <p@x.org>`: the text before a bracket. */
const afterName = /[<(@[]/

/** Lower-case family names of the authors of a document. */
export function listAuthors({ stem, frontmatter }: Written): Set<string> {
  return new Set([...declaredAuthors(frontmatter), ...stemAuthors(stem)])
}

interface Written {
  /** The file's name without extension, in lower case. */
  readonly stem: string
  readonly frontmatter: Readonly<Record<string, unknown>>
}

function declaredAuthors(frontmatter: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = []
  for (const key of ['author', 'authors', 'creator', 'by']) {
    const value = frontmatter[key]
    if (value === undefined) continue
    for (const one of Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? splitAuthors(value)
        : [value]) {
      const name = typeof one === 'string' ? one : isNamed(one) ? one.name : ''
      const family = familyName(name)
      if (family !== '') found.push(family)
    }
  }
  return found
}

/** `A. Hummel; B. Braun`, `Ann Hummel and Bob Braun`, `Hummel, Ann`; commas separate names unless there is only one. */
function splitAuthors(text: string): string[] {
  const parts = text.split(/;| and | & /).map((part) => part.trim())
  if (parts.length > 1)
    return parts.flatMap((part) => (part.split(',').length > 2 ? part.split(',') : [part]))
  const commas = text.split(',').map((part) => part.trim())
  const inverted = commas.length === 2 && !commas[0]!.includes(' ')
  return inverted ? [text] : commas
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

function familyName(name: string): string {
  const bare = (name.split(afterName, 1)[0] ?? '').trim()
  const comma = bare.indexOf(',')
  const family = comma > 0 ? bare.slice(0, comma) : (bare.split(' ').at(-1) ?? '')
  const lower = family.toLowerCase().trim()
  return lower.length > 1 ? lower : ''
}

/** `hummel-et-al-2021-x` and `hummel-2021-x` and `hummel_braun_2021` start with their authors. */
function stemAuthors(stem: string): string[] {
  const words = stem.split(/[-_. ]/).slice(0, 4)
  const end = words.findIndex((word) => word === 'et' || leadingYear.test(word))
  if (end < 1) return []
  return words.slice(0, end).filter((word) => word.length > 2 && word !== 'and' && !/[0-9]/.test(word))
}

export function listYears({ stem, frontmatter }: Written): Set<number> {
  const years = new Set<number>()
  const inStem = yearAlone.exec(stem)
  if (inStem !== null) years.add(Number(inStem[0]))
  for (const key of ['date', 'year', 'published', 'created']) {
    const value = frontmatter[key]
    const year =
      typeof value === 'number' || typeof value === 'string' ? leadingYear.exec(String(value)) : null
    if (year !== null) years.add(Number(year[0]))
  }
  return years
}

const fillers = new Set(['et', 'al', 'and', 'of', 'from', 'by', 'in'])
const year = /^(?:19|20)[0-9]{2}$/

/** Numbers of documents, by a lower-case family name and by a year. */
export interface Writings {
  byAuthor(name: string): readonly number[]
  inYear(year: number): readonly number[]
}

/** Documents by all of these authors and years; null when a word is neither, or without any. */
export function findWritten(writings: Writings, words: readonly string[]): readonly number[] | null {
  const names = words.filter((word) => !fillers.has(word))
  const lists = names.map((word) =>
    year.test(word) ? writings.inYear(Number(word)) : writings.byAuthor(word),
  )
  const known = lists.filter(({ length }) => length > 0)
  if (known.length === 0 || known.length < names.length) return null
  return known.reduce((common, list) => common.filter((number) => list.includes(number)))
}
