// What is answered on a thread? One question about one version of a corpus, whose file was verified before.
import { corpusOfDocument, documentId } from '../control/corpora.ts'
import { type Engine, type GraphReport, openCorpusFile, operations } from '../yore.ts'

export type QuestionName = 'search' | 'assemble' | 'expand' | 'read'
export type Direction = 'in' | 'out' | 'both'

export type Question =
  | { readonly kind: QuestionName; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'node'; readonly of: ArtifactName }
  | {
      readonly kind: 'relationships'
      readonly of: readonly ArtifactName[]
      readonly direction: Direction
      readonly type: string | null
    }

/** An artifact by its document id, or by any name that yore knows it by. */
export type ArtifactName = { readonly documentId: string } | { readonly name: string }

/** A question as it travels to a thread. */
export interface QuestionTask {
  readonly file: string
  /** Of the file: a thread opens nothing else. */
  readonly sha256: string
  readonly corpus: number
  readonly now: number
  readonly question: Question
}

/** Finding nothing is an answer; errors of yore's own keep their code on the way. */
export type QuestionAnswer = { readonly found: unknown } | { readonly missing: 'document' }

class MissingDocument extends Error {}

/** One open file. It never changes, so that what was read of it holds. */
class OpenCorpus {
  readonly engine: Engine
  readonly corpus: number
  #ids: ReadonlyMap<string, string> | null = null
  now = 0

  constructor({ file, sha256, corpus }: QuestionTask) {
    this.corpus = corpus
    this.engine = openCorpusFile(file, { sha256, now: () => this.now })
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

/** The files that a thread has open, the least recently used first. */
export class OpenFiles {
  readonly #most: number
  readonly #open = new Map<string, OpenCorpus>()

  constructor(most: number) {
    this.#most = most
  }

  async answer(task: QuestionTask): Promise<QuestionAnswer> {
    const { file, now, question } = task
    const open = this.#open.get(file) ?? new OpenCorpus(task)
    this.#open.delete(file)
    this.#open.set(file, open)
    for (const [oldest, { engine }] of this.#open) {
      if (this.#open.size <= this.#most) break
      this.#open.delete(oldest)
      engine.close()
    }
    open.now = now
    try {
      return { found: await answerQuestion(open, question) }
    } catch (error) {
      if (error instanceof MissingDocument) return { missing: 'document' }
      throw error
    }
  }
}

type InputOf<Name extends QuestionName> = Parameters<(typeof operations)[Name]['run']>[1]

async function answerQuestion(open: OpenCorpus, question: Question): Promise<unknown> {
  const { engine, corpus } = open
  if (question.kind === 'node') return showNode(await open.graph(question.of, 'out'), corpus)
  if (question.kind === 'relationships') {
    const documents: unknown[] = []
    for (const of of question.of) {
      const report = await open.graph(of, question.direction)
      const relationships = relationshipsOf(report, corpus, question.type)
      documents.push({ document_id: documentId(corpus, report.subject.id), relationships })
    }
    return { documents }
  }
  const { input } = question
  if (question.kind === 'search') {
    const {
      hits,
      freshness: _,
      ...rest
    } = await operations.search.run(engine, input as unknown as InputOf<'search'>, {})
    return { ...rest, hits: hits.map((hit) => ({ document_id: documentId(corpus, hit.artifact), ...hit })) }
  }
  if (question.kind === 'assemble') {
    const { output, tokensUsed } = await operations.assemble.run(
      engine,
      input as unknown as InputOf<'assemble'>,
      {},
    )
    return { output, tokensUsed }
  }
  const { freshness: _, ...rest } =
    question.kind === 'expand'
      ? await operations.expand.run(engine, input as unknown as InputOf<'expand'>, {})
      : await operations.read.run(engine, input as unknown as InputOf<'read'>, {})
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
