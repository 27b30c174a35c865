// What is answered on a thread? One question about one version of a corpus, or of several, whose files were verified before.
import { existsSync } from 'node:fs'
import { corpusOfDocument, documentId } from '../control/corpora.ts'
import {
  type AskThread,
  answerToolCall,
  type CorpusEngine,
  defaultSettings,
  type GraphReport,
  type HostedPlace,
  hostPages,
  type InputOf,
  type JoinedCorpora,
  joinCorpora,
  type MergedSearch,
  openCorpusFile,
  type operations,
  type QuestionEngine,
} from '../yore.ts'

export type QuestionName = 'search' | 'assemble' | 'expand' | 'read'
export type Direction = 'in' | 'out' | 'both'

export type Question =
  | { readonly kind: QuestionName; readonly input: Readonly<Record<string, unknown>> }
  /** A tool of an agent, as yore's own surface sends it to a thread. */
  | { readonly kind: 'tool'; readonly call: ToolQuestion }
  /** A page for a person: its address below the corpus, with the query. */
  | { readonly kind: 'page'; readonly address: string; readonly place: HostedPlace }
  | { readonly kind: 'node'; readonly of: ArtifactName }
  | {
      readonly kind: 'relationships'
      readonly of: readonly ArtifactName[]
      readonly direction: Direction
      readonly type: string | null
    }

type ToolQuestion = Parameters<AskThread>[0]

/** An artifact by its document id, or by any name that yore knows it by. */
export type ArtifactName = { readonly documentId: string } | { readonly name: string }

/** A file that a question is asked of. */
export interface CorpusFile {
  readonly file: string
  /** Of the file: a thread opens nothing else. */
  readonly sha256: string
  readonly corpus: number
  readonly name: string
  readonly version: number
}

/** A question as it travels to a thread. */
export interface QuestionTask {
  readonly files: readonly [CorpusFile, ...CorpusFile[]]
  /** Asked as several, also when it is one: names begin with that of their corpus. Otherwise there is one file. */
  readonly isJoined: boolean
  readonly now: number
  readonly question: Question
}

/** Operations are answered with the JSON to send. Finding nothing is an answer; errors of yore's own keep their code on the way. */
export type QuestionAnswer = { readonly found: unknown } | { readonly missing: 'document' }

class MissingDocument extends Error {}

/** One open file. It never changes, so that what was read of it holds. */
class OpenCorpus {
  readonly engine: CorpusEngine
  readonly corpus: number
  #ids: ReadonlyMap<string, string> | null = null
  #page: ReturnType<typeof hostPages> | null = null
  now = 0

  constructor({ file, sha256, corpus }: CorpusFile) {
    this.corpus = corpus
    this.engine = openCorpusFile(file, { sha256, now: () => this.now })
  }

  /** Kept: what is slow about a page, as the links of all documents, holds as long as the file. */
  async page(name: string, { place, address }: Extract<Question, { kind: 'page' }>) {
    this.#page ??= hostPages(this.engine, name, place)
    return await this.#page(address)
  }

  async graph(of: ArtifactName, direction: Direction): Promise<GraphReport> {
    const name = 'name' in of ? of.name : await this.#canonicalId(of.documentId)
    return (await this.engine.graph(name, { direction, refresh: 'never' })).graph
  }

  async #canonicalId(id: string): Promise<string> {
    this.#ids ??= new Map(
      (await this.engine.artifactIds()).map((canonical) => [documentId(this.corpus, canonical), canonical]),
    )
    const found = corpusOfDocument(id) === this.corpus ? this.#ids.get(id) : undefined
    if (found === undefined) throw new MissingDocument()
    return found
  }
}

/** What every thread of a pool finds. */
export interface ThreadOptions {
  /** Corpora that it keeps open. */
  readonly mostOpen: number
}

/** The files that a thread has open, the least recently used first. */
export function keepFiles({ mostOpen }: ThreadOptions) {
  const kept = new Map<string, OpenCorpus>()

  async function answer({ files, isJoined, now, question }: QuestionTask): Promise<QuestionAnswer> {
    const opened = files.map((file) => ({ name: file.name, open: take(file) }))
    for (const [oldest, { engine }] of kept) {
      if (kept.size <= Math.max(mostOpen, files.length)) break
      kept.delete(oldest)
      engine.close()
    }
    for (const { open } of opened) open.now = now
    const [{ open }] = opened as [(typeof opened)[number]]
    const asked = isJoined ? joinOpened(opened) : askAlone(open)
    try {
      if (question.kind === 'page') return { found: await open.page(files[0].name, question) }
      if (question.kind === 'tool')
        return { found: await answerToolCall(asked.engine, defaultSettings, question.call) }
      if (question.kind === 'node' || question.kind === 'relationships')
        return { found: await answerGraph(open, question) }
      const versions = Object.fromEntries(files.map(({ name, version }) => [name, version]))
      const shown = isJoined ? { versions } : { version: files[0].version }
      const found = { ...shown, ...(await answerQuestion(asked, question)) }
      // Bytes cross threads and reach the socket faster than objects.
      return { found: new TextEncoder().encode(JSON.stringify(found)) }
    } catch (error) {
      if (error instanceof MissingDocument) return { missing: 'document' }
      throw error
    }
  }

  /** An open file keeps its bytes on the disk after its name is gone. */
  function closeRemoved(): void {
    for (const [file, { engine }] of kept) {
      if (existsSync(file)) continue
      kept.delete(file)
      engine.close()
    }
  }

  /** Becomes the most recently used one. */
  function take(wanted: CorpusFile): OpenCorpus {
    const open = kept.get(wanted.file) ?? new OpenCorpus(wanted)
    kept.delete(wanted.file)
    kept.set(wanted.file, open)
    return open
  }

  return { answer, closeRemoved }
}

type Given<Name extends QuestionName> = InputOf<(typeof operations)[Name]>

/** What a question is asked of, and how its hits are known outside of it. */
interface AskedEngine {
  readonly engine: CorpusEngine | JoinedCorpora
  readonly idOf: (hit: MergedSearch['hits'][number]) => string
}

const askAlone = ({ engine, corpus }: OpenCorpus): AskedEngine => ({
  engine,
  idOf: ({ artifact }) => documentId(corpus, artifact),
})

function joinOpened(opened: readonly { readonly name: string; readonly open: OpenCorpus }[]): AskedEngine {
  const numbers = new Map(opened.map(({ name, open }) => [name, open.corpus]))
  return {
    engine: joinCorpora(opened.map(({ name, open }) => ({ name, engine: open.engine }))),
    idOf: ({ corpus, artifact }) => documentId(numbers.get(corpus) ?? 0, artifact.slice(corpus.length + 1)),
  }
}

async function answerSearch({ engine, idOf }: AskedEngine, input: Readonly<Record<string, unknown>>) {
  const given = input as Given<'search'>
  const { hits, freshness: _, ...rest } = await engine.search(given.query, given)
  return { ...rest, hits: (hits as MergedSearch['hits']).map((hit) => ({ document_id: idOf(hit), ...hit })) }
}

async function answerDigest(engine: QuestionEngine, input: Readonly<Record<string, unknown>>) {
  const given = input as Given<'assemble'>
  // Callers of the service are programs, as those of the library.
  const layout = given.layout === 'auto' ? 'brief' : given.layout
  const { output, tokensUsed } = await engine.assemble(given.question, { ...given, layout })
  return { output, tokensUsed }
}

async function answerGraph(
  open: OpenCorpus,
  question: Extract<Question, { readonly kind: 'node' | 'relationships' }>,
): Promise<unknown> {
  const { corpus } = open
  if (question.kind === 'node') return showNode(await open.graph(question.of, 'out'), corpus)
  const documents: unknown[] = []
  for (const of of question.of) {
    const report = await open.graph(of, question.direction)
    const relationships = relationshipsOf(report, corpus, question.type)
    documents.push({ document_id: documentId(corpus, report.subject.id), relationships })
  }
  return { documents }
}

async function answerQuestion(
  asked: AskedEngine,
  { kind, input }: Extract<Question, { readonly kind: QuestionName }>,
): Promise<object> {
  if (kind === 'search') return await answerSearch(asked, input)
  if (kind === 'assemble') return await answerDigest(asked.engine, input)
  const { place, maxTokens } = input as Given<'read'>
  const { freshness: _, ...rest } =
    kind === 'expand'
      ? await asked.engine.expand(input as Given<'expand'>)
      : await asked.engine.read(place, { maxTokens })
  return rest
}

function showNode({ subject }: GraphReport, corpus: number): Readonly<Record<string, unknown>> {
  const { id, kind, path: file, name, lines } = subject
  return { document_id: documentId(corpus, id), canonical_id: id, kind, path: file, name, lines }
}

/** The edges of one artifact; the other end is the target, whichever way the edge runs. */
function relationshipsOf(report: GraphReport, corpus: number, type: string | null): readonly object[] {
  return report.edges
    .filter(({ kind }) => type === null || kind === type)
    .map(({ kind, direction, from, to }) => {
      const other = direction === 'out' ? to : from
      return {
        target_document_id: documentId(corpus, other),
        relation_type: kind,
        direction: direction === 'out' ? 'outgoing' : 'incoming',
        target_canonical_id: other,
      }
    })
}
