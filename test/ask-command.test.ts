// Do `yore ask` and `yore chat` keep their contract from end to end? Real processes, and a real server with a script.

import { spawn } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { main, type Ran } from './run-command-line.ts'
import { type ChatServer, startChatServer } from './support/chat-server.ts'
import { copyFixture, indexFolder, makeFolder } from './temporary-corpus.ts'

const retries = 'docs/adr/ADR-013-retries.md'
const answer = (content: string): string => JSON.stringify({ action: 'answer', content })
const useful = answer(`A job is repeated at most twice [${retries}:15].\n\n![x](https://evil.example/x)`)

let folder: string
let root: string
beforeAll(async () => {
  folder = makeFolder()
  root = path.join(folder, 'repository')
  copyFixture('crossref', root)
  await indexFolder(root, { 'embedding.provider': 'none' })
})

let server: ChatServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

/** Asynchronous: the server answers from this very process. */
function yore(
  args: readonly string[],
  options: { input?: string; preload?: string; model?: boolean; env?: Record<string, string> } = {},
): Promise<Ran> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(YORE_|FORCE_COLOR|NODE_OPTIONS)/.test(name))
  const model = {
    YORE_LLM_PROVIDER: 'openai',
    YORE_LLM_URL: server?.url ?? '',
    YORE_LLM_MODEL: 'scripted',
    YORE_LLM_KEY: 'sk-1',
  }
  const env = {
    ...Object.fromEntries(kept),
    XDG_CONFIG_HOME: folder,
    YORE_EMBEDDING_PROVIDER: 'none',
    ...(options.model === false ? {} : model),
    ...options.env,
  }
  const preload = options.preload === undefined ? [] : ['--import', options.preload]
  const child = spawn(process.execPath, [...preload, main, ...args, '--root', root], { env })
  const run = { status: null as number | null, stdout: '', stderr: '' }
  child.stdout.on('data', (part) => {
    run.stdout += part
  })
  child.stderr.on('data', (part) => {
    run.stderr += part
  })
  child.stdin.end(options.input ?? '')
  return new Promise((resolve) => child.on('close', (status) => resolve({ ...run, status })))
}

describe('yore ask', () => {
  it('prints the answer with its sources, and what to know beside it on standard error', async () => {
    server = await startChatServer([useful])
    const { status, stdout, stderr } = await yore(['ask', 'retry semantics'])
    expect(stdout).toBe(
      `A job is repeated at most twice [${retries}:15].\n\n![x] ((link removed))\n\nSources\n  1. ${retries}:15\n`,
    )
    expect(stderr).toBe('warning: 1 link that no source has was taken out\n')
    expect(status).toBe(0)
  })

  it('names the place of what it cites in an extracted text', async () => {
    const cell = { cell_type: 'markdown', source: ['# Yield\n', '\n', 'The yield of plums is low.\n'] }
    writeFileSync(
      path.join(root, 'fruit.ipynb'),
      JSON.stringify({ nbformat: 4, metadata: {}, cells: [cell] }),
    )
    server = await startChatServer([answer('Plums yield little [fruit.ipynb:1-3].')])
    const { stdout } = await yore(['ask', 'the yield of plums'])
    expect(stdout).toContain('1. fruit.ipynb:1-3 (cell 1)\n')
    const explained = await yore(['assemble', 'the yield of plums', '--explain'])
    expect(explained.stderr).toContain('fruit.ipynb:1-3 (cell 1)')
    rmSync(path.join(root, 'fruit.ipynb'))
  })

  it('shows every request and verdict with --trace', async () => {
    server = await startChatServer(['{"action":"expand","via":"uses","target_identifier":"x"}', 'no', useful])
    const { stderr } = await yore(['ask', 'retry semantics', '--trace'])
    const lines = stderr.split('\n').map((line) => line.split(/[:,]/)[0])
    expect(lines.slice(0, 4)).toEqual([
      '· searched by original',
      '· denied   expand via uses to x',
      '· refused  not_json',
      '· answered',
    ])
  })

  it('gives what the search found when there is no answer, says so in one sentence, and exits with 1', async () => {
    server = await startChatServer(['{"action":"think"}'])
    const { status, stdout, stderr } = await yore(['ask', 'retry semantics'])
    expect(status).toBe(1)
    expect(stdout).toMatch(/^\*\*Source:\*\* docs\/\S+:\d+-\d+/m)
    expect(stderr).toMatch(
      /^no answer: The model gave no answer in 4 turns, 4 of them refused\. Above is what the search found\.\nhint: --trace/,
    )
  })

  it('says when the answer cites nothing', async () => {
    server = await startChatServer([answer('I would rather talk.')])
    const { status, stdout, stderr } = await yore(['ask', 'retry semantics'])
    expect([status, stdout]).toEqual([0, 'I would rather talk.\n'])
    expect(stderr).toMatch(/^warning: the answer cites nothing; the search found docs\/\S+:\d+-\d+[^\n]*\n$/)
  })

  it('asks Ollama, and says which packages it needs, how to start it or bring its model', async () => {
    server = await startChatServer([answer(`It is [${retries}:15].`)])
    const ollama = { YORE_LLM_PROVIDER: 'ollama', YORE_LLM_URL: server.url.replace('/v1', '') }
    const preload = path.join(folder, 'without-packages.mjs')
    writeFileSync(
      preload,
      `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (/^(?:ai|@ai-sdk)/.test(name)) throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' })
        return next(name, context)
      } })`,
    )
    const bare = await yore(['ask', 'retry semantics'], { preload, env: ollama })
    expect(bare.stderr).toContain('hint: install them next to yore: npm install ai ai-sdk-ollama')
    const told = await yore(['ask', 'retry semantics'], { env: ollama })
    expect(told).toMatchObject({ status: 0, stderr: '' })
    expect(told.stdout).toBe(`It is [${retries}:15].\n\nSources\n  1. ${retries}:15\n`)
    const { path: asked, body } = server.requests[0]!
    expect([asked, body.stream, body['options']]).toEqual([
      ...['/api/chat', true, { num_predict: 2000, num_ctx: 4096 }],
    ])
    await server.close()
    const gone = await yore(['ask', 'retry semantics'], { env: ollama })
    expect(gone.stderr).toMatch(/ECONNREFUSED\nhint: start Ollama with `ollama serve`/)
    server = await startChatServer([{ status: 404, body: { error: "model 'scripted' not found" } }])
    const missing = await yore(['ask', 'retry semantics'], {
      env: { ...ollama, YORE_LLM_URL: server.url.replace('/v1', '') },
    })
    expect(missing.stderr).toMatch(
      /model 'scripted' not found\nhint: `ollama pull scripted` brings the model/,
    )
  })

  it('gives everything as JSON', async () => {
    server = await startChatServer([useful])
    const { stdout } = await yore(['ask', 'retry semantics', '--json', '--model', 'another'])
    expect(JSON.parse(stdout)).toMatchObject({
      question: 'retry semantics',
      outcome: {
        outcome: 'answered',
        turns: 1,
        removed: ['https://evil.example/x'],
        citations: [{ path: retries }],
      },
      cited: [{ path: retries, title: 'ADR-013: Retries' }],
    })
    expect(server.requests[0]?.body.model).toBe('another')
  })

  it('says what to configure when nothing is, and which packages when they are missing', async () => {
    const none = await yore(['ask', 'retry semantics'], { model: false })
    expect(none.stderr).toMatch(
      /^error: no LLM is configured\nhint: a model of Ollama: set YORE_LLM_PROVIDER to ollama/,
    )
    server = await startChatServer([useful])
    const preload = path.join(folder, 'without-ai.mjs')
    writeFileSync(
      preload,
      `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (name === 'ai') throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' })
        return next(name, context)
      } })`,
    )
    const { stderr, status } = await yore(['ask', 'retry semantics'], { preload })
    expect(stderr).toBe(
      'error: asking an LLM needs the packages ai @ai-sdk/openai-compatible\nhint: install them next to yore: npm install ai @ai-sdk/openai-compatible\n',
    )
    expect([status, server.requests.length]).toEqual([1, 0])
  })
})

it('no other command loads what only asking needs', async () => {
  const preload = path.join(folder, 'watch-loads.mjs')
  writeFileSync(
    preload,
    `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (/^(?:ai|@ai-sdk\\/.*|zod.*)$|src\\/converse|\\/converse\\//.test(name)) process.stderr.write('loads ' + name + '\\n')
      return next(name, context)
    } })`,
  )
  for (const args of [['assemble', 'retry semantics'], ['search', 'retry'], ['status'], ['ask', '--help']]) {
    const { stderr } = await yore(args, { preload, model: false })
    expect(stderr, args.join(' ')).not.toContain('loads')
  }
})

describe('yore chat', () => {
  it('takes a question per line, each with those before it', async () => {
    const rewritten = JSON.stringify({ query: `What does ${retries} say about attempts?` })
    server = await startChatServer([useful, rewritten, useful])
    const input = 'retry semantics\nwhat does that document say about attempts?\n/quit\nnever asked\n'
    const first = await yore(['chat', '--trace'], { input })
    expect(first.status).toBe(0)
    expect(first.stderr).toContain(`searched by reference_filter: 2 sections`)
    expect(server.requests).toHaveLength(3)
    expect(existsSync(path.join(root, '.yore', 'sessions'))).toBe(false)
    expect(await yore(['chat', 'list'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('`yore chat list` was removed'),
    })
  })

  it('goes on after a question that failed, and then exits with 1', async () => {
    server = await startChatServer([{ status: 400 }, useful])
    const { status, stdout, stderr } = await yore(['chat'], { input: 'retry semantics\nretry semantics\n' })
    expect(stderr).toContain('failed: status 400')
    expect(stdout).toContain('A job is repeated at most twice')
    expect(status).toBe(1)
  })
})
