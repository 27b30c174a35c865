// Which questions does a corpus suggest itself? What links call things, and what sections and code say first beside their names.
import { posix } from 'node:path'
import { isCodeLanguage } from '../config/code-languages.ts'
import { locateDocs, YoreError } from '../errors.ts'
import type { ArtifactRow, FileRow } from '../model/section.ts'
import { isCodeKind } from '../parse/artifact-kinds.ts'
import { listLinks, type MarkdownLink } from '../parse/list-links.ts'
import { isGeneratedPath, isTestPath, isTranslatedPath, isVendoredPath } from '../resolve/code/code-roles.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { CorpusCatalogue } from './corpus-catalogue.ts'
import type { Question } from './evaluation.ts'
import { foldText } from './match-expectations.ts'
import { openingOfCode, openingOfProse, type WordOptions, wordsBeside } from './opening-sentence.ts'

/** A section must say at least this much to be an answer, and at most that much to fit into a small digest. */
const LEAST_CHARACTERS = 80
const MOST_TOKENS = 1500
/** A question of fewer words that carry meaning finds anything; words out of a sentence need more of them. */
const LEAST_WORDS = 2
const LEAST_OPENING = 4
const MOST_WORDS = 10
const MOST_OPENING = 6
/** A word that so few fragments hold finds its section alone; not counted in a corpus of few sections. */
const TELLING_FRAGMENTS = 2
const FEW_SECTIONS = 200
const MOST_CHARACTERS = 160
const aside =
  /(?:^|\/)(?:licen[cs]e|copying|notice|authors|contributors|maintainers|change(?:s|log)|history|news|release)[^/]*$/i
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
      throw new YoreError(
        'BAD_INPUT',
        'no link text and no opening sentence in the index is enough to ask about',
        {
          hint: locateDocs('write the questions yourself, see {docs}/guides/evaluate-your-repository.md'),
        },
      )
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
  readonly #opening: WordOptions

  constructor(reader: CorpusReader) {
    this.#reader = reader
    this.#catalogue = new CorpusCatalogue(reader)
    const lexical = reader.lexical()
    const isTelling = (term: string): boolean => lexical.count(term) <= TELLING_FRAGMENTS
    const limit = MOST_OPENING
    this.#opening = reader.count('artifacts') < FEW_SECTIONS ? { limit } : { limit, isTelling }
  }

  /** For each document its proposals: links and openings in turn, since a link's words are the harder test. */
  proposals(): readonly (readonly ProposedQuestion[])[] {
    const all = [...this.#catalogue.files()].map((file) => {
      const links = [...this.#fromLinks(file)]
      const openings = [...this.#fromOpenings(file)]
      return Array.from({ length: Math.max(links.length, openings.length) }, (_, at) => [
        ...links.slice(at, at + 1),
        ...openings.slice(at, at + 1),
      ]).flat()
    })
    const clear = onlyClear(all.flat())
    return all.flatMap((proposals) => {
      const kept = proposals.filter((proposal) => clear.has(proposal)).slice(0, PER_DOCUMENT)
      return kept.length > 0 ? [kept] : []
    })
  }

  /** What a section or a documented piece of code says first, without the words of its name: a heading finds itself. */
  *#fromOpenings(file: FileRow): Generator<ProposedQuestion> {
    if (isAside(file.path)) return
    const isCode = isCodeLanguage(file.language)
    for (const section of this.#catalogue.sectionsOf(file)) {
      if (section.name.includes('{{') || !this.#isAnswer(section)) continue
      const { text, from } = this.#catalogue.body(section)
      const start = section.level === 0 ? from : (text.pieces[0]?.end ?? 0)
      const opening = isCode ? openingOfCode(text.text) : openingOfProse(text.text.slice(start))
      const names = [...section.headings, section.name, file.title]
      const words = opening === null ? [] : wordsBeside(opening, names, this.#opening)
      if (words.length >= LEAST_OPENING)
        yield { question: words.join(' '), expectedDocs: [], expectedSections: [section.id] }
    }
  }

  *#fromLinks(file: FileRow): Generator<ProposedQuestion> {
    if (file.language !== 'markdown' || isAside(file.path)) return
    const source = this.#catalogue.sectionsOf(file).map((section) => this.#catalogue.prose(section))
    for (const link of listLinks(source.join(''))) {
      const proposal = this.#fromLink(file, link)
      if (proposal !== null) yield proposal
    }
  }

  #fromLink(from: FileRow, { text, target, around }: MarkdownLink): ProposedQuestion | null {
    const [path, anchor] = splitTarget(from.path, target)
    const file = path === null ? null : this.#fileAt(path)
    if (file === null || file.path === from.path) return null
    if (!this.#catalogue.sectionsOf(file).some((section) => this.#isAnswer(section))) return null
    if (anchor === '') {
      const question = askBeside(text, around, [file.title, file.path])
      return question === null ? null : { question, expectedDocs: [file.path], expectedSections: [] }
    }
    const rowId = this.#reader.anchorsOf(file.id).get(anchor)
    const section = this.#catalogue.sectionsOf(file).find((row) => row.rowId === rowId)
    if (section === undefined || !this.#isAnswer(section)) return null
    const question = askBeside(text, around, [file.title, file.path, section.name, ...section.headings])
    return question === null ? null : { question, expectedDocs: [], expectedSections: [section.id] }
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
    const headed = section.level > 0 && !isCodeKind(section.kind)
    const start = headed ? (text.pieces[0]?.end ?? 0) : from
    return foldText(text.text.slice(start)).length >= LEAST_CHARACTERS
  }
}

/** The words of a link when they say more than the names of where it leads, else those around it; null when neither does. */
function askBeside(text: string, around: string, names: readonly string[]): string | null {
  if (wordsBeside(text, names, { limit: MOST_WORDS }).length >= LEAST_WORDS)
    return text.length > MOST_CHARACTERS ? null : text
  const sentence = around.split(/(?<=[.!?]) /).find((part) => part.includes(text)) ?? around
  const others = wordsBeside(sentence.slice(0, 1000), names, { limit: MOST_WORDS })
  return others.length >= LEAST_OPENING ? others.join(' ') : null
}

/** The proposals whose words stand for one place only, each once. */
function onlyClear(proposals: readonly ProposedQuestion[]): ReadonlySet<ProposedQuestion> {
  const groups = Map.groupBy(proposals, ({ question }) => foldText(question))
  const places = (proposal: ProposedQuestion): string =>
    [...proposal.expectedDocs, ...proposal.expectedSections].join()
  return new Set(
    [...groups.values()]
      .filter((group) => new Set(group.map(places)).size === 1)
      .map(([first]) => first as ProposedQuestion),
  )
}

/** Nobody asks what a test, a licence or an old version says first. */
function isAside(path: string): boolean {
  return (
    isTestPath(path) ||
    isVendoredPath(path) ||
    isGeneratedPath(path) ||
    isTranslatedPath(path) ||
    aside.test(path)
  )
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
