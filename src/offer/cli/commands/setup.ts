// How is a coding agent set up? `yore setup` shows the changes, asks, and writes each file whole; --undo takes them back.
import { existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { findCorpus } from '../../../model/config/find-root.ts'
import { pathBelow } from '../../../model/config/path-below.ts'
import { packageFile } from '../../../model/config/read-formats.ts'
import { YoreError } from '../../../model/errors.ts'
import { product } from '../../../model/version.ts'
import { type Command, plainCommand } from '../command.ts'
import { printable } from '../format.ts'
import { corpusOptions } from '../options.ts'
import { describeChange, type PlannedChange, planSetup, planUndo, serverEntry } from '../setup/plan-setup.ts'
import { agentClients, type ClientFiles, clientFiles } from '../setup/setup-clients.ts'
import { commandLine, type ServerEntry } from '../setup/setup-texts.ts'
import { canAsk, confirmed, note, out } from '../terminal.ts'
import { writeOutput } from '../write-output.ts'

export const command: Command = plainCommand(
  {
    name: 'setup',
    summary: 'Configure a coding agent to use yore, after showing the changes; --undo reverts them.',
    details: [
      'It adds the MCP server and a short skill or rule that says when to ask yore, and for Claude Code two hooks: what is indexed when a session starts, and what the index knows about the pattern of a search. Nothing is written without confirmation, and other entries of a file stay unchanged.',
    ],
    arguments: { client: { form: 'choice', required: true, choices: agentClients, help: 'Which agent.' } },
    options: {
      scope: {
        type: 'text',
        default: 'project',
        choices: ['project', 'user'],
        help: 'For this project, or for all projects of this user.',
      },
      undo: { type: 'switch', help: 'Remove what setup wrote.' },
      yes: { type: 'switch', help: 'Write without asking.' },
      root: corpusOptions.root,
    },
    examples: ['yore setup claude-code', 'yore setup codex --scope user --yes', 'yore setup cursor --undo'],
  },
  async ({ client, scope, undo, yes, root: given }) => {
    const { root } = findCorpus({ cwd: process.cwd(), root: given })
    const files = clientFiles(client, scope, {
      root,
      home: homedir(),
      platform: process.platform,
      env: process.env,
    })
    if (scope === 'project') staysInside(files)
    const entry = serverEntry(files, launchCommand(root, scope))
    const plan = undo ? planUndo(files, readText) : planSetup(files, entry, readText)
    for (const sentence of plan.notes) note(printable(sentence))
    if (plan.changes.length === 0) {
      note(undo ? 'nothing to undo' : `${client} is set up already`)
      return 0
    }
    out(`${plan.changes.map((change) => printable(describeChange(change))).join('\n\n')}\n`)
    if (!yes && !(await confirmed('Write this?'))) {
      // Declining is a success; a script that cannot be asked gets an error status.
      const asked = canAsk()
      note(`nothing was written${asked ? '' : ': use --yes without a terminal'}`)
      return asked ? 0 : 1
    }
    for (const change of plan.changes) apply(change, files.base)
    note(undo ? 'removed what setup wrote' : nextStep(client, scope, entry))
    return 0
  },
)

function nextStep(client: string, scope: 'project' | 'user', entry: ServerEntry): string {
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

/** Throws OUTSIDE_ROOT if a symbolic link of the repository would redirect a write. */
function staysInside({ base, config, guide, hooks }: ClientFiles): void {
  const real = realpathSync(base)
  // Some clients keep the servers of a project in the home folder.
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
  // Remove folders that are empty now.
  for (let folder = path.dirname(file); folder.startsWith(base + path.sep); folder = path.dirname(folder)) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
