// How does an agent become an arm? A folder for each arm, repetition and set, with its prompt, its program and its checkouts.
// usage: lay-out-arms.ts DIR --snapshots DIR [--arms rg-1,yore-1,yore-cli-1,peer-1] [--peer 'INDEX COMMAND;SERVER COMMAND'] [--questions FILE] [--keep-product]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { blockLines } from '../../../src/offer/cli/setup/setup-texts.ts'
import { loadTokenizer } from '../../../src/read/assets/load-tokenizer.ts'
import { layOut } from '../lay-out.ts'
import { type AgentQuestion, type AgentRepository, readLog } from './score.ts'
import { callServer, type Run } from './tool.ts'

const own = (name: string): string => join(import.meta.dirname, name)
const checkout = own('../../..')
/** What a product needs to run, and the counting program. */
const copied =
  'assets bin dist formats languages lab/eval man package.json rulebooks schema src README.md docs'.split(' ')
const run = (program: string, args: readonly string[], folder: string): string =>
  execFileSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, NO_COLOR: '1' },
  })

/** A copy of the built checkout, so that work may go on there while agents are asked. */
function copyProduct(product: string): void {
  rmSync(product, { recursive: true, force: true })
  mkdirSync(product, { recursive: true })
  for (const name of copied.filter((one) => existsSync(join(checkout, one))))
    run('cp', ['-a', '--parents', name, product], checkout)
  // Hard links: node_modules has a gigabyte.
  run('cp', ['-al', 'node_modules', product], checkout)
  writeFileSync(join(product, 'COMMIT'), run('git', ['describe', '--always', '--dirty'], checkout))
}

/** A checkout with `.git`, as ripgrep and yore want it for ignored files. */
function prepareRepository(snapshots: string, one: AgentRepository, folder: string): void {
  if (!existsSync(folder)) {
    layOut(snapshots, { ...one, root: '' }, folder)
    run('git', ['init', '-q'], folder)
  }
}

/** The repositories of an arm. With yore each has its own, because the index is written there. */
function prepareArm(
  directory: string,
  arm: string,
  repositories: readonly AgentRepository[],
  [program = '', ...args]: readonly string[],
): string {
  if (arm.startsWith('rg-')) return join(directory, 'repos')
  const folder = join(directory, arm, 'repos')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { name, large } of repositories) {
    // No hard links: another arm's link would change the times of these files, and the index would be stale.
    run('cp', ['-a', join(directory, 'repos', name), folder], directory)
    if (!large || arm.startsWith('peer-')) run(program, args, join(folder, name))
  }
  return folder
}

/** What a client shows an agent of yore, before it is asked anything. */
async function introduce(arm: Run['arm'], server: readonly string[], folder: string): Promise<string> {
  if (arm === 'rg') return ''
  const block = arm === 'peer' ? '' : blockLines('yore').slice(2).join('\n')
  const given =
    arm === 'yore-cli'
      ? run(process.execPath, [server[1] ?? '', '--help'], folder).trim()
      : await callServer(server, folder, async (call, instructions) => {
          type Listed = { readonly result: { readonly tools: readonly Record<string, unknown>[] } }
          const { result } = await call<Listed>('tools/list', {})
          const tools = result.tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            inputSchema,
          }))
          return [instructions, ...tools.map((tool) => JSON.stringify(tool))].join('\n\n')
        })
  console.log(`${arm}: ${loadTokenizer()(given)} tokens of tools, ${loadTokenizer()(block)} of AGENTS.md`)
  const told = block === '' ? '' : `The AGENTS.md of each repository says:\n\n> ${block}\n\n`
  return `\n## The tools\n\n${told}${arm === 'yore-cli' ? 'The help' : 'The MCP server'} says:\n\n\`\`\`\n${given}\n\`\`\`\n`
}

const served = `T ID mcp TOOL '{"…": "…"}'      a tool (below)\n`
const toolCommands: Readonly<Record<Run['arm'], string>> = {
  rg: '',
  yore: served,
  peer: served,
  'yore-cli': 'T ID yore COMMAND ARGS…        the command line of yore (below)\n',
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      snapshots: { type: 'string', default: '' },
      arms: { type: 'string', default: 'rg-1,rg-2,yore-1,yore-2,yore-cli-1' },
      peer: { type: 'string', default: '' },
      questions: { type: 'string', default: own('questions.jsonl') },
      'keep-product': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const directory = resolve(positionals[0] ?? '.')
  const product = join(directory, 'product')
  const questions = readLog<AgentQuestion>(values.questions)
  const repositories = (
    JSON.parse(readFileSync(own('repositories.json'), 'utf8')) as readonly AgentRepository[]
  ).filter(({ name }) => questions.some((one) => one.package === name))
  mkdirSync(join(directory, 'repos'), { recursive: true })
  if (!values['keep-product']) copyProduct(product)
  for (const one of repositories) prepareRepository(values.snapshots, one, join(directory, 'repos', one.name))
  const setOf = ({ package: name }: AgentQuestion, at: number): number => {
    const sets = repositories.find((one) => one.name === name)?.sets ?? []
    return sets[at % sets.length] ?? 0
  }
  for (const arm of values.arms.split(',')) {
    const kind = arm.replace(/-\d+$/, '') as Run['arm']
    const yore = [process.execPath, join(product, 'bin/yore.js')]
    const [index = [], server = []] =
      kind === 'peer'
        ? values.peer.split(';').map((command) => command.split(' '))
        : [[...yore, 'index'], kind === 'rg' ? [] : [...yore, 'mcp']]
    const folder = prepareArm(directory, arm, repositories, index)
    const about = await introduce(
      kind,
      server,
      join(folder, repositories.find(({ large }) => !large)?.name ?? ''),
    )
    for (const [set, asked] of Map.groupBy(questions, setOf)) {
      const place = join(directory, arm, `${set}`)
      const log = join(directory, 'logs', `${kind}.${arm.slice(kind.length + 1)}.${set}.jsonl`)
      mkdirSync(place, { recursive: true })
      if (existsSync(log)) renameSync(log, `${log}.${Date.now()}`)
      const given: Run = {
        arm: kind,
        server: kind === 'yore-cli' ? [] : server,
        repositories: folder,
        log,
        product,
      }
      writeFileSync(join(place, 'run.json'), JSON.stringify(given))
      const program = join(product, 'lab/eval/agents/tool.ts')
      const script = `#!/bin/sh\nexec ${process.execPath} ${program} ${join(place, 'run.json')} "$@"\n`
      writeFileSync(join(place, 't'), script, { mode: 0o755 })
      const list = asked.map(({ _id, text }) => `- **${_id}**: ${text}`).join('\n')
      const prompt = readFileSync(own('prompt.md'), 'utf8')
        .replace('{{yore}}', () => about)
        .replace('{{commands}}', () => toolCommands[kind])
        .replaceAll('T ID', () => `${join(place, 't')} ID`)
        .replace('{{questions}}', () => list)
      writeFileSync(join(place, 'PROMPT.md'), prompt)
      console.log(`${join(place, 'PROMPT.md')}  ${asked.length} questions`)
    }
  }
}
