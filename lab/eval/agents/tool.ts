// What does an agent read until it can answer? The one program that it may use: every reply is counted and logged.
// usage: tool.ts RUN QID rg ARGS… | files GLOB | ls [PATH] | read PATH [FIRST LAST] | mcp TOOL JSON | yore ARGS… | answer CITATION… TEXT
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadTokenizer } from '../../../src/read/assets/load-tokenizer.ts'

/** Where everything of a run is: its folder, its checkouts, its log and the built product. */
export interface Run {
  readonly arm: 'rg' | 'yore' | 'yore-cli' | 'peer'
  /** The command that starts the MCP server of an arm that has one. */
  readonly server: readonly string[]
  /** One folder per repository, named as the part of a question's id before its number. */
  readonly repositories: string
  readonly log: string
  readonly product: string
}

/** A line of a log. */
export interface Step {
  readonly at: number
  readonly qid: string
  readonly cmd: string
  readonly args: readonly string[]
  /** Tokens of the reply. */
  readonly tokens?: number
  readonly failed?: boolean
  /** The commit of the product that replied. */
  readonly build?: string
}

/** Longer replies are cut, as agents' own tools cut theirs. */
const mostCharacters = 60_000
const readLines = 200
const cliCommands = ['assemble', 'search', 'read', 'uses', 'outline', 'expand', 'help']

interface Reply {
  readonly text: string
  readonly failed?: boolean
}

function runProgram(program: string, args: readonly string[], folder: string): Reply {
  const { stdout, stderr, status, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  // An arm without ripgrep would take a missing program for the absence of a match.
  if (error !== undefined) throw error
  return { text: `${stdout ?? ''}${stderr ?? ''}`, failed: (status ?? 2) > 1 }
}

function readFile(folder: string, [path = '', first = '1', last = '']: readonly string[]): Reply {
  if (!existsSync(join(folder, path))) return { text: `no such file: ${path}`, failed: true }
  const lines = readFileSync(join(folder, path), 'utf8').split('\n')
  const from = Math.max(1, Number(first))
  const to = last === '' ? from + readLines - 1 : Number(last)
  return {
    text: lines
      .slice(from - 1, to)
      .map((line, at) => `${from + at}\t${line}`)
      .join('\n'),
  }
}

interface ToolReply {
  readonly result?: { readonly content: readonly { readonly text?: string }[]; readonly isError?: boolean }
  readonly error?: { readonly message: string }
}

/** Speaks with a real server over stdio, which is started for the call. */
export async function callServer<T>(
  [program = '', ...args]: readonly string[],
  folder: string,
  ask: (call: <R>(method: string, params: object) => Promise<R>, instructions: string) => Promise<T>,
): Promise<T> {
  const server = spawn(program, args, {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (reply: never) => void>()
  let [rest, id] = ['', 0]
  server.stdout.setEncoding('utf8').on('data', (part: string) => {
    const lines = `${rest}${part}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const reply = JSON.parse(line) as { readonly id: number }
      waiting.get(reply.id)?.(reply as never)
    }
  })
  const send = (message: object): boolean =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const call = <R>(method: string, params: object): Promise<R> =>
    new Promise((done) => {
      waiting.set(++id, done)
      send({ id, method, params })
    })
  try {
    const client = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'agent', version: '1' },
    }
    const { result } = await call<{ result?: { instructions?: string } }>('initialize', client)
    send({ method: 'notifications/initialized' })
    return await ask(call, result?.instructions ?? '')
  } finally {
    server.kill()
  }
}

const callTool = (run: Run, folder: string, [name = '', given = '{}']: readonly string[]): Promise<Reply> =>
  callServer(run.server, folder, async (call) => {
    const { result, error } = await call<ToolReply>('tools/call', {
      name,
      arguments: JSON.parse(given) as object,
    })
    const text = result?.content.map((part) => part.text ?? '').join('\n') ?? error?.message ?? ''
    return { text, failed: result?.isError ?? error !== undefined }
  })

async function reply(run: Run, folder: string, cmd: string, args: readonly string[]): Promise<Reply> {
  if (cmd === 'rg') {
    const found = runProgram('rg', ['-n', '--no-heading', '-M', '400', ...args], folder)
    return { ...found, text: found.text || '(no match)' }
  }
  if (cmd === 'files') return runProgram('rg', ['--files', ...args.flatMap((glob) => ['-g', glob])], folder)
  if (cmd === 'ls') return runProgram('ls', ['-p', ...args], folder)
  if (cmd === 'read') return readFile(folder, args)
  if (cmd === 'mcp' && run.server.length > 0) return await callTool(run, folder, args)
  const [command = ''] = args
  if (cmd === 'yore' && run.arm === 'yore-cli' && cliCommands.includes(command))
    return runProgram(process.execPath, [join(run.product, 'bin/yore.js'), ...args], folder)
  return { text: `not a command here: ${cmd} ${command}`, failed: true }
}

if (import.meta.main) {
  const [runFile = '', qid = '', cmd = '', ...args] = process.argv.slice(2)
  const run = JSON.parse(readFileSync(runFile, 'utf8')) as Run
  const folder = join(run.repositories, qid.replace(/-\d+$/, ''))
  const write = (step: Partial<Step>): void => {
    mkdirSync(dirname(run.log), { recursive: true })
    appendFileSync(run.log, `${JSON.stringify({ at: Date.now(), qid, cmd, args, ...step })}\n`)
  }
  if (!(/-\d+$/.test(qid) && existsSync(folder))) console.log(`no such question: ${qid}`)
  else if (cmd === 'answer') {
    write({})
    console.log('noted')
  } else {
    const { text, failed = false } = await reply(run, folder, cmd, args).catch((error: Error) => ({
      text: error.message,
      failed: true,
    }))
    const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}\n[… cut]` : text
    const built = join(run.product, 'COMMIT')
    const build = cmd === 'mcp' || cmd === 'yore' ? { build: readFileSync(built, 'utf8').trim() } : {}
    write({ tokens: loadTokenizer()(shown), ...(failed ? { failed } : {}), ...build })
    console.log(shown)
  }
}
