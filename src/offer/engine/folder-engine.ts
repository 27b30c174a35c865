// What can only a corpus with its folder do? Index, compare with git, evaluate, send documents to a service.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AskedMeaning } from '../../answer/answering/find-meaning.ts'
import type { ReadResult } from '../../explore/read-passage.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import { corpusEngine, reportOn } from './corpus-engine.ts'
import type { Engine, QuestionEngine } from './engine.ts'
import type { OpenFolder } from './open-folder.ts'

type Questions = Pick<QuestionEngine, 'search' | 'assemble' | 'read'>
type EarlyOptions = NonNullable<Parameters<Questions['search']>[1] | Parameters<Questions['assemble']>[1]>

export function folderEngine(folder: OpenFolder): Engine {
  const { root, settings, options: opened } = folder
  const corpus = corpusEngine(folder)
  const index: Engine['index'] = async ({ fetch = false, ...wanted } = {}) => {
    const { indexCorpus } = await import('../../corpus/indexing/index-corpus.ts')
    if (wanted.rebuild === true) folder.close()
    // Given files name no roots.
    const fetching = wanted.changes !== undefined ? 'never' : fetch ? 'all' : 'missing'
    return indexCorpus({ ...folder.place, paths: [], rebuild: false, fetching, ...wanted })
  }
  const first = async <T>(
    query: string,
    options: EarlyOptions,
    answer: (engine: Questions) => Promise<T>,
    early: (engine: Questions) => Promise<T | null> = answer,
  ): Promise<T> => {
    const { refresh = settings.refresh } = options
    if (folder.firstUse.early !== true || refresh === 'never' || !folder.isUnbuilt) return answer(corpus)
    const { answerEarly } = await import('./early-answer.ts')
    return (await answerEarly(folder, { query, ...options }, early)) ?? answer(corpus)
  }
  return {
    ...corpus,

    search: (query, options = {}) => first(query, options, (engine) => engine.search(query, options)),

    assemble: (query, options = {}) => first(query, options, (engine) => engine.assemble(query, options)),

    // A path is read from its file, a name from the files with its words.
    read: (named, options = {}) => {
      const [path = ''] = /^[^:#]+/.exec(named.trim()) ?? []
      const scope = existsSync(join(root, path)) ? { path } : {}
      const read = (engine: Questions): Promise<ReadResult> => engine.read(named, options)
      // What is not there may be in files that are not indexed yet.
      return first(named, { ...options, ...scope }, read, (engine) => read(engine).catch(() => null))
    },

    index,

    async diff(ref, options = {}) {
      const { describeChanges, listChanges } = await import('../../explore/describe-changes.ts')
      return reportOn(folder, options, (reader) => {
        const facts = describeChanges(reader, root, ref)
        return { facts, lines: listChanges(facts) }
      })
    },

    async evaluate(source, options = {}) {
      const [{ evaluateQuestions }, { readQuestions }] = await Promise.all([
        import('../../check/evaluation/evaluate-questions.ts'),
        import('../../check/evaluation/read-questions.ts'),
      ])
      const asked =
        'file' in source
          ? { file: source.file, questions: readQuestions(root, source.file) }
          : { file: null, questions: source.questions }
      const freshness = await folder.refresh(options.refresh)
      const { maxTokens, depth, refresh } = settings
      const wanted = { maxTokens, sections: 0, depth, refresh, minCoverage: 0.8, ...options }
      const meanings = new Map<string, AskedMeaning>()
      for (const { question } of asked.questions) {
        const meaning = await folder.meaningOf(question)
        // Without embeddings the figures would not be those of the configured search.
        if (meaning.notices[0] !== undefined) throw new YoreError('BAD_CONFIG', meaning.notices[0])
        meanings.set(question, meaning)
      }
      return { evaluation: evaluateQuestions(asked, wanted, folder.context(freshness), meanings), freshness }
    },

    async standingOf(path) {
      const { findStanding } = await import('../../corpus/indexing/find-standing.ts')
      return findStanding(folder.open(), path, folder.place)
    },

    async doctor() {
      const { runDoctor } = await import('../../check/doctor/run-doctor.ts')
      return runDoctor(folder.place)
    },

    async push(name, options = {}) {
      const { pushCorpus } = await import('../exchange/push-corpus.ts')
      const { maxFileSize } = settings
      await index()
      const url = options.server ?? opened.env[`${product.environment}SERVER_URL`] ?? ''
      const key = opened.env[`${product.environment}SERVER_KEY`] ?? ''
      return pushCorpus(folder.open(), name, { ...options, root, maxFileSize, url, key })
    },
  }
}
