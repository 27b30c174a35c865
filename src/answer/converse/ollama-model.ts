// How does yore ask a model in Ollama? By Ollama's own protocol, which needs no package and fits the context to the prompt.
import type { Completion, CompletionOptions, Message } from '../../model/conversation.ts'
import { YoreError } from '../../model/errors.ts'
import { isRetryable, RetryableError, retry } from '../../read/source/fetch/request.ts'
import { estimateTokens } from '../../read/tokens/token-counter.ts'
import { boundAnswer, boundResponse } from './bound-response.ts'
import { UnfinishedStream } from './model-errors.ts'

interface OllamaSettings {
  readonly url: string
  readonly model: string
  readonly apiKey: string | null
}

/** Of one try of a turn, by any protocol. */
export interface StreamOptions extends Omit<CompletionOptions, 'schemas'> {
  readonly signal: AbortSignal
  /** Enforced by the server; null for free text. */
  readonly schema: CompletionOptions['schemas'][number] | null
}

const ollamaUrl = 'http://localhost:11434'

/** Ollama's default context is 4,096 tokens; it drops the start of a longer prompt, and reloads the model for another length. */
const contextStep = 4096
/** Other tokenizers count more than ours. */
const contextSlack = 1.3
const tries = 3

interface Line {
  readonly message?: { readonly content?: unknown }
  readonly done?: boolean
  readonly error?: unknown
  readonly prompt_eval_count?: number
  readonly eval_count?: number
}

/** One turn, streamed. Throws what `model-errors.ts` reads. */
export async function streamOllama(
  settings: OllamaSettings,
  messages: readonly Message[],
  request: StreamOptions,
): Promise<Completion> {
  const { maxTokens, onText, signal } = request
  const ended = new AbortController()
  try {
    const response = await post(settings, messages, request, AbortSignal.any([signal, ended.signal]))
    let text = ''
    let parts = 0
    for await (const line of readLines(response)) {
      boundAnswer(++parts, text.length, maxTokens)
      if (line.error !== undefined) throw withStatus(200, String(line.error))
      const content = line.message?.content
      if (typeof content === 'string' && content !== '') {
        text += content
        onText?.(content)
      }
      if (line.done)
        return { text, inputTokens: line.prompt_eval_count ?? null, outputTokens: line.eval_count ?? null }
    }
    throw new UnfinishedStream('the stream ended without an end')
  } finally {
    // Close the connection of a caller that leaves early.
    ended.abort()
  }
}

async function post(
  { url, model, apiKey }: OllamaSettings,
  messages: readonly Message[],
  { maxTokens, schema }: StreamOptions,
  signal: AbortSignal,
): Promise<Response> {
  const base = (url === '' ? ollamaUrl : url).replace(/\/(?:v1\/?)?$/, '')
  const length = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0) * contextSlack
  const body = JSON.stringify({
    model,
    messages,
    stream: true,
    ...(schema ? { format: schema } : {}),
    options: { num_predict: maxTokens, num_ctx: Math.ceil((length + maxTokens) / contextStep) * contextStep },
  })
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === null || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  return retry(
    async () => {
      const sent = await fetch(`${base}/api/chat`, {
        method: 'POST',
        body,
        headers,
        redirect: 'manual',
        signal,
      })
      const response = boundResponse(sent)
      if (response.ok) return response
      throw withStatus(response.status, (await response.text()).slice(0, 10_000))
    },
    { tries, signal },
  )
}

async function* readLines(response: Response): AsyncGenerator<Line> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield readLine(line)
  }
  if (rest.trim() !== '') yield readLine(rest)
}

function readLine(line: string): Line {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Reported below.
  }
  throw new YoreError('MODEL_FAILED', 'the server does not speak the protocol of Ollama', {
    hint: 'set llm.provider to openai for a server that speaks chat completions',
  })
}

/** Has the shape of the errors of the `ai` package. */
function withStatus(statusCode: number, responseBody: string): Error {
  const error = isRetryable(statusCode) ? new RetryableError(responseBody) : new Error(responseBody)
  return Object.assign(error, { statusCode, responseBody })
}
