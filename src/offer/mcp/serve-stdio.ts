// How does an agent on this machine talk to yore? Over standard input and output, until its end of the pipe closes.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { CorpusEngine } from '../engine/engine.ts'
import { callTool } from './call-tool.ts'
import { Contexts } from './contexts.ts'
import { MessageLimit } from './limit-messages.ts'
import { type AskTool, makeServer } from './make-server.ts'
import type { Serving } from './tool.ts'

/** Maximum size of a message; a call has a few hundred bytes. */
const maxMessageBytes = 4 * 1024 * 1024

/** Serves one client; resolves when it has gone or the signal aborts. */
export async function serveOverStdio(
  serving: Serving & { readonly engine: CorpusEngine },
  signal: AbortSignal,
): Promise<void> {
  const contexts = new Contexts(serving.engine)
  const messages = new MessageLimit(maxMessageBytes, (answer) => process.stdout.write(answer))
  const gone = new Promise<void>((resolve) => {
    messages.once('end', resolve)
    signal.addEventListener('abort', () => resolve())
  })
  process.stdin.once('close', () => messages.end())
  process.stdin.pipe(messages)
  const ask: AskTool = (name, given, heard) => callTool(name, given, { ...serving, contexts, signal: heard })
  const handle = serveStdio(() => makeServer(ask), {
    transport: new StdioServerTransport(messages, process.stdout, { maxBufferSize: 2 * maxMessageBytes }),
    onerror: (error) => process.stderr.write(`warning: ${error.message}\n`),
  })
  await gone
  await handle.close()
  process.stdin.destroy()
}
