// How do the tests of this folder talk to the agents' server? By the official client, over both transports.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const main = path.join(import.meta.dirname, '../src/offer/cli/main.ts')
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

/** Both revisions of the protocol: with a handshake, and with everything in each request. */
export type Era = 'legacy' | 'modern'

export interface Served {
  readonly client: Client
  readonly close: () => Promise<void>
}

function environment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(YORE_|EXPANSION_|MAX_EXPANSION)/.test(name))
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    YORE_EMBEDDING_PROVIDER: 'none',
    NODE_NO_WARNINGS: '1',
    SOURCE_DATE_EPOCH: '1764429780',
    ...extra,
  }
}

const makeClient = (era: Era): Client =>
  new Client({ name: 'yore-test', version: '1.0.0' }, era === 'modern' ? modern : {})

export async function serveStdio(
  root: string,
  era: Era = 'legacy',
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const client = makeClient(era)
  const args = [main, 'mcp', '--root', root]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: environment(env), stderr: 'ignore' }),
  )
  return { client, close: () => client.close() }
}

/** A raw process, for what a client never sends. */
export function spawnServer(root: string, args: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [main, 'mcp', '--root', root, ...args], { env: environment({}) })
}

export interface HttpServer {
  readonly url: URL
  readonly pid: number
  readonly connect: (era: Era) => Promise<Served>
  readonly stop: () => Promise<number | null>
}

export async function serveHttp(root: string, args: readonly string[] = []): Promise<HttpServer> {
  const child = spawnServer(root, ['--http', '--port', '0', ...args])
  const url = await new Promise<URL>((resolve, reject) => {
    child.once('exit', (status) => reject(new Error(`the server ended with ${status}`)))
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const found = / at (http:\S+);/.exec(line)?.[1]
      if (found !== undefined) resolve(new URL(found))
    })
  })
  const connect = async (era: Era): Promise<Served> => {
    const client = makeClient(era)
    await client.connect(new StreamableHTTPClientTransport(url))
    return { client, close: () => client.close() }
  }
  const stop = (): Promise<number | null> =>
    new Promise((resolve) => {
      child.once('exit', resolve)
      child.kill('SIGTERM')
    })
  return { url, pid: child.pid ?? 0, connect, stop }
}

/** What a tool gave. */
export interface Answer {
  readonly text: string
  /** The code of an error. */
  readonly code: string | undefined
  /** The name of the context, as a shared server gives it. */
  readonly context: string | undefined
  readonly isError: boolean
  readonly whole: unknown
}

export async function call(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
  options: { readonly signal?: AbortSignal } = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: { ...given } }, options)
  const [first, second] = result.content as { text: string }[]
  const { structuredContent, isError } = result
  const whole = { content: result.content, structuredContent }
  const { error } = (structuredContent ?? {}) as { error?: { code: string } }
  const context = /^Context ([^;\s]+);/.exec(second?.text ?? '')?.[1]
  return { text: first?.text ?? '', code: error?.code, context, isError: isError === true, whole }
}

/** The resident memory of the server, in MB; only Linux says. */
export function memoryOf(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}
