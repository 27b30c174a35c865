// Which LLM answers? The one that the user configured: Ollama directly, others through the `ai` package, loaded when first asked.

import type { LanguageModel, ModelMessage } from 'ai'
import type { Settings } from '../../model/config/settings.ts'
import type { Complete, Completion, Message } from '../../model/conversation.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import { boundAnswer, boundResponse } from './bound-response.ts'
import { describeFault, isPassing, isRefusedFormat, UnfinishedStream } from './model-errors.ts'
import type { StreamOptions } from './ollama-model.ts'

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

/** Tries of one turn whose stream breaks off. */
const streamTries = 3
/** Tries of `ai` itself after the first, for answers such as 429 and 500. */
const requestRetries = 2

/** Opens nothing yet: packages are loaded with the first turn. */
export function openModel(settings: ModelSettings): OpenModel {
  const place = placeOf(settings)
  const name = `${settings.model} at ${URL.parse(place)?.host ?? place}`
  let opened: Promise<Streaming> | null = null
  /** How many kinds of schemas the server refused, the most exact first; infinite when it takes none. */
  let refused = 0
  const complete: Complete = async (messages, options) => {
    opened ??= load(settings)
    const streaming = await opened
    const signal = withTimeout(options.signal, settings.timeoutMs)
    for (let attempt = 1; ; attempt++) {
      const { schemas } = options
      const last = schemas.at(-1) ?? null
      const schema = Number.isFinite(refused) ? (schemas[refused] ?? last) : null
      try {
        return await streaming(messages, { ...options, signal, schema })
      } catch (fault) {
        options.signal?.throwIfAborted()
        if (schema !== null && isRefusedFormat(fault)) {
          refused = schema === last ? Number.POSITIVE_INFINITY : refused + 1
          attempt--
          continue
        }
        const described = hideKey(describeFault(fault, signal.aborted ? settings.timeoutMs : null), settings)
        if (signal.aborted || attempt >= streamTries || !isPassing(fault))
          throw failed(described, settings, fault)
        options.onRestart?.(described)
      }
    }
  }
  return { name, complete }
}

/** One try of a turn. */
type Streaming = (messages: readonly Message[], options: StreamOptions) => Promise<Completion>

async function load(settings: ModelSettings): Promise<Streaming> {
  const { provider } = settings
  if (provider === 'ollama') {
    const { streamOllama } = await import('./ollama-model.ts')
    return (messages, options) => streamOllama(settings, messages, options)
  }
  // `ai` prints warnings of providers on the console, between the lines of an answer.
  ;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false
  const [ai, model] = await Promise.all([
    loadPackage(provider, () => import('ai')),
    provider === 'openai' ? openCompatible(settings) : openAnthropic(settings),
  ])
  return (messages, options) => stream({ ai, model }, messages, options)
}

async function openCompatible({ url, model, apiKey }: ModelSettings): Promise<LanguageModel> {
  const { createOpenAICompatible } = await loadPackage('openai', () => import('@ai-sdk/openai-compatible'))
  const provider = createOpenAICompatible({
    name: 'configured',
    baseURL: url,
    supportsStructuredOutputs: true,
    includeUsage: true,
    fetch: fetchHere,
    ...(apiKey === null ? {} : { apiKey }),
  })
  return provider.chatModel(model)
}

async function openAnthropic({ url, model, apiKey }: ModelSettings): Promise<LanguageModel> {
  const { createAnthropic } = await loadPackage('anthropic', () => import('@ai-sdk/anthropic'))
  const provider = createAnthropic({
    fetch: fetchHere,
    // An empty key is one: otherwise the package would look for another in the environment.
    apiKey: apiKey ?? '',
    ...(url === '' ? {} : { baseURL: url }),
  })
  return provider(model)
}

/** Texts go to the configured address and nowhere else, and an answer ends. */
const fetchHere: typeof fetch = async (input, init) =>
  boundResponse(await fetch(input, { ...init, redirect: 'manual' }))

async function loadPackage<T>(provider: ModelSettings['provider'], load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    const names = `ai @ai-sdk/${provider === 'openai' ? 'openai-compatible' : 'anthropic'}`
    throw new YoreError('NO_PACKAGE', `asking an LLM needs the packages ${names}`, {
      hint: `install them next to yore: npm install ${names}`,
      cause,
    })
  }
}

async function stream(
  { ai, model }: { readonly ai: typeof import('ai'); readonly model: LanguageModel },
  messages: readonly Message[],
  { maxTokens, schema, onText, signal }: StreamOptions,
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
    ...(schema !== null ? { output: { ...ai.Output.text(), responseFormat: Promise.resolve(format) } } : {}),
    onError: () => {},
  })
  let text = ''
  let parts = 0
  try {
    for await (const part of result.stream) {
      boundAnswer(++parts, text.length, maxTokens)
      if (part.type === 'error') {
        // Some servers never say how they finished; a whole object shows that they did.
        if (isWhole(text)) return { text, inputTokens: null, outputTokens: null }
        throw part.error
      }
      if (part.type === 'abort') throw signal.reason ?? new UnfinishedStream('the request was aborted')
      if (part.type === 'text-delta') {
        text += part.text
        onText?.(part.text)
      } else if (part.type === 'finish') {
        const { inputTokens = null, outputTokens = null } = part.totalUsage
        return { text, inputTokens, outputTokens }
      }
    }
    throw new UnfinishedStream('the stream ended without an end')
  } finally {
    // Closes the connection when the caller stops early.
    ended.abort()
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function withTimeout(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

/** A server may repeat the key that it was sent. */
function hideKey(text: string, { apiKey }: ModelSettings): string {
  return apiKey === null || apiKey === '' ? text : text.replaceAll(apiKey, '***')
}

function failed(reason: string, settings: ModelSettings, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause
  const { model, provider } = settings
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
  return {
    provider,
    url,
    model,
    apiKey: env[`${product.environment}LLM_KEY`] ?? null,
    timeoutMs: TURN_MILLISECONDS,
  }
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
