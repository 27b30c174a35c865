// How does the protocol reach the tools? One server for each connection or request, over what they all share.
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { yoreVersion } from '../../version.ts'
import { callTool, type Serving } from './call-tool.ts'
import type { Contexts } from './contexts.ts'
import { instructions, isToolName, listTools } from './tools.ts'

/** A day: the tools change with the version only. */
const listedFor = 86_400_000

export function makeServer(serving: Serving, contexts: Contexts): Server {
  const server = new Server(
    { name: 'yore', title: 'yore', version: yoreVersion },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: listedFor, cacheScope: 'public' } },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: structuredClone(listTools()) as never }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const { name, arguments: given = {} } = params
    if (!isToolName(name)) {
      const known = listTools().map((tool) => tool.name)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool ${JSON.stringify(name.slice(0, 80))}; the tools are ${known.join(', ')}`,
      )
    }
    // A cancellation that came right after the call is heard before the work begins.
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    return (await callTool(name, given, { ...serving, contexts, signal })) as never
  })
  return server
}
