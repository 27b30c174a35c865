// Which files change when an agent is set up, or set back? Each with its text before and after; nothing is written here.
import { YoreError } from '../../errors.ts'
import { guideMark } from '../../indexing/written-by-yore.ts'
import type { ClientFiles } from './setup-clients.ts'
import {
  addToJson,
  addToToml,
  guideText,
  hasForeignEntry,
  removeFromJson,
  removeFromToml,
  type ServerEntry,
} from './setup-texts.ts'

/** Null for a file that is not there. */
export interface PlannedChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** What it was not allowed to change, in one sentence each. */
interface SetupPlan {
  readonly changes: readonly PlannedChange[]
  readonly notes: readonly string[]
}

export type ReadSetupFile = (file: string) => string | null

/** The command that starts the server for this client. */
export function serverEntry(files: ClientFiles, command: readonly [string, ...string[]]): ServerEntry {
  const [first, ...rest] = command
  const root = files.workspace === null ? [] : ['--root', files.workspace]
  return { ...(files.typed ? { type: 'stdio' } : {}), command: first, args: [...rest, 'mcp', ...root] }
}

export function planSetup(files: ClientFiles, entry: ServerEntry, read: ReadSetupFile): SetupPlan {
  const config = read(files.config)
  const add = files.form === 'json' ? addToJson : addToToml
  const guide = read(files.guide)
  const foreign = guide !== null && !guide.includes(guideMark)
  return plan(
    [
      {
        file: files.config,
        before: config,
        after: named(files.config, () => add(config, files.servers, entry)),
      },
      { file: files.guide, before: guide, after: foreign ? guide : guideText(files.guideForm, entry) },
    ],
    foreign ? [`${files.guide} was not written by yore and stays as it is`] : [],
  )
}

export function planUndo(files: ClientFiles, read: ReadSetupFile): SetupPlan {
  const config = read(files.config)
  const guide = read(files.guide)
  const foreign = guide !== null && !guide.includes(guideMark)
  const remove = (text: string): string | null =>
    files.form === 'json' ? removeFromJson(text, files.servers) : removeFromToml(text)
  const ownEntry = config !== null && files.form === 'json' && hasForeignEntry(config, files.servers)
  return plan(
    [
      {
        file: files.config,
        before: config,
        after: config === null ? null : named(files.config, () => remove(config)),
      },
      { file: files.guide, before: guide, after: foreign ? guide : null },
    ],
    [
      ...(ownEntry ? [`${files.config} has an entry yore that setup did not write; it stays as it is`] : []),
      ...(foreign ? [`${files.guide} was not written by yore and stays as it is`] : []),
    ],
  )
}

function plan(changes: readonly PlannedChange[], notes: readonly string[]): SetupPlan {
  return { changes: changes.filter(({ before, after }) => before !== after), notes }
}

/** An error about a file names it. */
function named<T>(file: string, edit: () => T): T {
  try {
    return edit()
  } catch (cause) {
    if (!(cause instanceof YoreError)) throw cause
    throw new YoreError(cause.code, `cannot edit ${file}: ${cause.message}`, { hint: cause.hint, cause })
  }
}

/** What a person is shown: the lines that come and go, without those that stay around them. */
export function describeChange({ file, before, after }: PlannedChange): string {
  const verb = before === null ? 'create' : after === null ? 'remove' : 'change'
  const old = before === null ? [] : before.trimEnd().split('\n')
  const now = after === null ? [] : after.trimEnd().split('\n')
  let same = 0
  while (same < Math.min(old.length, now.length) && old[same] === now[same]) same++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - same && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const gone = after === null ? [] : old.slice(same, old.length - tail).map((line) => `- ${line}`)
  const come = now.slice(same, now.length - tail).map((line) => `+ ${line}`)
  return [`${verb} ${file}`, ...[...gone, ...come].map((line) => `    ${line}`.trimEnd())].join('\n')
}
