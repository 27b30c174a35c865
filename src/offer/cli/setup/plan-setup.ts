// Which files does setup change, or undo? Each with its text before and after; nothing is written here.

import { guideMark } from '../../../corpus/indexing/written-by-yore.ts'
import { YoreError } from '../../../model/errors.ts'
import { dropBlock, putBlock } from './edit-block.ts'
import type { ClientFiles } from './setup-clients.ts'
import {
  addHooks,
  addToJson,
  addToToml,
  guideText,
  hasForeignEntry,
  removeFromJson,
  removeFromToml,
  removeHooks,
  type ServerEntry,
  writeEntry,
} from './setup-texts.ts'

/** Null for a file that is not there. */
export interface PlannedChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

interface SetupPlan {
  readonly changes: readonly PlannedChange[]
  readonly notes: readonly string[]
}

export type ReadSetupFile = (file: string) => string | null

/** The command that starts the server for this client. */
export function serverEntry(files: ClientFiles, command: readonly [string, ...string[]]): ServerEntry {
  const [first, ...rest] = command
  const root = files.workspace === null ? [] : ['--root', files.workspace]
  return { command: first, args: [...rest, 'mcp', ...root] }
}

/** What setup needs in addition to the files of the client. */
interface SetupParts {
  readonly entry: ServerEntry
  /** How a person starts yore here, and how a hook does. */
  readonly command: string
  readonly hookCommand: string
  /** The lines of the block in the file that the client always reads. */
  readonly block: readonly string[]
}

export function planSetup(files: ClientFiles, parts: SetupParts, read: ReadSetupFile): SetupPlan {
  const { entry, hookCommand, block } = parts
  const { config, servers, form, guide, hooks } = files
  const added = hooks === null ? null : named(hooks, () => addHooks(read(hooks), hookCommand))
  return plan(
    [
      ...change(config, read, (text) =>
        form === 'json'
          ? addToJson(text, servers, writeEntry(files.entry, entry))
          : addToToml(text, servers, entry),
      ),
      ...changeGuide(guide, read, () => guideText(files.guideForm, parts.command)),
      ...change(files.memory, read, (text) => putBlock(text, block)),
      ...change(hooks, read, (text) => added?.text ?? text),
    ],
    [
      ...noteGuide(guide, read),
      ...(added?.taken ?? []).map((event) => `${hooks} has other hooks for ${event}, so none was added`),
    ],
  )
}

export function planUndo(files: ClientFiles, read: ReadSetupFile): SetupPlan {
  const { config, servers, form, guide, hooks } = files
  const before = read(config)
  const ownEntry = before !== null && form === 'json' && hasForeignEntry(before, servers)
  const ifThere = (edit: (text: string) => string | null) => (text: string | null) =>
    text === null ? null : edit(text)
  const removeServer = (text: string): string | null =>
    form === 'json' ? removeFromJson(text, servers) : removeFromToml(text)
  return plan(
    [
      ...change(config, read, ifThere(removeServer)),
      ...changeGuide(guide, read, () => null),
      ...change(files.memory, read, ifThere(dropBlock)),
      ...change(hooks, read, ifThere(removeHooks)),
    ],
    [
      ...(ownEntry ? [`${config} has an entry yore that setup did not write; it is kept`] : []),
      ...noteGuide(guide, read),
    ],
  )
}

const isForeignGuide = (text: string | null): boolean => text !== null && !text.includes(guideMark)

function changeGuide(
  file: string | null,
  read: ReadSetupFile,
  after: () => string | null,
): readonly PlannedChange[] {
  return change(file, read, (text) => (isForeignGuide(text) ? text : after()))
}

function change(
  file: string | null,
  read: ReadSetupFile,
  edit: (text: string | null) => string | null,
): readonly PlannedChange[] {
  if (file === null) return []
  const before = read(file)
  return [{ file, before, after: named(file, () => edit(before)) }]
}

function noteGuide(file: string | null, read: ReadSetupFile): string[] {
  return file !== null && isForeignGuide(read(file)) ? [`${file} was not written by yore and is kept`] : []
}

function plan(changes: readonly PlannedChange[], notes: readonly string[]): SetupPlan {
  return { changes: changes.filter(({ before, after }) => before !== after), notes }
}

/** Adds the name of the file to an error. */
function named<T>(file: string, edit: () => T): T {
  try {
    return edit()
  } catch (cause) {
    if (!(cause instanceof YoreError)) throw cause
    throw new YoreError(cause.code, `cannot edit ${file}: ${cause.message}`, { hint: cause.hint, cause })
  }
}

/** The change as a short diff. */
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
