// Which LLM did the user configure? None by default; what is missing is said in one sentence.
import type { Settings } from '../config/settings.ts'
import type { ModelSettings } from '../converse/open-model.ts'
import { YoreError } from '../errors.ts'

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
