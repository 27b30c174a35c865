// Which files does setup change, or undo? Each with its text before and after; nothing is written here.
import { readFileSync } from 'node:fs'
import { guideMark } from '../../../corpus/indexing/written-by-yore.ts'
import { YoreError } from '../../../model/errors.ts'
import { dropBlock, putBlock } from './edit-block.ts'
import { dropEntries, type OwnEntry, putEntries } from './edit-json.ts'
import type { ClientFiles } from './setup-clients.ts'
import * as texts from './setup-texts.ts'

/** Null for a file that is not there. */
export interface PlannedChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** What setup needs in addition to the files of the client. */
export interface SetupParts {
  readonly server: texts.CommandWords
  /** How a person starts yore here, and how a hook does. */
  readonly command: string
  readonly hookCommand: string
}

/** Plans to add the parts; without them, to remove what setup wrote. Throws BAD_INPUT. */
export function planSetup(
  files: ClientFiles,
  parts: SetupParts | null,
): { readonly changes: readonly PlannedChange[]; readonly notes: readonly string[] } {
  const changes: PlannedChange[] = []
  const notes: string[] = []
  const edit = (
    file: string | null,
    add: (text: string | null, parts: SetupParts) => string,
    drop: (text: string) => string | null,
  ): void => {
    if (file === null) return
    const before = readText(file)
    const after = named(file, () => (parts === null ? before && drop(before) : add(before, parts)))
    if (before !== after) changes.push({ file, before, after })
  }
  const editJson = (file: string | null, entriesOf: (parts: SetupParts | null) => readonly OwnEntry[]) => {
    const keep = <T>({ text, taken }: { readonly text: T; readonly taken: readonly string[] }): T => {
      // Without its server a client has nothing of yore.
      if (parts !== null && file === files.config && taken.length > 0)
        throw new YoreError('BAD_INPUT', `it has an entry ${taken[0]} that setup did not write`, {
          hint: 'rename or remove that entry first',
        })
      for (const name of taken)
        notes.push(`${file} has an entry ${name} that setup did not write; it is kept`)
      return text
    }
    edit(
      file,
      (text) => keep(putEntries(text, entriesOf(parts))),
      (text) => keep(dropEntries(text, entriesOf(parts))),
    )
  }
  const keepForeign = <T>(text: string | null, other: T): string | T => {
    if (text === null || text.includes(guideMark)) return other
    notes.push(`${files.guide} was not written by yore and is kept`)
    return text
  }
  if (files.form !== 'toml')
    editJson(files.config, (given) => [texts.serverEntry(files, given?.server ?? [''])])
  else
    edit(
      files.config,
      (text, { server }) => texts.addToToml(text, files.servers, server),
      texts.removeFromToml,
    )
  edit(
    files.guide,
    (text, { command }) => keepForeign(text, texts.guideText(files.guide, command)),
    (text) => keepForeign(text, null),
  )
  edit(files.memory, (text, { command }) => putBlock(text, texts.blockLines(command)), dropBlock)
  editJson(files.hooks, (given) => texts.hookEntries(given?.hookCommand ?? ''))
  return { changes, notes }
}

/** The text of a file; null when it is not there. Throws BAD_INPUT. */
export function readText(file: string): string | null {
  try {
    // Bytes that are no text would not survive the edit.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    const hint = 'check that it is a text file in UTF-8 that you may read'
    throw new YoreError('BAD_INPUT', `cannot read ${file}`, { hint, cause })
  }
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
  const old = before?.trimEnd().split('\n') ?? []
  const now = after?.trimEnd().split('\n') ?? []
  let same = 0
  while (same < Math.min(old.length, now.length) && old[same] === now[same]) same++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - same && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const gone = after === null ? [] : old.slice(same, old.length - tail).map((line) => `- ${line}`)
  const come = now.slice(same, now.length - tail).map((line) => `+ ${line}`)
  return [`${verb} ${file}`, ...[...gone, ...come].map((line) => `    ${line}`.trimEnd())].join('\n')
}
