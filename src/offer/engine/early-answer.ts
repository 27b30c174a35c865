// What answers while there is no index? An index of the files that match the question, which is thrown away; a process builds the real one.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { analyzeQuery } from '../../answer/retrieve/analyze-query.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { openForReading } from '../../corpus/store/open-database.ts'
import { isWritable } from '../../corpus/store/ownership/check-permission.ts'
import { clearHome } from '../../corpus/store/ownership/index-home.ts'
import type { Freshness } from '../../model/report.ts'
import type { QuestionEngine } from './engine.ts'
import { type CorpusOptions, OpenCorpus } from './open-corpus.ts'
import type { OpenFolder } from './open-folder.ts'
import { questionEngine } from './question-engine.ts'
import { startIndexing } from './start-indexing.ts'

/** A part of a folder, indexed for one question. */
class OpenPart extends OpenCorpus {
  readonly root: string
  readonly indexPath: string
  readonly #freshness: Freshness

  constructor(root: string, indexDir: string, options: CorpusOptions, freshness: Freshness) {
    super(options)
    this.root = root
    this.indexPath = join(indexDir, 'index.db')
    this.#freshness = freshness
  }

  override open(): CorpusReader {
    const { root, options } = this
    this.reader ??= new CorpusReader(openForReading(this.indexPath, { root, env: options.env }))
    return this.reader
  }

  override async refresh(): Promise<Freshness> {
    return this.#freshness
  }

  override lookAtFreshness(): Promise<Freshness> {
    return this.refresh()
  }
}

/** The answer of an index of matching files; null where the whole index is built first. */
export async function answerEarly<T>(
  folder: OpenFolder,
  question: string,
  answer: (engine: Pick<QuestionEngine, 'search' | 'assemble'>) => Promise<T>,
): Promise<T | null> {
  const { root, indexDir, settings, options } = folder
  if (!isWritable(existsSync(indexDir) ? indexDir : dirname(indexDir))) return null
  const [{ openRoots, walkRoots }, { chooseFirstFiles }, { indexCorpus }] = await Promise.all([
    import('../../corpus/indexing/open-roots.ts'),
    import('../../corpus/indexing/choose-first-files.ts'),
    import('../../corpus/indexing/index-corpus.ts'),
  ])
  const roots = await openRoots(folder.place)
  // Other roots are fetched by a whole run.
  if (roots.named.length > 0 || roots.dependencies !== 'none') return null
  const { files } = walkRoots(roots, settings).walk
  const chosen = chooseFirstFiles(root, files, analyzeQuery(question).terms)
  if (chosen === null) return null
  const partDir = mkdtempSync(join(tmpdir(), 'yore-part-'))
  const freshness: Freshness = {
    state: 'incomplete',
    early: chosen.length,
    changedFiles: files.length - chosen.length,
    indexedAt: 0,
  }
  const part = new OpenPart(root, partDir, options, freshness)
  try {
    const paths = chosen.map(({ path }) => path)
    await indexCorpus({ ...folder.place, indexDir: partDir, paths, rebuild: false })
    return await answer(questionEngine(part))
  } finally {
    part.close()
    clearHome(partDir, options.env)
    rmSync(partDir, { recursive: true, force: true })
    if (!folder.isBeingBuilt) startIndexing({ root, indexDir, env: options.env })
  }
}
