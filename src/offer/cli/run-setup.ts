// How is a coding agent set up from a terminal? The changes are shown, agreed to, and written whole; or taken back.

import { existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { findCorpus } from '../../model/config/find-root.ts'
import { pathBelow } from '../../model/config/path-below.ts'
import { packageFile } from '../../model/config/read-formats.ts'
import { defaultSettings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import type { SetupInput } from '../operations/agent-operations.ts'
import { checkInput, completeInput, readCommandLine } from '../operations/check-input.ts'
import { operations } from '../operations/operations.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { describeChange, type PlannedChange, planSetup, planUndo, serverEntry } from './plan-setup.ts'
import { printable } from './printable.ts'
import { type ClientFiles, clientFiles } from './setup-clients.ts'
import { commandLine, type ServerEntry } from './setup-texts.ts'
import { canAsk, confirmed, note } from './terminal.ts'
import { writeOutput } from './write-output.ts'

export async function runSetup(request: CommandRequest): Promise<number> {
  const checked = checkInput(operations.setup, readCommandLine(operations.setup, request.given))
  const input = completeInput(operations.setup, checked, defaultSettings) as unknown as SetupInput
  const { root } = findCorpus({ cwd: process.cwd(), root: input.root })
  const files = clientFiles(input.client, input.scope, {
    root,
    home: homedir(),
    platform: process.platform,
    env: process.env,
  })
  if (input.scope === 'project') staysInside(files)
  const command = launchCommand(root, input.scope)
  const entry = serverEntry(files, command)
  const plan = input.undo ? planUndo(files, readText) : planSetup(files, entry, readText)
  for (const sentence of plan.notes) note(printable(sentence))
  if (plan.changes.length === 0) {
    note(input.undo ? 'there is nothing to undo' : `${input.client} is set up already`)
    return 0
  }
  process.stdout.write(`${plan.changes.map((change) => printable(describeChange(change))).join('\n\n')}\n`)
  if (!input.yes && !(await confirmed('Write this?'))) {
    // A person said no; a script was never asked.
    const asked = canAsk()
    note(`nothing was written${asked ? '' : ': without a terminal to ask on, --yes is needed'}`)
    return asked ? 0 : 1
  }
  for (const change of plan.changes) apply(change, files.base)
  note(input.undo ? 'what setup wrote is removed' : nextStep(input, entry))
  return 0
}

function nextStep({ client, scope }: SetupInput, entry: ServerEntry): string {
  const shared =
    scope === 'project' && entry.command !== 'npx'
      ? '; the command is a path of this machine: install yore in the project for a file that can be shared'
      : ''
  return `restart ${client}, and run \`${commandLine(entry)} index\` where that was not done yet${shared}`
}

/** The project's own yore where it has one, so that the file can be shared; else this one. Never a download. */
function launchCommand(root: string, scope: 'project' | 'user'): readonly [string, ...string[]] {
  const own = existsSync(path.join(root, 'node_modules', product.name, 'package.json'))
  if (scope === 'project' && own && process.platform !== 'win32') return ['npx', '--no', product.name]
  return [process.execPath, packageFile('bin/yore.js')]
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new YoreError('BAD_INPUT', `cannot read ${file}`, {
      hint: 'check that it is a file that you may read',
      cause,
    })
  }
}

/** A link in somebody else's repository must not lead a write to another place. */
function staysInside({ base, config, guide, hooks }: ClientFiles): void {
  const real = realpathSync(base)
  // Some clients keep the servers of a project in the home folder: that is no file of the project.
  for (const file of [config, guide, hooks].filter(
    (one) => one?.startsWith(base + path.sep) === true,
  ) as string[]) {
    let place = file
    while (!existsSync(place)) place = path.dirname(place)
    if (pathBelow(real, realpathSync(place)) === null)
      throw new YoreError('OUTSIDE_ROOT', `${file} leads out of the project by a link`)
  }
}

function apply({ file, after }: PlannedChange, base: string): void {
  if (after !== null) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeOutput(file, after)
    return
  }
  rmSync(file)
  // Folders that only held it go too.
  for (let folder = path.dirname(file); folder.startsWith(base + path.sep); folder = path.dirname(folder)) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
