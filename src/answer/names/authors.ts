// Who wrote a document, and when? Authors and years by frontmatter, and by file names such as `hummel-et-al-2021`.

interface Written {
  /** The file's name without extension. */
  readonly stem: string
  readonly frontmatter: Readonly<Record<string, unknown>>
}

const year = /(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])/
/** Text around a name, as in `Ann Hummel <ann@example.org> (editor)`. */
const notName = /<[^>]{0,200}>|\([^)]{0,200}\)|\S{0,100}@\S{0,100}/g
const fillers = new Set(['et', 'al', 'and', 'of', 'from', 'by', 'in'])

/** The words of a citation that are authors or years: "hummel et al 2021" has two. */
export const citedWords = (words: readonly string[]): string[] => words.filter((word) => !fillers.has(word))

/** Is it by this author, in lower case, or of this year? */
export function isWritten({ stem, frontmatter }: Written, word: string): boolean {
  const values = (...keys: readonly string[]): string[] => keys.flatMap((key) => textsOf(frontmatter[key]))
  const dates = [stem, ...values('date', 'year', 'published', 'created')]
  if (dates.some((text) => year.exec(text)?.[0] === word)) return true
  const declared = values('author', 'authors', 'creator', 'by').map((text) => text.replace(notName, ' '))
  return [...declared, stemAuthors(stem)].some((text) =>
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .includes(word),
  )
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** `hummel-et-al-2021-x`, `hummel-2021-x` and `hummel_braun_2021` start with their authors. */
function stemAuthors(stem: string): string {
  const words = stem.split(/[-_. ]/).slice(0, 4)
  const end = words.findIndex((word) => word.toLowerCase() === 'et' || year.test(word))
  return words
    .slice(0, Math.max(end, 0))
    .filter((word) => /^\p{L}{3,}$/u.test(word))
    .join(' ')
}
