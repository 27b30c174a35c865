// How do the tests of this folder talk to the agents' server? By the official client.
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
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
export function spawnServer(root: string): ChildProcess {
  return spawn(process.execPath, [main, 'mcp', '--root', root], { env: environment({}) })
}

/** What a tool gave. */
export interface Answer {
  readonly text: string
  /** The code of an error. */
  readonly code: string | undefined
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
  const [first] = result.content as { text: string }[]
  const { structuredContent, isError } = result
  const whole = { content: result.content, structuredContent }
  const { error } = (structuredContent ?? {}) as { error?: { code: string } }
  return { text: first?.text ?? '', code: error?.code, isError: isError === true, whole }
}
