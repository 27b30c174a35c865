// How does the protocol reach the tools? One server for each connection or request.
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { YoreError } from '../../model/errors.ts'
import { product, yoreVersion } from '../../model/version.ts'
import type { Input } from '../operations/check-input.ts'
import { errorResult } from './call-tool.ts'
import type { ToolResult } from './fit-result.ts'
import { listTool } from './tool.ts'
import { instructions, tools, toolsOfSeveral } from './tools.ts'

/** A day: the tools change with the version only. */
const listedFor = 86_400_000

/** Calls a tool, on this thread or on another. Throws the signal's reason. */
export type AskTool = (name: string, given: Input, signal: AbortSignal) => Promise<ToolResult>

/** `corpus` is what the tools answer about, in words; null for several together. */
export function makeServer(ask: AskTool, corpus: string | null = 'this repository'): Server {
  const offered = corpus === null ? toolsOfSeveral : tools
  const server = new Server(
    { name: product.name, title: product.name, version: yoreVersion },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: listedFor, cacheScope: 'public' } },
    },
  )
  server.setRequestHandler('tools/list', ({ params }) => {
    if (params?.cursor !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No such cursor; all tools are on one page')
    return { tools: offered.map((tool) => listTool(tool, corpus ?? 'these corpora')) }
  })
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const { name, arguments: given = {} } = params
    const names = offered.map((tool) => tool.name)
    const unknown = `Unknown tool ${JSON.stringify(name.slice(0, 80))}; the tools are ${names.join(', ')}`
    if (!names.includes(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknown)
    // Handles a cancellation that follows directly before the work begins.
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    try {
      return (await ask(name, given, signal)) as never
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ProtocolError) throw error
      // An agent can act on a result; a protocol error is only a number to it.
      return errorResult(error instanceof YoreError ? error : crashed(error)) as never
    }
  })
  return server
}

function crashed(cause: unknown): YoreError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new YoreError('CRASHED', message.split('\n', 1)[0] ?? '', { cause })
}
