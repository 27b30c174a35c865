// How long do many agents wait for one HTTP server, and what limits it? Busy and slow clients on k8sdocs, threads or not.
//
// Run: node bench/mcp-load.ts [--quick]. The server is a process of its own; `serve <root> <threads>` is that process.
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { loadTokenizer } from '../src/assets/load-tokenizer.ts'
import { defaultSettings } from '../src/config/settings.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import { newContextId } from '../src/surfaces/mcp/ask-in-threads.ts'
import { callTool } from '../src/surfaces/mcp/call-tool.ts'
import { Contexts } from '../src/surfaces/mcp/contexts.ts'
import { serveOverHttp } from '../src/surfaces/mcp/serve-http.ts'
import { runMcp } from '../src/surfaces/run-mcp.ts'
import { packageFolder, prepareCorpus, readQuestions } from './corpora.ts'
import { describeMachine, type Latency, latency, runNode } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

const quick = process.argv.includes('--quick')
const clients = 50
const slowClients = 500
const asked = quick ? 200 : 1500
const warmUp = quick ? 20 : 100

/** The server: on threads as `yore mcp --http`, or with 0 threads all on the one that serves, as it was before. */
async function serve(root: string, threads: number): Promise<void> {
  const corpus = { root, indexDir: join(root, '.yore'), settings: defaultSettings }
  const stop = new AbortController()
  process.on('message', (told) => {
    if (told === 'stop') stop.abort()
    else process.send?.(process.resourceUsage())
  })
  const listening = { signal: stop.signal, onListening: (url: string) => void process.send?.(url) }
  const where = { host: '127.0.0.1', port: 0 }
  if (threads > 0) await runMcp(corpus, { ...where, http: true, threads }, listening)
  else {
    const engine = openEngine({ ...corpus, now: Date.now() })
    const serving = { engine, settings: corpus.settings, countTokens: loadTokenizer('o200k') }
    const contexts = new Contexts({ newId: newContextId, alone: false, most: 1000 })
    await serveOverHttp(
      {
        ask: (name, given, signal) => callTool(name, given, { ...serving, contexts, signal }),
        room: { capacity: Number.POSITIVE_INFINITY, retryAfterSeconds: 1 },
      },
      { ...where, allowHosts: [], ...listening },
    )
  }
}

interface Server {
  readonly port: number
  /** What it has used until now, with all its threads. */
  readonly use: () => Promise<NodeJS.ResourceUsage>
  readonly stop: () => Promise<unknown>
}

async function start(root: string, threads: number): Promise<Server> {
  const child = fork(import.meta.filename, ['serve', root, String(threads)])
  const hear = <T>(): Promise<T> =>
    new Promise((resolve) => child.once('message', (told) => resolve(told as T)))
  const url = await hear<string>()
  return {
    port: Number(new URL(url).port),
    use: () => {
      child.send('use')
      return hear<NodeJS.ResourceUsage>()
    },
    stop: () => {
      child.send('stop')
      child.disconnect()
      return new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

const cpuOf = ({ userCPUTime, systemCPUTime }: NodeJS.ResourceUsage): number =>
  (userCPUTime + systemCPUTime) / 1000

const agent = new Agent({ keepAlive: true, maxSockets: clients + 1 })

/** The status of one request by bare HTTP, 0 when there was no answer to it: the official client would take more of the machine than the server. */
function post(port: number, message: object): Promise<number> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return new Promise((resolve) => {
    const sent = request(
      { agent, host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers },
      (reply) => {
        let isError = false
        reply.setEncoding('latin1').on('data', (part: string) => {
          isError ||= part.includes('"isError":true')
        })
        reply.on('end', () => resolve(isError ? 0 : (reply.statusCode ?? 0)))
      },
    )
    sent.on('error', () => resolve(0)).end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }))
  })
}

const question = (text: string): object => ({
  method: 'tools/call',
  params: { name: 'assemble_context', arguments: { question: text } },
})

interface Figures {
  readonly busy: Latency
  readonly ping: Latency
  readonly perSecond: number
  /** Processors that the server kept busy. */
  readonly cores: number
  readonly cpuPerQuestion: number
  readonly peakMb: number
  readonly refused: number
}

async function measure(
  root: string,
  { threads, slow, questions }: { threads: number; slow: number; questions: readonly string[] },
): Promise<Figures> {
  const server = await start(root, threads)
  const { port } = server
  // Several at once, so that every thread has started and answered.
  for (let at = 0; at < warmUp; at += 10)
    await Promise.all(questions.slice(at, at + 10).map((text) => post(port, question(text))))
  const sockets: Socket[] = Array.from({ length: slow }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).write('POST /mcp HTTP/1.1\r\nhost: localhost\r\n')
    return socket
  })
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x-slow: 1\r\n')
  }, 1000)
  const waits: number[] = []
  const pings: number[] = []
  let [next, refused, isDone] = [0, 0, false]
  const before = cpuOf(await server.use())
  const began = performance.now()
  const ask = async (): Promise<void> => {
    for (let at = next++; at < asked; at = next++) {
      const message = question(questions[at % questions.length] as string)
      let sentAt = performance.now()
      while ((await post(port, message)) !== 200) {
        refused++
        await setTimeout(1000)
        sentAt = performance.now()
      }
      waits.push(performance.now() - sentAt)
    }
  }
  const ping = async (): Promise<void> => {
    while (!isDone) {
      const sentAt = performance.now()
      await post(port, { method: 'ping' })
      pings.push(performance.now() - sentAt)
      await setTimeout(20)
    }
  }
  const pinging = ping()
  await Promise.all(Array.from({ length: clients }, ask))
  const milliseconds = performance.now() - began
  isDone = true
  await pinging
  clearInterval(drip)
  for (const socket of sockets) socket.destroy()
  const use = await server.use()
  await server.stop()
  return {
    busy: latency(waits),
    ping: latency(pings),
    perSecond: (1000 * waits.length) / milliseconds,
    cores: (cpuOf(use) - before) / milliseconds,
    cpuPerQuestion: (cpuOf(use) - before) / waits.length,
    peakMb: use.maxRSS / 1024,
    refused,
  }
}

async function run(root: string): Promise<void> {
  runNode([join(packageFolder(), 'bin/yore.js'), 'index', '--root', root, '--quiet'])
  const questions = readQuestions('k8sdocs').map(({ text }) => text)
  const cores = availableParallelism()
  const cases = [
    { name: 'one thread for everything', threads: 0, slow: 0 },
    ...[1, 2, 4, 8]
      .filter((threads) => threads <= cores)
      .map((threads) => ({ name: `threads: ${threads}`, threads, slow: 0 })),
    {
      name: `threads: ${Math.min(8, cores)}, ${slowClients} slow clients`,
      threads: cores,
      slow: slowClients,
    },
  ]
  const figures: Record<string, Figures> = {}
  for (const { name, ...how } of cases) {
    figures[name] = await measure(root, { ...how, questions })
    console.error(`${name}: ${JSON.stringify(figures[name])}`)
  }
  printTable(
    `k8sdocs: ${clients} busy clients, ${asked} questions, ms`,
    ['', 'p50', 'p95', 'p99', 'ping p99', 'a second', 'cores', 'CPU each', 'MB', 'refused'],
    Object.entries(figures).map(
      ([name, { busy, ping, perSecond, cores, cpuPerQuestion, peakMb, refused }]) => [
        ...[name, busy.p50, busy.p95, busy.p99, ping.p99, perSecond, cores, cpuPerQuestion, peakMb, refused],
      ],
    ),
  )
  writeRun('mcp-load', { machine: describeMachine(), clients, asked, figures })
}

const [what, served, threads] = process.argv.slice(2)
if (what === 'serve') await serve(String(served), Number(threads))
else {
  const root = prepareCorpus('k8sdocs')
  if (root !== null) await run(root)
}
