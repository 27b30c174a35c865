// What is the state of the index? Its contents, its freshness, and its embeddings.
import { statSync } from 'node:fs'
import type { Surroundings } from '../../model/config/engine-options.ts'
import type { Settings } from '../../model/config/settings.ts'
import { extensionOf } from '../../model/paths.ts'
import type { Freshness, SourceReport, StatusReport, VectorReport } from '../../model/report.ts'
import type { FileRow } from '../../model/section.ts'
import { yoreVersion } from '../../model/version.ts'
import { openEmbedder } from '../embed/open-embedder.ts'
import { roleOf } from '../graph/score-canonicality.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { schemaVersion } from '../store/schema.ts'

type FileCounts = Pick<StatusReport, 'generic' | 'roles'>

/** Generic files by extension, and all files by the role that lowers their authority. */
function countFiles(files: readonly FileRow[]): FileCounts {
  const generic: Record<string, number> = Object.create(null)
  const roles: Record<string, number> = Object.create(null)
  for (const file of files) {
    const extension = extensionOf(file.path)
    if (file.language === 'generic') generic[extension] = (generic[extension] ?? 0) + 1
    const role = roleOf(file)?.reason
    if (role !== undefined) roles[role] = (roles[role] ?? 0) + 1
  }
  return { generic: { ...generic }, roles: { ...roles } }
}

interface StatusOptions extends Surroundings {
  readonly root: string
  readonly indexPath: string
  readonly settings: Settings
  readonly freshness: Freshness
}

async function reportVectors(reader: CorpusReader, options: StatusOptions): Promise<VectorReport> {
  const opened = await openEmbedder(options.settings)
  if ('missing' in opened) return { model: null, embedded: 0, total: 0, note: opened.missing }
  const { id } = opened.embedder
  opened.embedder.close()
  const { total, ids } = reader.vectors().pending(id)
  const note = ids.length > 0 ? 'run `yore index` to embed the rest' : null
  return { model: id, embedded: total - ids.length, total, note }
}

function listSources(reader: CorpusReader): readonly SourceReport[] {
  const named = reader.meta('roots') ?? []
  return named.map(({ name, entry, origin, fetchedAt = null }) => ({ name, entry, origin, fetchedAt }))
}

export async function readStatus(reader: CorpusReader, options: StatusOptions): Promise<StatusReport> {
  const { root, indexPath, freshness } = options
  const totals = reader.totals()
  return {
    root,
    indexPath,
    schemaVersion,
    yoreVersion,
    indexedAt: freshness.indexedAt,
    freshness,
    files: reader.count('files'),
    sections: reader.count('artifacts'),
    fragments: reader.count('fragments'),
    tokens: totals.tokens,
    indexBytes: statSync(indexPath).size,
    sourceBytes: totals.bytes,
    languages: totals.languages,
    ...countFiles(reader.files()),
    skipped: reader.skipped(),
    ignored: reader.meta('ignored') ?? 0,
    unsupported: reader.meta('unsupported') ?? {},
    masked: reader.masks(),
    vectors: await reportVectors(reader, options),
    sources: listSources(reader),
  }
}
