// How does an agent get an overview? A map of the corpus with what is indexed, the parts of a file, or what changed since a commit.
import { YoreError } from '../../../model/errors.ts'
import type { StatusReport } from '../../../model/report.ts'
import type { CorpusEngine, Engine } from '../../engine/engine.ts'
import { operations } from '../../operations/operations.ts'
import { reportResult } from '../make-results.ts'
import { defineTool, type Tool } from '../tool.ts'

export const outline: Tool = defineTool(
  {
    name: 'outline',
    description:
      'Map this repository and say what is indexed; with place, outline a file; with since, list changes since a commit and stale documents. Call it for an overview; not for text (read). Example: {"place": "src/app.ts"}',
    operation: operations.outline,
    inputs: ['place', 'question', 'since'],
    unlisted: ['maxTokens'],
  },
  async (input, { engine: asked, ...call }) => {
    const engine = asked as CorpusEngine
    const { place = null, since } = input
    if (since !== undefined) {
      if (!isFolder(engine))
        throw new YoreError('BAD_INPUT', 'this corpus has no commits to compare with', {
          hint: 'call outline without since',
        })
      return reportResult(input, call, {
        next: 'Read path:lines for the text.',
        make: (maxTokens) => engine.diff(since, { maxTokens }),
      })
    }
    return reportResult(input, call, {
      next: place === null ? 'Outline a file for its parts, or read it.' : 'Read path:lines for the text.',
      about: place === null ? describeStatus(await readStatus(engine)) : '',
      make: (maxTokens) => engine.outline(place, { ...input, maxTokens }),
    })
  },
)

const isFolder = (engine: CorpusEngine): engine is Engine => 'diff' in engine

/** The state of the index, which is built or completed first. */
async function readStatus(engine: CorpusEngine): Promise<StatusReport> {
  const read = (): Promise<StatusReport> => engine.status({ refresh: 'never' })
  try {
    const report = await read()
    if (report.freshness.state !== 'incomplete') return report
  } catch (cause) {
    if (!(cause instanceof YoreError)) throw cause
  }
  await engine.outline(null)
  return read()
}

function describeStatus(report: StatusReport): string {
  const { files, sections, tokens, languages, skipped, masked, vectors, yoreVersion } = report
  const kinds = Object.entries(languages).map(([language, count]) => `${language} ${count}`)
  const by = vectors.model === null ? 'words' : 'words and embeddings'
  return `${files} files (${kinds.join(', ')}), ${sections} sections, ${tokens} tokens; ${skipped.length} files skipped, ${masked.length} secrets masked; search by ${by}; yore ${yoreVersion}.`
}
