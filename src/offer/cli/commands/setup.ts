// How are coding agents set up? `yore setup` finds them, shows the changes, asks, and writes each file whole; --undo takes them back.
import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { isSea } from 'node:sea'
import { writeAddedRoots } from '../../../model/config/added-roots.ts'
import { findCorpus } from '../../../model/config/find-root.ts'
import { pathBelow } from '../../../model/config/path-below.ts'
import { packageFile } from '../../../model/config/read-formats.ts'
import { YoreError } from '../../../model/errors.ts'
import { product } from '../../../model/version.ts'
import { type Command, plainCommand } from '../command.ts'
import { printable } from '../format.ts'
import { corpusOptions, scope } from '../options.ts'
import { blockEntries, describeRepository, readText, refuseLinkOut } from '../setup/agent-block.ts'
import { describeChange, type PlannedChange, planSetup, planUndo, serverEntry } from '../setup/plan-setup.ts'
import {
  type AgentClient,
  agentClients,
  type ClientFiles,
  clientFiles,
  detectClients,
  isOnPath,
  type SetupPlace,
} from '../setup/setup-clients.ts'
import { commandLine } from '../setup/setup-texts.ts'
import { canAsk, confirmed, note, out } from '../terminal.ts'
import { writeOutput } from '../write-output.ts'

interface SetupInput {
  readonly scope: 'project' | 'user'
  readonly undo: boolean
  readonly yes: boolean
}

export const command: Command = plainCommand(
  {
    name: 'setup',
    summary: 'Configure coding agents to use yore, after showing the changes; --undo reverts them.',
    details: [
      'Without a client it offers each one that is installed; --yes sets up all.',
      'It adds the MCP server, a short skill or rule, a block in AGENTS.md, CLAUDE.md or GEMINI.md that `yore index` refreshes, and for Claude Code two hooks: what is indexed, and what the index knows about the pattern of a search. Nothing is written without confirmation, other text stays unchanged, and files of the project get no path of this machine.',
    ],
    arguments: {
      client: {
        form: 'choice',
        required: false,
        choices: agentClients,
        help: 'Which agent.',
      },
    },
    options: {
      scope,
      undo: { type: 'switch', help: 'Remove what setup wrote.' },
      yes: { type: 'switch', help: 'Write without asking.' },
      root: corpusOptions.root,
    },
    examples: [
      'yore setup',
      'yore setup claude-code',
      'yore setup codex --scope user --yes',
      'yore setup cursor --undo',
    ],
  },
  async ({ client, root: given, ...input }) => {
    const { root } = findCorpus({ cwd: process.cwd(), root: given })
    const place = { root, home: homedir(), platform: process.platform, env: process.env }
    if (client !== undefined) return setUp(client, place, input)
    const found = detectClients(input.scope, place)
    if (found.length === 0)
      throw new YoreError('BAD_INPUT', 'no coding agent was found on this machine', {
        hint: `name one: yore setup ${agentClients.join('|')}`,
      })
    if (!input.yes && !canAsk()) {
      const flags = `${input.scope === 'user' ? ' --scope user' : ''}${input.undo ? ' --undo' : ''}`
      out(`${found.map((one) => `yore setup ${one}${flags}`).join('\n')}\n`)
      note(`found ${found.length}; \`yore setup${flags} --yes\` runs all of these`)
      return 1
    }
    let status = 0
    for (const one of found) {
      // One client with a file that cannot be edited does not keep the others from being set up.
      const ended = await setUp(one, place, input).catch((error: unknown) => {
        if (!(error instanceof YoreError)) throw error
        note(printable(`${one}: ${error.message}; ${error.hint}`))
        return 1
      })
      status = Math.max(status, ended)
    }
    return status
  },
)

/** Shows the changes for one client, asks, and writes them. Gives the exit status. */
async function setUp(
  client: AgentClient,
  place: SetupPlace,
  { scope, undo, yes }: SetupInput,
): Promise<number> {
  const files = withImport(clientFiles(client, scope, place))
  if (scope === 'project') staysInside(files)
  const parts = undo ? null : await makeParts(files, place, scope)
  const plan =
    parts === null
      ? planUndo(withoutShared(client, files, place), readText)
      : planSetup(files, parts, readText)
  for (const sentence of plan.notes) note(printable(sentence))
  if (plan.changes.length === 0) {
    note(undo ? `${client}: nothing to undo` : `${client} is set up already`)
    if (scope === 'project') rememberBlock(client, undo ? null : files.memory, place)
    return 0
  }
  out(`${plan.changes.map((change) => printable(describeChange(change))).join('\n\n')}\n`)
  if (!yes && !(await confirmed(`Write this for ${client}?`))) {
    // Declining is a success; a script that cannot be asked gets an error status.
    const asked = canAsk()
    note(`nothing was written${asked ? '' : ': use --yes without a terminal'}`)
    return asked ? 0 : 1
  }
  for (const change of plan.changes) apply(change, files.base)
  if (scope === 'project') rememberBlock(client, undo ? null : files.memory, place)
  note(parts === null ? `${client}: removed what setup wrote` : nextStep(client, parts.command, place))
  return 0
}

async function makeParts(
  files: ClientFiles,
  place: SetupPlace,
  scope: 'project' | 'user',
): Promise<Parameters<typeof planSetup>[1]> {
  const shared = scope === 'project' ? sharedCommand(place.root) : ownCommand()
  const isInProject = pathBelow(place.root, files.config) !== null
  const entry = serverEntry(files, scope === 'project' && !isInProject ? ownCommand() : shared)
  const command = commandLine(shared)
  return {
    entry,
    command,
    // npx takes longer to start than a search may wait.
    hookCommand:
      shared[0] === 'npx' ? `node "$CLAUDE_PROJECT_DIR/node_modules/${product.name}/bin/yore.js"` : command,
    block: files.memory === null ? [] : await readBlock(place.root),
  }
}

/** The lines of the block, from the index where there is one that can be read. */
async function readBlock(root: string): Promise<readonly string[]> {
  const { indexDir } = findCorpus({ cwd: root, root })
  if (!existsSync(path.join(indexDir, 'index.db'))) return describeRepository(null, root)
  const { openEngine } = await import('../../engine/open-engine.ts')
  try {
    using engine = openEngine(root)
    return await describeRepository(engine, root)
  } catch {
    return describeRepository(null, root)
  }
}

/** A CLAUDE.md that imports AGENTS.md gets no block of its own. */
function withImport(files: ClientFiles): ClientFiles {
  const { memory } = files
  if (memory === null || !/^@(?:\.\/)?AGENTS\.md\s*$/m.test(readText(memory) ?? '')) return files
  return { ...files, memory: path.join(path.dirname(memory), 'AGENTS.md') }
}

/** A block that another client needs, too, stays. */
function withoutShared(client: string, files: ClientFiles, { root, env }: SetupPlace): ClientFiles {
  const name = files.memory === null ? '' : path.basename(files.memory)
  const others = blockEntries(root, env).filter(
    (entry) => entry.endsWith(` ${name}`) && !entry.startsWith(`${client} `),
  )
  return others.length === 0 ? files : { ...files, memory: null }
}

/** Remembers that `yore index` may refresh the block of a client; with null, that it may not. */
function rememberBlock(client: string, file: string | null, { root, env }: SetupPlace): void {
  const known = blockEntries(root, env)
  const others = known.filter((entry) => !entry.startsWith(`${client} `))
  const now = file === null ? others : [...others, `${client} ${path.basename(file)}`]
  if (now.length > 0 || known.length > 0) writeAddedRoots(root, env, now, 'agent-blocks')
}

function nextStep(client: string, command: string, place: SetupPlace): string {
  const missing =
    command === product.name && !isOnPath(product.name, place)
      ? `; \`${product.name}\` is not on PATH: install it with \`npm install --global ${product.name}\`, or in the project and run this again`
      : ''
  return `restart ${client}, and run \`${command} index\` where that was not done yet${missing}`
}

/** A command that means the same on every machine: the project's own yore where it has one, else that on PATH. Never a download. */
function sharedCommand(root: string): readonly [string, ...string[]] {
  const own = existsSync(path.join(root, 'node_modules', product.name, 'package.json'))
  // Windows starts the scripts of npm only by a shell.
  if (process.platform === 'win32') return ['cmd', '/c', product.name]
  return own ? ['npx', '--no', product.name] : [product.name]
}

function ownCommand(): readonly [string, ...string[]] {
  return isSea() ? [process.execPath] : [process.execPath, packageFile('bin/yore.js')]
}

/** Throws OUTSIDE_ROOT if a symbolic link of the repository would redirect a write. */
function staysInside({ base, config, guide, hooks, memory }: ClientFiles): void {
  // Some clients keep the servers of a project in the home folder.
  for (const file of [config, guide, hooks, memory])
    if (file !== null && pathBelow(base, file) !== null) refuseLinkOut(base, file)
}

function apply({ file, after }: PlannedChange, base: string): void {
  if (after !== null) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeOutput(file, after)
    return
  }
  rmSync(file)
  // Remove folders that are empty now.
  const top = pathBelow(base, file) === null ? homedir() : base
  for (let folder = path.dirname(file); folder.startsWith(top + path.sep); folder = path.dirname(folder)) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
