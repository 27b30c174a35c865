// How long does an agent wait? Start-up of `yore mcp` and warm calls by the official client over both transports, on k8sdocs.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { packageFolder, prepareCorpus, readQuestions } from './corpora.ts'
import { describeMachine, type Latency, latency, median, runNode, timed } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

const quick = process.argv.includes('--quick')
const starts = quick ? 5 : 15
const warmUp = 30
const asked = quick ? 100 : 400

const launcher = join(packageFolder(), 'bin/yore.js')

interface Served {
  readonly client: Client
  readonly close: () => Promise<void>
}

const makeClient = (): Client => new Client({ name: 'yore-bench', version: '1.0.0' })

async function openStdio(root: string): Promise<Served> {
  const client = makeClient()
  const args = [launcher, 'mcp', '--root', root]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  return { client, close: () => client.close() }
}

function listening(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    child.once('exit', (status) => reject(new Error(`the server ended with ${status}`)))
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const url = / at (http:\S+);/.exec(line)?.[1]
      if (url !== undefined) resolve(new URL(url))
    })
  })
}

async function openHttp(root: string): Promise<Served> {
  const child = spawn(process.execPath, [launcher, 'mcp', '--http', '--port', '0', '--root', root])
  const client = makeClient()
  await client.connect(new StreamableHTTPClientTransport(await listening(child)))
  const close = async (): Promise<void> => {
    await client.close()
    child.kill()
  }
  return { client, close }
}

/** From the start of the process to the answer to `initialize`. */
function measureStart(root: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [launcher, 'mcp', '--root', root], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  return new Promise((resolve) => {
    child.stdout.once('data', () => {
      const milliseconds = performance.now() - began
      child.once('exit', () => resolve(milliseconds))
      child.stdin.end()
    })
  })
}

type Figures = Readonly<Record<'assemble_context' | 'search' | 'expand' | 'read', Latency>>

async function measureCalls({ client }: Served, questions: readonly string[]): Promise<Figures> {
  const samples = { assemble_context: [], search: [], expand: [], read: [] } as Record<
    keyof Figures,
    number[]
  >
  for (const [at, question] of questions.entries()) {
    const call = async (name: keyof Figures, given: Record<string, unknown>): Promise<string> => {
      let content: unknown
      const milliseconds = await timed(async () => {
        content = (await client.callTool({ name, arguments: given })).content
      })
      if (at >= warmUp) samples[name].push(milliseconds)
      return (content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n')
    }
    const digest = await call('assemble_context', { question })
    await call('search', { query: question })
    const context = /^Context ([^;]+);/m.exec(digest)?.[1]
    const [, from, via, target] = /^- from (.+)\n {2}- (\S+) (\S+) \(/m.exec(digest) ?? []
    if (target !== undefined) await call('expand', { context, from, via, target })
    const place = /^\*\*Source:\*\* (.+:\d+(?:-\d+)?)[, ]/m.exec(digest)?.[1]
    if (place !== undefined) await call('read', { place })
  }
  return {
    assemble_context: latency(samples.assemble_context),
    search: latency(samples.search),
    expand: latency(samples.expand),
    read: latency(samples.read),
  }
}

const root = prepareCorpus('k8sdocs')
if (root !== null) {
  runNode([launcher, 'index', '--root', root, '--quiet'])
  const startSamples: number[] = []
  const nodeSamples: number[] = []
  for (let at = 0; at < starts; at++) {
    startSamples.push(await measureStart(root))
    nodeSamples.push(runNode(['-e', '0']).milliseconds)
  }
  const start = { runs: starts, mcpMs: median(startSamples), nodeMs: median(nodeSamples) }
  printTable(
    `k8sdocs: start-up, medians of ${starts}`,
    ['', 'ms'],
    [
      ['node -e 0', start.nodeMs],
      ['yore mcp, to the answer to initialize', start.mcpMs],
    ],
  )
  const questions = readQuestions('k8sdocs')
    .slice(0, asked + warmUp)
    .map(({ text }) => text)
  const calls: Record<string, Figures> = {}
  for (const [name, open] of [
    ['stdio', openStdio],
    ['http', openHttp],
  ] as const) {
    const served = await open(root)
    const figures = await measureCalls(served, questions)
    await served.close()
    calls[name] = figures
    printTable(
      `k8sdocs: warm calls over ${name}, ms (${questions.length - warmUp} questions)`,
      ['', 'p50', 'p95', 'p99'],
      Object.entries(figures).map(([tool, { p50, p95, p99 }]) => [tool, p50, p95, p99]),
    )
  }
  writeRun('agents', { machine: describeMachine(), start, calls })
}
