// What answers while the index is built? What is indexed so far, and an index of the other files that match the question, which is thrown away.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInScope, type Scope } from '../../answer/answering/choose-scope.ts'
import { analyzeQuery } from '../../answer/retrieve/analyze-query.ts'
import { addCallerWords, type CallerWords, listCallerWords } from '../../answer/retrieve/caller-words.ts'
import { repeatedFailure } from '../../corpus/store/ownership/build-record.ts'
import { isWritable } from '../../corpus/store/ownership/check-permission.ts'
import { type IndexPart, makePart } from '../../corpus/store/ownership/index-part.ts'
import type { Freshness, IndexProgress } from '../../model/report.ts'
import type { FileStamp } from '../../model/source-file.ts'
import { corpusEngine } from './corpus-engine.ts'
import type { CorpusEngine, QuestionEngine } from './engine.ts'
import { joinCorpora } from './join-corpora.ts'
import { type CorpusOptions, registerEngine } from './open-corpus.ts'
import { OpenFolder } from './open-folder.ts'
import { resumeIndexing } from './start-indexing.ts'

/** A part of a folder, as it is indexed. */
class OpenPart extends OpenFolder {
  readonly #freshness: Freshness

  constructor(place: { root: string; indexDir: string }, options: CorpusOptions, freshness: Freshness) {
    super(place, options)
    this.#freshness = freshness
  }

  override async refresh(): Promise<Freshness> {
    return this.#freshness
  }

  override lookAtFreshness(): Promise<Freshness> {
    return this.refresh()
  }
}

interface EarlyQuestion extends CallerWords, Scope {
  readonly query: string
}

/** The files that match the question best; null where the whole index is built first. */
async function chooseFiles(folder: OpenFolder, question: EarlyQuestion) {
  const { root, indexDir, settings, firstUse } = folder
  // It is judged by what is indexed.
  if (question.lang !== undefined) return null
  if (!isWritable(existsSync(indexDir) ? indexDir : dirname(indexDir))) return null
  const [{ openRoots, walkRoots }, { chooseFirstFiles }] = await Promise.all([
    import('../../corpus/indexing/open-roots.ts'),
    import('../../answer/retrieve/choose-first-files.ts'),
  ])
  const roots = await openRoots(folder.place)
  // Other roots are fetched by a whole run.
  if (roots.named.length > 0 || roots.dependencies) return null
  const { files } = walkRoots(roots, settings).walk
  firstUse.onEarly?.({ phase: 'looking', done: files.length, total: 0, bytesDone: 0, bytesTotal: 0 })
  const { terms, callerTerms = [] } = addCallerWords(analyzeQuery(question.query), listCallerWords(question))
  const chosen = chooseFirstFiles(root, files, [...terms, ...callerTerms], (path) =>
    isInScope(path, question),
  )
  return chosen === null || chosen.length === 0 ? null : { chosen, files }
}

/** What is indexed so far; nothing if one of these files is not as it was. */
function listIndexed(folder: OpenFolder, files: readonly FileStamp[]): ReadonlySet<string> {
  if (folder.missing !== null) return new Set()
  const stamps = folder.open().stamps()
  const now = new Map(files.map((file) => [file.path, file]))
  const isSame = ({ path, ...stamp }: FileStamp): boolean => {
    const file = now.get(path)
    return file?.size === stamp.size && file.mtime === stamp.mtime && file.ctime === stamp.ctime
  }
  return new Set(stamps.every(isSame) ? stamps.map(({ path }) => path) : [])
}

/** The answer of what is indexed so far and of the files that match; null where the whole index is built first. */
export async function answerEarly<T>(
  folder: OpenFolder,
  question: EarlyQuestion,
  answer: (engine: Pick<QuestionEngine, 'search' | 'assemble' | 'read'>) => Promise<T>,
): Promise<T | null> {
  const { root, indexDir, options } = folder
  const { onEarly = () => {} } = folder.firstUse
  const found = await chooseFiles(folder, question).finally(() => onEarly(null))
  if (found === null) return null
  const indexed = listIndexed(folder, found.files)
  const unread = found.chosen.filter(({ path }) => !indexed.has(path))
  const paths = unread.map(({ path }) => path)
  let part: IndexPart | null = null
  try {
    if (paths.length > 0) {
      const { indexCorpus } = await import('../../corpus/indexing/index-corpus.ts')
      part = makePart(indexDir, options.env)
      const place = { ...folder.place, indexDir: part.indexDir, paths, rebuild: false }
      const bytesTotal = unread.reduce((sum, { size }) => sum + size, 0)
      onEarly({ phase: 'reading', done: 0, total: paths.length, bytesDone: 0, bytesTotal })
      // The files are chosen: nothing is looked for again.
      const onProgress = (step: IndexProgress): void => (step.phase === 'looking' ? undefined : onEarly(step))
      await indexCorpus({ ...place, onProgress }).finally(() => onEarly(null))
    }
  } catch {
    // The whole run says what is wrong, or does without the space of a part.
    part?.remove()
    return null
  }
  const { build } = folder
  const failure = build.kind === 'growing' ? null : repeatedFailure(indexDir, options.clock())
  const early = indexed.size + paths.length
  const freshness: Freshness = {
    ...{ state: 'incomplete', early, changedFiles: Math.max(0, found.files.length - early), indexedAt: 0 },
    ...(build.kind === 'growing' ? build.freshness : {}),
    ...(failure === null ? {} : { failure }),
  }
  const dirs = [...(indexed.size === 0 ? [] : [indexDir]), ...(part === null ? [] : [part.indexDir])]
  const parts = dirs.map((dir) => openPart(new OpenPart({ root, indexDir: dir }, options, freshness)))
  try {
    const [only, ...others] = parts
    if (only !== undefined && others.length === 0) return await answer(only)
    const named = parts.map((engine) => ({ name: '', engine }))
    return await answer(joinCorpora(named, { areParts: true }))
  } finally {
    for (const engine of parts) engine.close()
    part?.remove()
    resumeIndexing({ root, indexDir, env: options.env }, options.clock())
  }
}

const openPart = (part: OpenPart): CorpusEngine => registerEngine(corpusEngine(part), part)
