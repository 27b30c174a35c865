// Which LLM answers? The one that the user configured, through the `ai` package, loaded when first asked.
import type { LanguageModel, ModelMessage } from 'ai'
import type { Settings } from '../config/settings.ts'
import { YoreError } from '../errors.ts'
import type { Complete, Completion, CompletionOptions, Message } from '../model/conversation.ts'
import { describeFault, isPassing, isRefusedFormat, UnfinishedStream } from './model-faults.ts'

/** What the user configures. Nothing is sent anywhere else, and nothing at all before a question is asked. */
export interface ModelSettings {
  readonly provider: 'openai' | 'anthropic'
  /** With the version, such as `http://localhost:11434/v1`; empty for Anthropic's own. */
  readonly url: string
  readonly model: string
  readonly apiKey: string | null
  /** Whether the server is asked to enforce the shape of the JSON: `auto` until it refuses. */
  readonly format: 'auto' | 'schema' | 'text'
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
/** Parts and characters that a turn may have beyond those of its tokens. */
const partSlack = 50_000
const textSlack = 50_000

/** Opens nothing yet: packages are loaded with the first turn. */
export function openModel(settings: ModelSettings): OpenModel {
  const place = settings.url === '' ? 'Anthropic' : new URL(settings.url).host
  const name = `${settings.model} at ${place}`
  let opened: Promise<Opened> | null = null
  let enforced = settings.format !== 'text'
  const complete: Complete = async (messages, options) => {
    opened ??= load(settings)
    const model = await opened
    const signal = withTimeout(options.signal, settings.timeoutMs)
    for (let attempt = 1; ; attempt++) {
      try {
        return await stream(model, messages, { ...options, signal }, enforced)
      } catch (fault) {
        options.signal?.throwIfAborted()
        if (enforced && settings.format === 'auto' && isRefusedFormat(fault)) {
          enforced = false
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

interface Opened {
  readonly ai: typeof import('ai')
  readonly model: LanguageModel
}

async function load(settings: ModelSettings): Promise<Opened> {
  // `ai` prints warnings of providers on the console, between the lines of an answer.
  ;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false
  const [ai, model] = await Promise.all([
    loadPackage(settings.provider, () => import('ai')),
    settings.provider === 'openai' ? openCompatible(settings) : openAnthropic(settings),
  ])
  return { ai, model }
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
      hint: `install them beside yore: npm install ${names}`,
      cause,
    })
  }
}

interface StreamOptions extends CompletionOptions {
  readonly signal: AbortSignal
}

async function stream(
  { ai, model }: Opened,
  messages: readonly Message[],
  options: StreamOptions,
  enforced: boolean,
): Promise<Completion> {
  const { maxTokens, schema, onText, signal } = options
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
    ...(enforced ? { output: { ...ai.Output.text(), responseFormat: Promise.resolve(format) } } : {}),
    onError: () => {},
  })
  let text = ''
  let parts = 0
  try {
    for await (const part of result.stream) {
      // A token is at most one part and rarely over 16 characters; thoughts come as parts, too.
      if (++parts > partSlack + 8 * maxTokens || text.length > textSlack + 16 * maxTokens)
        throw new YoreError(
          'MODEL_FAILED',
          `the server's answer goes far beyond the ${maxTokens} tokens it may have`,
        )
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
    // Whoever leaves early closes the connection.
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

function failed(reason: string, { model, url }: ModelSettings, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause
  const place = url === '' ? 'Anthropic' : url
  return new YoreError('MODEL_FAILED', `${model} at ${place} failed: ${reason}`)
}

/** The model's settings with its key. Throws NO_MODEL or BAD_CONFIG. */
export function readModelSettings(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): ModelSettings {
  const { llmProvider, llmUrl, llmModel, llmKeyVariable, llmFormat, llmTimeoutSeconds } = settings
  if (llmProvider === 'none') throw new YoreError('NO_MODEL', 'no LLM is configured')
  if (llmModel === '') throw new YoreError('NO_MODEL', 'llmModel does not name a model')
  if (llmProvider === 'openai' && llmUrl === '')
    throw new YoreError('NO_MODEL', 'llmUrl does not name a server')
  if (llmUrl !== '') checkUrl(llmUrl)
  return {
    provider: llmProvider,
    url: llmUrl,
    model: llmModel,
    apiKey: env[llmKeyVariable] ?? null,
    format: llmFormat,
    timeoutMs: llmTimeoutSeconds * 1000,
  }
}

function checkUrl(url: string): void {
  const read = URL.parse(url)
  if (read === null || (read.protocol !== 'http:' && read.protocol !== 'https:'))
    throw new YoreError('BAD_CONFIG', `llmUrl must be an http or https address, not ${JSON.stringify(url)}`)
  if (read.username !== '' || read.password !== '')
    throw new YoreError('BAD_CONFIG', 'llmUrl must not hold a name or a password', {
      hint: 'put the key into the variable that llmKeyVariable names',
    })
}

interface ResponseLimits {
  /** Of one answer, after decompression. */
  readonly bytes: number
  /** Between two line ends: what the readers behind this one keep. */
  readonly lineBytes: number
}

/** 100,000 tokens, the most that may be asked for, take about 25 MB as events of a stream. */
const responseDefaults: ResponseLimits = { bytes: 32 * 2 ** 20, lineBytes: 4 * 2 ** 20 }

const lineEnd = 10

/** The same response, whose body fails as soon as it is longer than it may be; the connection is then closed. */
function boundResponse(response: Response, limits: Partial<ResponseLimits> = {}): Response {
  const { bytes, lineBytes } = { ...responseDefaults, ...limits }
  if (response.body === null) return response
  let total = 0
  let line = 0
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.length
      const last = chunk.lastIndexOf(lineEnd)
      line = last === -1 ? line + chunk.length : chunk.length - last - 1
      if (total > bytes || line > lineBytes) {
        const what =
          total > bytes
            ? `answer is longer than ${bytes} bytes`
            : `answer has a line of over ${lineBytes} bytes`
        controller.error(new YoreError('MODEL_FAILED', `the server's ${what}`))
        return
      }
      controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers })
}
