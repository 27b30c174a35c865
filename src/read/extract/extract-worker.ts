// What runs in the extraction thread? One file at a time; the thread may be ended at any moment.
import { parentPort } from 'node:worker_threads'
import { type Extraction, type FormatReader, UnreadableFormat } from './format.ts'

export interface ExtractRequest {
  readonly format: string
  readonly bytes: Uint8Array
}

export type ExtractReply =
  | { readonly extraction: Extraction }
  | { readonly reason: UnreadableFormat['reason']; readonly detail: string }

/** By the names in src/read/source/extracted-formats.ts; each is loaded on first use. */
const readers: Readonly<Record<string, () => Promise<FormatReader>>> = {
  notebook: async () => (await import('./read-notebook.ts')).notebook,
  docx: async () => (await import('./read-docx.ts')).docx,
  pptx: async () => (await import('./read-pptx.ts')).pptx,
  html: async () => (await import('./read-html.ts')).html,
  pdf: async () => (await import('./read-pdf.ts')).pdf,
}

async function answer({ format, bytes }: ExtractRequest): Promise<ExtractReply> {
  try {
    const reader = await readers[format]?.()
    if (reader === undefined) return { reason: 'parse-failed', detail: `no reader for ${format}` }
    return { extraction: await reader.read(bytes) }
  } catch (error) {
    if (error instanceof UnreadableFormat) return { reason: error.reason, detail: error.message }
    const said = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    return { reason: 'parse-failed', detail: `it cannot be read: ${said?.slice(0, 200)}` }
  }
}

parentPort?.on('message', async (request: ExtractRequest) => {
  parentPort?.postMessage(await answer(request))
})
