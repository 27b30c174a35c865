// Which questions does a corpus suggest itself? What its headings name and what its links call things.
import { posix } from 'node:path'
import { locateDocs, YoreError } from '../errors.ts'
import type { ArtifactRow, FileRow } from '../model/section.ts'
import { listLinks } from '../parse/list-links.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { CorpusCatalogue } from './corpus-catalogue.ts'
import type { Question } from './evaluation.ts'
import { foldText } from './match-expectations.ts'

/** A section must say at least this much to be an answer, and at most that much to fit into a small digest. */
const LEAST_CHARACTERS = 80
const MOST_TOKENS = 1500
/** A question of fewer words that carry meaning finds anything. */
const LEAST_WORDS = 2
const MOST_CHARACTERS = 160
/** More than so many of one document are never chosen unless the corpus is small. */
const PER_DOCUMENT = 20

type ProposedQuestion = Pick<Question, 'question' | 'expectedDocs' | 'expectedSections'>

/** Proposes up to `limit` questions, spread evenly over the documents. Same index, same questions. */
export function proposeQuestions(
  reader: CorpusReader,
  options: { readonly limit: number },
): readonly Question[] {
  return reader.snapshot(() => {
    const proposer = new Proposer(reader)
    const chosen = spreadChoice(proposer.proposals(), options.limit)
    if (chosen.length === 0)
      throw new YoreError('BAD_INPUT', 'no heading or link text in the index is enough to ask about', {
        hint: locateDocs('write the questions yourself, see {docs}/guides/evaluate-your-repository.md'),
      })
    return chosen.map((proposal, index) => ({
      id: `generated-${index + 1}`,
      expectedContains: [],
      forbiddenDocs: [],
      generated: true,
      ...proposal,
    }))
  })
}

/**
 * Takes first ones before second ones; of a round that does not fit, entries at even distances.
 *
 * @example spreadChoice([['a1', 'a2'], ['b1'], ['c1']], 2) // ['a1', 'b1']
 */
export function spreadChoice<T>(groups: readonly (readonly T[])[], limit: number): readonly T[] {
  const taken: T[][] = groups.map(() => [])
  let left = limit
  for (let round = 0; left > 0; round++) {
    const open = groups.flatMap((group, index) => (round < group.length ? [index] : []))
    if (open.length === 0) break
    const count = Math.min(left, open.length)
    for (let at = 0; at < count; at++) {
      const index = open[Math.floor((at * open.length) / count)] as number
      taken[index]?.push((groups[index] as readonly T[])[round] as T)
    }
    left -= count
  }
  return taken.flat()
}

class Proposer {
  readonly #reader: CorpusReader
  readonly #catalogue: CorpusCatalogue
  /** How often each heading occurs: one that many documents share asks for nothing in particular. */
  readonly #headings = new Map<string, number>()
  readonly #asked = new Set<string>()

  constructor(reader: CorpusReader) {
    this.#reader = reader
    this.#catalogue = new CorpusCatalogue(reader)
    for (const file of this.#catalogue.files()) {
      for (const { name, level } of this.#catalogue.sectionsOf(file))
        if (level > 0) this.#headings.set(foldText(name), (this.#headings.get(foldText(name)) ?? 0) + 1)
    }
  }

  /** For each document its proposals: links and headings in turn, since a link's words are the harder test. */
  proposals(): readonly (readonly ProposedQuestion[])[] {
    return [...this.#catalogue.files()].flatMap((file) => {
      const links = [...this.#fromLinks(file)]
      const headings = [...this.#fromHeadings(file)]
      const mixed = Array.from({ length: Math.max(links.length, headings.length) }, (_, at) => [
        ...links.slice(at, at + 1),
        ...headings.slice(at, at + 1),
      ])
      const proposals = mixed.flat().slice(0, PER_DOCUMENT)
      return proposals.length > 0 ? [proposals] : []
    })
  }

  *#fromHeadings(file: FileRow): Generator<ProposedQuestion> {
    // Headings of this document alone come first: `Options` and `What's next` say little.
    const own = this.#catalogue
      .sectionsOf(file)
      .filter(({ level, name }) => level > 0 && !name.includes('{{'))
    const shared = ({ name }: ArtifactRow): number => (this.#headings.get(foldText(name)) === 1 ? 0 : 1)
    for (const section of own.toSorted((a, b) => shared(a) - shared(b))) {
      if (!this.#isAnswer(section)) continue
      const question = this.#askFor(section, file)
      if (this.#isNew(question)) yield { question, expectedDocs: [], expectedSections: [section.id] }
    }
  }

  /** The heading; with the document's title unless it says enough alone. */
  #askFor(section: ArtifactRow, file: FileRow): string {
    const [heading, title] = [foldText(section.name), foldText(file.title)]
    const unique = this.#headings.get(heading) === 1
    if (heading === title || (unique && (heading.endsWith('?') || heading.includes(title))))
      return section.name
    return `${file.title}: ${section.name}`
  }

  *#fromLinks(file: FileRow): Generator<ProposedQuestion> {
    if (file.language !== 'markdown') return
    const source = this.#catalogue.sectionsOf(file).map((section) => this.#catalogue.prose(section))
    for (const { text, target } of listLinks(source.join(''))) {
      const proposal = this.#fromLink(file, text, target)
      if (proposal !== null && this.#isNew(text)) yield proposal
    }
  }

  #fromLink(from: FileRow, text: string, target: string): ProposedQuestion | null {
    const [path, anchor] = splitTarget(from.path, target)
    const file = path === null ? null : this.#fileAt(path)
    if (file === null || file.path === from.path) return null
    if (foldText(text) === foldText(file.title)) return null
    if (!this.#catalogue.sectionsOf(file).some((section) => this.#isAnswer(section))) return null
    if (anchor === '') return { question: text, expectedDocs: [file.path], expectedSections: [] }
    const rowId = this.#reader.anchorsOf(file.id).get(anchor)
    const section = this.#catalogue.sectionsOf(file).find((row) => row.rowId === rowId)
    if (section === undefined || foldText(text) === foldText(section.name) || !this.#isAnswer(section))
      return null
    return { question: text, expectedDocs: [], expectedSections: [section.id] }
  }

  /** The document at a path that may lack its extension or name a folder. */
  #fileAt(path: string): FileRow | null {
    const base = path.endsWith('/') ? path.slice(0, -1) : path
    const places = ['', '.md', '/README.md', '/index.md', '/_index.md'].map((end) => base + end)
    return places.map((place) => this.#catalogue.file(place)).find((file) => file !== null) ?? null
  }

  #isAnswer(section: ArtifactRow): boolean {
    if (section.tokens > MOST_TOKENS) return false
    const { text, from } = this.#catalogue.body(section)
    const start = section.level === 0 ? from : (text.pieces[0]?.end ?? 0)
    return foldText(text.text.slice(start)).length >= LEAST_CHARACTERS
  }

  /** Says enough, and was not asked before. */
  #isNew(question: string): boolean {
    const folded = foldText(question)
    if (question.length > MOST_CHARACTERS || this.#asked.has(folded)) return false
    const words = new Set(analyzeQuery(question, { pairWeight: 0 }).terms.map(({ word }) => word))
    if (words.size < LEAST_WORDS) return false
    this.#asked.add(folded)
    return true
  }
}

/** A link's target as a path of the corpus, null when it leads elsewhere, and its anchor. */
function splitTarget(from: string, target: string): readonly [string | null, string] {
  const at = target.indexOf('#')
  const address = at === -1 ? target : target.slice(0, at)
  if (address === '' || address.startsWith('//') || /^[a-z][a-z0-9+.-]*:/i.test(address)) return [null, '']
  try {
    const decoded = decodeURIComponent(address)
    const path = decoded.startsWith('/')
      ? posix.normalize(decoded.slice(1))
      : posix.normalize(posix.join(posix.dirname(from), decoded))
    return [path, at === -1 ? '' : decodeURIComponent(target.slice(at + 1))]
  } catch {
    return [null, '']
  }
}
