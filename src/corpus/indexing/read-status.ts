// What is the state of the index? Its contents, its freshness, and its embeddings.
import { statSync } from 'node:fs'
import type { Surroundings } from '../../model/config/engine-options.ts'
import type { Settings } from '../../model/config/settings.ts'
import { extractedExtensions } from '../../model/file-extensions.ts'
import { extensionOf } from '../../model/paths.ts'
import type { Freshness, SourceReport, StatusReport, VectorReport } from '../../model/report.ts'
import type { FileRow } from '../../model/section.ts'
import { yoreVersion } from '../../model/version.ts'
import { openEmbedder } from '../embed/open-embedder.ts'
import { roleOf } from '../graph/score-canonicality.ts'
import { fileKindOf } from '../lookup/kind-of-file.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { schemaVersion } from '../store/schema.ts'

/** Formats whose text is extracted; it is read as Markdown. */
const extracted: ReadonlySet<string> = new Set(Object.values(extractedExtensions).flat())

function tally(names: readonly (string | undefined)[]): Record<string, number> {
  const known = names.filter((name) => name !== undefined).sort()
  return Object.fromEntries([...Map.groupBy(known, String)].map(([name, same]) => [name, same.length]))
}

/** Files by language, by kind as `--kind` names it, generic ones by extension, and by the role that lowers their authority. */
function countFiles(files: readonly FileRow[]) {
  const languageOf = ({ path, language }: FileRow): string => {
    const extension = extensionOf(path).slice(1)
    return extracted.has(extension) ? extension : language
  }
  return {
    languages: tally(files.map(languageOf)),
    kinds: tally(files.map(fileKindOf)),
    generic: tally(
      files.map(({ path, language }) => (language === 'generic' ? extensionOf(path) : undefined)),
    ),
    roles: tally(files.map((file) => roleOf(file)?.reason)),
  }
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
    ...countFiles(reader.files()),
    skipped: reader.skipped(),
    ignored: reader.meta('ignored') ?? 0,
    unsupported: reader.meta('unsupported') ?? {},
    masked: reader.masks(),
    vectors: await reportVectors(reader, options),
    sources: listSources(reader),
  }
}
