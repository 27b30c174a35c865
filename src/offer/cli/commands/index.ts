// How does a folder become an index? `yore index` reads it, shows progress, and prints what was read, skipped and stored.
import path from 'node:path'
import { writeAddedRoots } from '../../../model/config/added-roots.ts'
import { findCorpus } from '../../../model/config/find-root.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import type { IndexProgress, IndexReport } from '../../../model/report.ts'
import type { Engine } from '../../engine/engine.ts'
import { toggle } from '../../operations/operation.ts'
import { type Command, corpusCommand } from '../command.ts'
import { describeRun, describeVectors } from '../describe-index.ts'
import { formatBytes, labelRows, outPalette, type Palette, printable, printableJson } from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import { countUnlisted, skippedByReason } from '../print-skipped.ts'
import { openProgressLine } from '../progress.ts'
import { handleInterrupt, hasQuietFlag, note, out, warnRefused } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'index',
    summary: 'Read the documents of a folder into an index; later runs read only what changed.',
    details: [
      'Inside a repository (a folder with .git or .yore above) the index is .yore in its top folder, and paths limit the run to parts of it.',
      'Sources outside of the folder are added by name and stay until they are removed: wiki=../wiki, https://host/name.git#v1, mirror=../name.git#v1. Their paths begin with the name; addresses are fetched again only with --fetch.',
      'Outside of a repository, `yore index docs` makes docs a corpus of its own, with its index in docs/.yore. --root takes precedence.',
    ],
    arguments: {
      path: {
        form: 'paths',
        required: false,
        help: 'Files or folders to index; NAME=FOLDER or an address to add.',
      },
    },
    options: {
      rebuild: toggle('Delete the old index and read everything again.'),
      dependencies: toggle(
        'Add README, documents and types of the installed packages that this project depends on.',
      ),
      remove: {
        type: 'text',
        value: 'name',
        help: 'Remove the source of this name; dependencies is a name, too.',
      },
      fetch: toggle('Fetch sources that were added by address again.'),
      ...corpusOptions,
      json,
    },
    examples: [
      'yore index',
      'yore index docs',
      'yore index --rebuild',
      'yore index wiki=../wiki',
      'yore index https://github.com/psf/requests#v2.32.3',
      'yore index --dependencies',
    ],
  },
  async ({ input, root, addedRoots, openEngine }) => {
    const report = await indexFolder(await openEngine(), input)
    if (addedRoots !== null) writeAddedRoots(root, process.env, addedRoots)
    if (input.json) out(printableJson(report))
    else if (!hasQuietFlag()) out(printIndex(report, { palette: outPalette(), rootFlag: rootFlag(root) }))
    return 0
  },
  { startsIndex: true },
)

/** Indexes with progress on the terminal, and closes the engine. */
async function indexFolder(
  engine: Engine,
  { path: paths, rebuild, fetch }: { path: readonly string[]; rebuild: boolean; fetch: boolean },
) {
  const progress = openProgressLine()
  const interruption = handleInterrupt((status) => {
    progress.clear()
    note('interrupted; run the same command again to continue')
    try {
      engine.close()
    } catch {
      // The process ends anyway; an unfinished write is rolled back when the index is next opened.
    }
    process.exit(status)
  })
  const onProgress = (step: IndexProgress): void => {
    // No handler runs while references are resolved; without one the system ends the process at once.
    interruption.listen(step.phase !== 'merging')
    progress.report(step)
  }
  try {
    const report = await engine.index({ paths, rebuild, fetch, onProgress })
    progress.clear()
    warnRefused(report.skipped)
    return report
  } finally {
    progress.clear()
    interruption.listen(false)
    engine.close()
  }
}

/** What a later command needs to find this corpus from the current folder. */
function rootFlag(root: string): string {
  const cwd = process.cwd()
  return findCorpus({ cwd }).root === root ? '' : ` --root ${path.relative(cwd, root) || '.'}`
}

interface PrintIndexOptions {
  readonly palette: Palette
  /** What to add to a command so that it finds this corpus from here: ` --root docs`, or nothing. */
  readonly rootFlag: string
}

export function printIndex(report: IndexReport, options: PrintIndexOptions): string {
  const { palette, rootFlag } = options
  const rows: [string, string][] = []
  for (const line of skippedByReason(report.skipped)) rows.push(['skipped', line])
  if (report.skipped.length > 0) rows.push(['', `\`yore status --skipped${rootFlag}\` lists them all`])
  for (const line of countUnlisted(report)) rows.push(['excluded', line])
  rows.push([
    'content',
    `${formatQuantity(report.files, 'file')}, ${formatQuantity(report.sections, 'section')}, ${formatQuantity(report.tokens, 'token')}`,
  ])
  if (report.vectors.note !== null) rows.push(['embeddings', describeVectors(report.vectors)])
  const size = `${formatBytes(report.indexBytes)} for ${formatBytes(report.sourceBytes)} of text`
  rows.push(['index', `${printable(report.indexPath)} (${size})`])
  for (const notice of report.notices) rows.push(['note', printable(notice)])
  if (report.unchanged === 0 && report.files > 0)
    rows.push(['next', `yore assemble "<your question>"${rootFlag}`])
  const table = labelRows(rows, palette).map((row) => `  ${row}`)
  return `${[palette.bold(describeRun(report)), ...table].join('\n')}\n`
}
