// How are coding agents set up? `yore setup` finds them, shows the files, asks, and writes each file whole; --undo takes them back.
import { existsSync, mkdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { isSea } from 'node:sea'
import { judgeOwnPackage, listIgnored } from '../../../check/judge-own-package.ts'
import { findCorpus } from '../../../model/config/find-root.ts'
import { pathBelow } from '../../../model/config/path-below.ts'
import { packageFile } from '../../../model/config/read-formats.ts'
import { locateDocs, YoreError } from '../../../model/errors.ts'
import { product } from '../../../model/version.ts'
import { oneOf, toggle } from '../../operations/operation.ts'
import { type Command, plainCommand } from '../command.ts'
import { printable } from '../format.ts'
import { corpusOptions } from '../options.ts'
import {
  describeChange,
  type PlannedChange,
  planSetup,
  readText,
  type SetupParts,
} from '../setup/plan-setup.ts'
import {
  type AgentClient,
  agentClients,
  type ClientFiles,
  clientFiles,
  detectClients,
  isOnPath,
  type SetupPlace,
  type SetupScope,
} from '../setup/setup-clients.ts'
import { type CommandWords, commandLine } from '../setup/setup-texts.ts'
import { canAsk, confirmed, isVerbose, note, out } from '../terminal.ts'
import { writeOutput } from '../write-output.ts'

export const command: Command = plainCommand(
  {
    name: 'setup',
    summary: 'Configure coding agents to use yore, after showing the files; --undo reverts them.',
    details: [
      'Without a client it offers each one that is installed; --yes sets up all.',
      'It adds the MCP server, a short skill or rule, three lines in AGENTS.md, CLAUDE.md or GEMINI.md, and for Claude Code two hooks: what is indexed, and what the index knows about the pattern of a search. Nothing is written without confirmation, other text stays unchanged, and files of the project get no path of this machine where yore is on PATH or installed in the project, except on Windows.',
    ],
    arguments: { client: { form: 'choice', required: false, choices: agentClients, help: 'Which agent.' } },
    options: {
      scope: oneOf('project', ['project', 'user'], 'For this project, or for all projects of this user.'),
      undo: toggle('Remove what setup wrote.'),
      yes: toggle('Write without asking; --verbose shows the changes.'),
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
    const found = detectClients(place)
    if (found.length === 0) {
      const names = agentClients.join('|')
      note('no coding agent was found on this machine, and nothing was written')
      const others = locateDocs('others: {docs}/guides/other-agents.md')
      note(`to write the files of one: yore setup ${names}; ${others}`)
      return 0
    }
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

const sharing = `\`npm install --save-dev ${product.name}\` and run this again`

/** Shows the changes for one client, asks, and writes them. Gives the exit status. */
async function setUp(
  client: AgentClient,
  place: SetupPlace,
  { scope, undo, yes }: { readonly scope: SetupScope; readonly undo: boolean; readonly yes: boolean },
): Promise<number> {
  const { root } = place
  const files = findFiles(client, scope, place)
  const parts = undo ? null : makeParts(files, place, scope)
  const isShared = undo && hasOtherClient(client, files.memory, place)
  const { changes, notes } = planSetup(isShared ? { ...files, memory: null } : files, parts)
  for (const sentence of notes) note(printable(sentence))
  if (changes.length > 0) {
    const isShort = (yes || canAsk()) && !isVerbose()
    // A person sees what becomes of an existing file.
    const isNamed = ({ before, after }: PlannedChange): boolean =>
      isShort && (yes || before === null || after === null)
    const described = changes.map((change) =>
      printable(isNamed(change) ? nameChange(change, client, files) : describeChange(change)),
    )
    out(`${described.join(isShort ? '\n' : '\n\n')}\n`)
    const how = isShort ? ' (--verbose shows new files)' : ''
    if (!yes && !(await confirmed(`${undo ? 'Undo' : 'Write'} this for ${client}${how}?`))) {
      // Declining is a success; a script that cannot be asked gets an error status.
      const asked = canAsk()
      note(`nothing was written${asked ? '' : ': use --yes without a terminal'}`)
      return asked ? 0 : 1
    }
    refuseChanged(changes)
    for (const change of changes) apply(change, files.base)
  }
  if (parts === null)
    note(`${client}: ${changes.length > 0 ? 'removed what setup wrote' : 'nothing to undo'}`)
  else if (changes.length === 0) note(`${client} is set up already`)
  else {
    const paths = changes.map(({ file }) => path.relative(root, file))
    const ignored = scope === 'project' ? listIgnored(root, paths) : []
    if (ignored.length > 0) note(printable(`git ignores ${ignored.join(', ')}: other clones do not get them`))
    note(
      `restart ${client} and ask about this repository (without an index, the first question builds it); --undo takes it back`,
    )
    const isOurs = scope === 'project' && place.platform !== 'win32' && path.isAbsolute(parts.server[0])
    if (isOurs) note(`the files have a path of this machine; to share them, ${sharing}`)
  }
  return 0
}

/** `claude-code  .mcp.json  MCP server`. */
function nameChange({ file }: PlannedChange, client: AgentClient, files: ClientFiles): string {
  const uses = { [files.config]: 'MCP server', [files.guide]: 'when to use it' }
  const hooks = file === files.hooks ? 'hooks for sessions and searches' : null
  // The longest name has 28 columns.
  return `${client}  ${path.relative(files.base, file).padEnd(28)}  ${uses[file] ?? hooks ?? 'three lines for every session'}`
}

/** Throws OUTSIDE_ROOT if a symbolic link of the repository would redirect a write. */
function refuseLinkOut(base: string, file: string): void {
  let place = file
  while (!existsSync(place)) place = path.dirname(place)
  if (pathBelow(realpathSync(base), realpathSync(place)) === null)
    throw new YoreError('OUTSIDE_ROOT', `${file} leads out of the project by a link`)
}

/** The files of a client. Throws OUTSIDE_ROOT if a symbolic link of the repository would redirect a write. */
function findFiles(client: AgentClient, scope: SetupScope, place: SetupPlace): ClientFiles {
  const files = clientFiles(client, scope, place)
  const { base, config, guide, hooks, memory } = files
  if (scope === 'project')
    for (const file of [config, guide, hooks, memory]) if (file !== null) refuseLinkOut(base, file)
  // A CLAUDE.md that imports AGENTS.md gets no block of its own.
  if (memory === null || !/^@(?:\.\/)?AGENTS\.md\s*$/m.test(readText(memory) ?? '')) return files
  const imported = path.join(path.dirname(memory), 'AGENTS.md')
  refuseLinkOut(base, imported)
  return { ...files, memory: imported }
}

function makeParts(files: ClientFiles, place: SetupPlace, scope: SetupScope): SetupParts {
  const words = scope === 'project' ? sharedCommand(place) : ownCommand()
  const command = commandLine(words)
  // npx takes longer to start than a search may wait.
  const launcher = `node "$CLAUDE_PROJECT_DIR/node_modules/${product.name}/bin/yore.js"`
  return {
    server: [...words, 'mcp', ...(files.openFolder === null ? [] : ['--root', files.openFolder])],
    command,
    hookCommand: words[0] === 'npx' ? launcher : command,
  }
}

/** Does another client that is set up here need the block in this file, too? */
const hasOtherClient = (client: AgentClient, memory: string | null, place: SetupPlace): boolean =>
  agentClients.some((other) => {
    if (other === client || memory === null) return false
    const files = findFiles(other, 'project', place)
    return files.memory === memory && readText(files.config)?.includes(product.name) === true
  })

/**
 * A command that means the same on every machine: the yore that the user installed in the project, else that on PATH. Where
 * there is neither, this installation, which starts here. Never a download.
 */
function sharedCommand(place: SetupPlace): CommandWords {
  const { root, platform } = place
  // Windows looks for a program in the current folder first, so that the repository could supply it.
  if (platform === 'win32') return ownCommand()
  const own = judgeOwnPackage(root)
  if (own !== null && own.why !== null) note(`node_modules/${product.name} is not used: ${own.why}`)
  if (own?.why === null) return ['npx', '--no', product.name]
  return isOnPath(product.name, place) ? [product.name] : ownCommand()
}

const ownCommand = (): CommandWords =>
  isSea() ? [process.execPath] : [process.execPath, packageFile('bin/yore.js')]

/** The client or the user may have written to a file while the question waited. Throws BAD_INPUT. */
function refuseChanged(changes: readonly PlannedChange[]): void {
  const changed = changes.find(({ file, before }) => readText(file) !== before)
  if (changed === undefined) return
  const hint = 'run the command again to see the change to its new text'
  throw new YoreError('BAD_INPUT', `${changed.file} changed since it was shown; nothing was written`, {
    hint,
  })
}

function apply({ file, after }: PlannedChange, base: string): void {
  if (after !== null) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeOutput(file, after)
    return
  }
  rmSync(file)
  // Remove folders that are empty now.
  for (let folder = path.dirname(file); folder.startsWith(base + path.sep); folder = path.dirname(folder))
    try {
      rmdirSync(folder)
    } catch {
      return
    }
}
