// Which LLM answers? The one that the user configured, through the `ai` package, which is loaded when first asked.
import type { LanguageModel, ModelMessage } from 'ai'
import type { Settings } from '../../model/config/settings.ts'
import type { Complete, Completion, CompletionOptions, Message } from '../../model/conversation.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import { isRetryable, RetryableError, retry } from '../../read/source/fetch/request.ts'
import { estimateTokens } from '../../read/tokens/token-counter.ts'
import { describeFault } from './model-errors.ts'

/** How long one turn of the LLM may take, retries included. */
const TURN_MILLISECONDS = 300_000

export interface ModelSettings {
  readonly provider: 'ollama' | 'openai' | 'anthropic'
  /** With the version, such as `http://localhost:8080/v1`; empty for Anthropic's own and for Ollama on this machine. */
  readonly url: string
  readonly model: string
  readonly apiKey: string | null
  /** For one turn, its retries included. */
  readonly timeoutMs: number
}

export interface OpenModel {
  /** Name and place, for people. */
  readonly name: string
  readonly complete: Complete
}

/** Tries of `ai` itself after the first, for answers such as 429 and 500. */
const requestRetries = 2

/** Opens nothing yet: packages are loaded with the first turn. */
export function openModel(settings: ModelSettings): OpenModel {
  const place = placeOf(settings)
  const name = `${settings.model} at ${URL.parse(place)?.host ?? place}`
  let opened: Promise<Streaming> | null = null
  const complete: Complete = async (messages, options) => {
    opened ??= load(settings)
    const streaming = await opened
    const timeout = AbortSignal.timeout(settings.timeoutMs)
    const signal = AbortSignal.any([timeout, ...(options.signal === undefined ? [] : [options.signal])])
    try {
      return await streaming(messages, { ...options, signal })
    } catch (fault) {
      options.signal?.throwIfAborted()
      throw failed(describeFault(fault, signal.aborted ? settings.timeoutMs : null), settings, fault)
    }
  }
  return { name, complete }
}

/** Of one try of a turn. */
interface StreamOptions extends CompletionOptions {
  readonly signal: AbortSignal
}

/** One try of a turn. */
type Streaming = (messages: readonly Message[], options: StreamOptions) => Promise<Completion>

async function load(settings: ModelSettings): Promise<Streaming> {
  const { provider } = settings
  // `ai` prints warnings of providers on the console, between the lines of an answer.
  ;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false
  const open = { openai: openCompatible, anthropic: openAnthropic, ollama: openOllama }[provider]
  const [ai, modelFor] = await Promise.all([loadPackage(provider, () => import('ai')), open(settings)])
  return (messages, options) => stream({ ai, model: modelFor(messages, options) }, messages, options)
}

/** The model of one turn. */
type ModelFor = (messages: readonly Message[], options: StreamOptions) => LanguageModel

/** Ollama reloads a model for another context length. */
const contextStep = 4096
/** Other tokenizers count more than ours. */
const contextSlack = 1.3

/** Ollama's default context is 4,096 tokens, and it drops the start of a longer prompt: each turn sets the length it needs. */
async function openOllama(settings: ModelSettings): Promise<ModelFor> {
  const { createOllama } = await loadPackage('ollama', () => import('ai-sdk-ollama'))
  const { model, apiKey } = settings
  const baseURL = placeOf(settings).replace(/\/(?:v1\/?)?$/, '')
  return (messages, { maxTokens, signal }) => {
    const length = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0) * contextSlack
    const num_ctx = Math.ceil((length + maxTokens) / contextStep) * contextStep
    const key = apiKey === null || apiKey === '' ? {} : { apiKey }
    const provider = createOllama({ baseURL, fetch: fetchFromOllama(signal), ...key })
    return provider(model, { options: { num_ctx } })
  }
}

/** The client of Ollama prints statuses on the console, knows no retries and does not pass our signal on: this does. */
function fetchFromOllama(signal: AbortSignal): typeof fetch {
  return (input, init) =>
    retry(
      async () => {
        const signals = [signal, ...(init?.signal ? [init.signal] : [])]
        const response = await fetchHere(input, { ...init, signal: AbortSignal.any(signals) })
        if (response.ok) return response
        const { status: statusCode } = response
        const responseBody = (await response.text()).slice(0, 10_000)
        const error = isRetryable(statusCode) ? new RetryableError(responseBody) : new Error(responseBody)
        throw Object.assign(error, { statusCode, responseBody })
      },
      { tries: requestRetries + 1, signal },
    )
}

async function openCompatible({ url, model, apiKey }: ModelSettings): Promise<ModelFor> {
  const { createOpenAICompatible } = await loadPackage('openai', () => import('@ai-sdk/openai-compatible'))
  const provider = createOpenAICompatible({
    name: 'configured',
    baseURL: url,
    supportsStructuredOutputs: true,
    includeUsage: true,
    fetch: fetchHere,
    ...(apiKey === null ? {} : { apiKey }),
  })
  return () => provider.chatModel(model)
}

async function openAnthropic({ url, model, apiKey }: ModelSettings): Promise<ModelFor> {
  const { createAnthropic } = await loadPackage('anthropic', () => import('@ai-sdk/anthropic'))
  const provider = createAnthropic({
    fetch: fetchHere,
    // An empty key is one: otherwise the package would look for another in the environment.
    apiKey: apiKey ?? '',
    ...(url === '' ? {} : { baseURL: url }),
  })
  return () => provider(model)
}

/** Texts go to the configured address and nowhere else, and an answer ends. */
const fetchHere: typeof fetch = async (input, init) =>
  boundResponse(await fetch(input, { ...init, redirect: 'manual' }))

const packages: Readonly<Record<ModelSettings['provider'], string>> = {
  ollama: 'ai-sdk-ollama',
  openai: '@ai-sdk/openai-compatible',
  anthropic: '@ai-sdk/anthropic',
}

async function loadPackage<T>(provider: ModelSettings['provider'], load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    const names = `ai ${packages[provider]}`
    throw new YoreError('NO_PACKAGE', `asking an LLM needs the packages ${names}`, {
      hint: `install them next to yore: npm install ${names}`,
      cause,
    })
  }
}

async function stream(
  { ai, model }: { readonly ai: typeof import('ai'); readonly model: LanguageModel },
  messages: readonly Message[],
  { maxTokens, schema, signal }: StreamOptions,
): Promise<Completion> {
  const format = { type: 'json' as const, name: 'reply', schema: schema as never }
  const ended = new AbortController()
  const result = ai.streamText({
    model,
    instructions: messages
      .filter(({ role }) => role === 'system')
      .map(({ content }) => content)
      .join('\n\n'),
    messages: messages.filter(({ role }) => role !== 'system') as ModelMessage[],
    maxOutputTokens: maxTokens,
    maxRetries: requestRetries,
    abortSignal: AbortSignal.any([signal, ended.signal]),
    // The text stays text, whatever shape the server was asked for: our own reader is the strict one.
    output: { ...ai.Output.text(), responseFormat: Promise.resolve(format) },
    onError: () => {},
  })
  let text = ''
  try {
    for await (const part of result.stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') throw signal.reason ?? new Error('the request was aborted')
      if (part.type === 'text-delta') text += part.text
      else if (part.type === 'finish') {
        const { inputTokens = null, outputTokens = null } = part.totalUsage
        return { text, inputTokens, outputTokens }
      }
    }
    throw new Error('the stream ended without an end')
  } finally {
    // Closes the connection when the caller stops early.
    ended.abort()
  }
}

function failed(described: string, settings: ModelSettings, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause
  const { model, provider, apiKey } = settings
  // A server may repeat the key that it was sent.
  const reason = apiKey ? described.replaceAll(apiKey, '***') : described
  const message = `${model} at ${placeOf(settings)} failed: ${reason}`
  const hint =
    provider !== 'ollama'
      ? null
      : reason.includes('ECONNREFUSED')
        ? 'start Ollama with `ollama serve`, or set llm.url to where it runs'
        : reason.startsWith('status 404')
          ? `\`ollama pull ${model}\` brings the model; \`ollama list\` names those that are there`
          : null
  return new YoreError('MODEL_FAILED', message, hint === null ? {} : { hint })
}

function placeOf({ url, provider }: ModelSettings): string {
  if (url !== '') return url
  return provider === 'ollama' ? 'http://localhost:11434' : 'Anthropic'
}

/** The model's settings with its key. Throws NO_MODEL or BAD_CONFIG. */
export function readModelSettings(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): ModelSettings {
  const { 'llm.provider': provider, 'llm.url': url, 'llm.model': model } = settings
  if (provider === 'none') throw new YoreError('NO_MODEL', 'no LLM is configured')
  if (model === '') throw new YoreError('NO_MODEL', 'llm.model does not name a model')
  if (provider === 'openai' && url === '') throw new YoreError('NO_MODEL', 'llm.url does not name a server')
  if (url !== '') checkUrl(url)
  const apiKey = env[`${product.environment}LLM_KEY`] ?? null
  return { provider, url, model, apiKey, timeoutMs: TURN_MILLISECONDS }
}

function checkUrl(url: string): void {
  const read = URL.parse(url)
  if (read === null || (read.protocol !== 'http:' && read.protocol !== 'https:'))
    throw new YoreError('BAD_CONFIG', `llm.url must be an http or https address, not ${JSON.stringify(url)}`)
  if (read.username !== '' || read.password !== '')
    throw new YoreError('BAD_CONFIG', 'llm.url must not hold a name or a password', {
      hint: `put the key into ${product.environment}LLM_KEY`,
    })
}

/** Bytes of one answer after decompression: a turn of 2,000 tokens takes about 500 KB as events, and thoughts may be longer. */
const mostBytes = 16 * 2 ** 20
/** Bytes between two line ends: what the readers behind this one keep. */
const mostLineBytes = 4 * 2 ** 20
const lineEnd = 10

/** The same response, whose body fails as soon as it is longer than it may be; the connection is then closed. */
function boundResponse(response: Response): Response {
  if (response.body === null) return response
  let total = 0
  let line = 0
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.length
      const last = chunk.lastIndexOf(lineEnd)
      line = last === -1 ? line + chunk.length : chunk.length - last - 1
      if (total <= mostBytes && line <= mostLineBytes) return controller.enqueue(chunk)
      const what = total > mostBytes ? `is longer than ${mostBytes}` : `has a line of over ${mostLineBytes}`
      controller.error(new YoreError('MODEL_FAILED', `the server's answer ${what} bytes`))
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers })
}
