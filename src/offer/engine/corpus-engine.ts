// What else can be asked of one corpus? What is where, what refers to what, and whether it is in order.
import { noMeaning } from '../../answer/answering/find-meaning.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Report, ReportOptions } from '../../explore/fit-report.ts'
import type { CorpusEngine, FoundName } from './engine.ts'
import type { OpenCorpus, Refresh } from './open-corpus.ts'
import { questionEngine } from './question-engine.ts'

/** Definitions to compare; those of exactly the text come first. */
const MOST_NAMES = 2000

export function corpusEngine(corpus: OpenCorpus): CorpusEngine {
  const questions = questionEngine(corpus)
  /** What is read of the index, with its freshness. */
  const fresh = async <T>(options: { readonly refresh?: Refresh }, read: (reader: CorpusReader) => T) => {
    const freshness = await corpus.refresh(options.refresh)
    return { ...read(corpus.open()), freshness }
  }
  return {
    ...questions,

    async graph(named, options = {}) {
      const { readGraph } = await import('../../explore/read-graph.ts')
      return fresh(options, (reader) => ({ graph: readGraph(reader, named, options.direction ?? 'both') }))
    },

    async uses(named, options = {}) {
      const { findUses } = await import('../../explore/find-uses.ts')
      const { listUses } = await import('../../explore/list-uses.ts')
      const { direction = 'both', depth = 1 } = options
      return reportOn(corpus, options, (reader) => {
        const facts = findUses(reader, named, { direction, depth })
        return { facts, lines: listUses(facts, { direction, depth }) }
      })
    },

    async outline(named, options = {}) {
      const { outlineFile, mapCorpus, listMap } = await import('../../explore/map-corpus.ts')
      const { question, refresh = corpus.settings.refresh } = options
      const found =
        named !== null || question === undefined
          ? null
          : await questions.search(question, { limit: 50, allSections: true, refresh })
      const hits = found?.hits ?? []
      const files = new Map<string, number>()
      for (const { path, score } of hits) files.set(path, (files.get(path) ?? 0) + score)
      const asked = { files, sections: new Set(hits.map(({ artifact }) => artifact)) }
      return reportOn(corpus, options, (reader, maxTokens) => {
        // A file takes at least its path: what cannot fit is not read.
        const facts = named === null ? mapCorpus(reader, asked, maxTokens / 5) : [outlineFile(reader, named)]
        return { facts, lines: listMap(facts) }
      })
    },

    async describePattern(pattern, { before = [], told = new Set<string>() } = {}) {
      const { describePattern, wordsOfPattern } = await import('../../explore/describe-pattern.ts')
      const words = wordsOfPattern(pattern)
      if (words.length === 0) return { words, lines: [] }
      const query = [...new Set([...before, ...words])].join(' ')
      const { hits } = await questions.search(query, { limit: 3, mode: 'lexical', refresh: 'never' })
      const countTokens = await corpus.tokenCounter()
      return { words, lines: describePattern(corpus.open(), words, { hits, told, countTokens }) }
    },

    async artifactIds() {
      await corpus.refresh()
      return corpus.open().artifactIds()
    },

    async findNames(text, most) {
      const { fileKindOf } = await import('../../corpus/lookup/kind-of-file.ts')
      const reader = corpus.open()
      const starts = new Set([text, text.toLowerCase(), text.charAt(0).toUpperCase() + text.slice(1)])
      const rows = [...starts].flatMap((start) => reader.references().codeRows(start, MOST_NAMES))
      // Blocks have the name of the function that they are in.
      const whole = rows.filter(({ level, kind }) => level > 0 && !kind.endsWith('_block'))
      const found = whole.map(({ headings, lines, file: id, name: { length } }) => {
        const file = reader.file(id)
        return { name: headings.join('.'), path: file.path, lines, kind: fileKindOf(file), length }
      })
      const isTest = ({ kind }: FoundName): number => Number(kind === 'tests')
      return found.sort((a, b) => isTest(a) - isTest(b) || a.length - b.length).slice(0, most)
    },

    async checkLinks(options = {}) {
      const { checkLinks } = await import('../../check/links/check-links.ts')
      const { ignoreLinks } = corpus.settings
      const { path } = options
      const place = { root: corpus.root, ignored: ignoreLinks, ...(path === undefined ? {} : { path }) }
      return fresh(options, (reader) => ({ links: checkLinks(reader, place) }))
    },

    async proposeQuestions(most) {
      await corpus.refresh()
      const { proposeQuestions } = await import('../../check/evaluation/propose-questions.ts')
      return proposeQuestions(corpus.open(), most)
    },

    async describeDocument(named, options = {}) {
      const { describeDocument } = await import('../../explore/describe-document.ts')
      return fresh(options, () => describeDocument(named, corpus.searching(noMeaning)))
    },

    async documentGraph(options = {}) {
      const { readDocumentGraph } = await import('../../explore/describe-document.ts')
      await corpus.refresh(options.refresh)
      return readDocumentGraph(corpus.searching(noMeaning), { offset: 0, limit: 500, ...options })
    },

    async standingOf(path) {
      return { state: corpus.open().hasFile(path) ? 'indexed' : 'absent' }
    },

    async status({ refresh } = {}) {
      const { readStatus } = await import('../../corpus/indexing/read-status.ts')
      const reader = corpus.open()
      const { state, changedFiles, indexedAt, ...more } = await corpus.lookAtFreshness(refresh)
      const { builder, progress, failure } = more
      return readStatus(reader, {
        ...corpus.options,
        root: corpus.root ?? reader.meta('root') ?? '',
        indexPath: corpus.indexPath,
        freshness: {
          ...{ state, changedFiles, indexedAt },
          ...(builder === undefined ? {} : { builder }),
          ...(progress === undefined ? {} : { progress }),
          ...(failure === undefined ? {} : { failure }),
        },
      })
    },

    close: () => corpus.close(),
    [Symbol.dispose]: () => corpus.close(),
  }
}

/** A report within its budget, with the freshness of the index. */
export async function reportOn<Facts>(
  corpus: OpenCorpus,
  options: Partial<ReportOptions>,
  make: (reader: CorpusReader, maxTokens: number) => { facts: Facts; lines: readonly string[] },
): Promise<Report<Facts>> {
  const { fitReport } = await import('../../explore/fit-report.ts')
  const countTokens = await corpus.tokenCounter()
  const freshness = await corpus.refresh(options.refresh)
  const { maxTokens = 4000 } = options
  const { facts, lines } = make(corpus.open(), maxTokens)
  return { ...fitReport(lines, { maxTokens, countTokens }), facts, freshness }
}
