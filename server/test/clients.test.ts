// Do programs in Python, and retrievers of other libraries, speak with a real service? With the real packages, installed into a temporary folder.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { yoreVersion } from '../src/yore.ts'
import { Client, startService, type TestService } from './service.ts'

const clients = path.resolve(import.meta.dirname, '../clients')
const examples = path.join(clients, 'examples')
let service: TestService
let folder: string

beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(path.join(tmpdir(), 'yore-clients-'))
  const client = new Client(service.url, service.key)
  await client.call('POST', '/v1/corpora', { name: 'handbook' })
  const pages = {
    'deploying.md': '# Deploying\n\nRun the deploy script.\n',
    'tea.md': '# Tea\n\nBoil water.\n',
  }
  for (const [name, content] of Object.entries(pages)) {
    const { body } = await client.upload(name, content, { corpus: 'handbook' })
    expect((await client.wait(body.id)).state).toBe('completed')
  }
}, 120_000)
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a program prints. The node is in this process: it must not wait for the program. */
async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return await new Promise((resolve, reject) => {
    const about = { YORE_URL: service.url, YORE_KEY: service.key, YORE_CORPUS: 'handbook' }
    execFile(command, args, { env: { ...process.env, ...about, ...env }, cwd: folder }, (error, out, said) =>
      error === null ? resolve(out) : reject(new Error(`${command} ${args.join(' ')}: ${said}`)),
    )
  })
}

/** Installs packages, or skips the test where their registry cannot be reached. */
function install(context: TestContext, command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 280_000 })
  if (status === 0) return
  console.warn(`SKIPPED: ${command} ${args.join(' ')} failed: ${stderr.trim().split('\n').at(-1)}`)
  context.skip()
}

/** Into a Python of its own, which needs no pip and compiles nothing that is not imported. */
function installInto(context: TestContext, venv: string, packages: readonly string[]): void {
  install(context, 'python3', ['-m', 'venv', '--without-pip', venv])
  const pip = ['-m', 'pip', '--python', path.join(venv, 'bin/python'), 'install', '-q', '--no-compile']
  install(context, 'python3', [...pip, ...packages])
}

type Schema = Readonly<Record<string, unknown>>

/** Fields of a value that its schema does not describe, or that it lacks. */
function findUndescribed(value: unknown, schema: Schema, at = ''): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => findUndescribed(item, (schema['items'] ?? {}) as Schema, `${at}[]`))
  const { properties, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
  if (typeof value !== 'object' || value === null || properties === undefined) return []
  const lacking = required.filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`)
  const found = Object.entries(value).flatMap(([name, field]) => {
    const described = properties[name]
    return described === undefined
      ? [`${at}.${name} is not described`]
      : findUndescribed(field, described, `${at}.${name}`)
  })
  return [...new Set([...lacking, ...found])]
}

it('finds every field of an answer and every error in the description', async () => {
  const client = new Client(service.url, service.key)
  const { paths, components } = (await client.call('GET', '/openapi.json')).body
  const call = async (
    name: string,
    body: object,
    { key = service.key, corpus = 'handbook' } = {},
  ): Promise<void> => {
    const path = `/v1/${corpus === '' ? '' : 'corpora/{corpus}/'}${name}`
    const asked = new Client(service.url, key)
    const answer = await asked.call('POST', path.replace('{corpus}', corpus), body)
    const content = paths[path].post.responses[answer.status]?.content
    const isProblem = answer.status >= 400
    const schema = isProblem ? components.schemas.Problem : content['application/json'].schema
    expect([name, answer.status, content === undefined]).toEqual([name, answer.status, false])
    expect(findUndescribed(answer.body, schema)).toEqual([])
    if (!isProblem) return
    expect(components.schemas.Problem.properties.code.enum).toContain(answer.body.code)
    expect(paths[path].post.responses[answer.status].description).toContain(`${answer.body.code}: `)
  }
  const question = { question: 'How do I deploy?' }
  for (const corpus of ['handbook', '']) {
    await call('search', { query: 'deploy script' }, { corpus })
    await call('search', { query: 'deploy script', words: ['water'], match: 'words' }, { corpus })
    await call('search', { query: 'deploy', match: 'exact' }, { corpus })
    await call('assemble', question, { corpus })
    await call('assemble', { ...question, maxTokens: 1 }, { corpus })
    await call('search', { query: 'x', limit: -1 }, { corpus })
    await call('search', { query: 'x' }, { corpus, key: 'wrong' })
  }
  await call('read', { place: 'deploying.md' })
  await call('read', { place: 'no-such.md' })
  await call('expand', { from: 'deploying.md' })
  await call('search', { query: 'x' }, { corpus: 'no-such' })
})

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('SKIPPED: there is no python3')

describe.runIf(hasPython)('the client in Python', () => {
  it('uploads, follows, asks, reads, removes and raises problems', async () => {
    const said = await run('python3', [path.join(import.meta.dirname, 'python-client.py')], {
      PYTHONPATH: path.join(clients, 'python'),
    })
    expect(JSON.parse(said)).toMatchObject({
      state: 'completed',
      same: true,
      hits: ['docs/brewing tea.md'],
      content: '# Brewing\n\nPour hot water over the leaves, naïvely.\n',
      problem: { code: 'NOT_FOUND', status: 404 },
      refused: { code: 'BAD_INPUT', status: 400 },
      unauthenticated: 401,
      left: ['handbook'],
    })
  }, 120_000)

  it('is packed as a wheel that another Python installs', { timeout: 300_000 }, async (context) => {
    const source = path.join(clients, 'python')
    const build = mkdtempSync(path.join(folder, 'build-'))
    execFileSync('cp', ['-r', source, build])
    install(context, 'python3', [
      '-m',
      'pip',
      'wheel',
      '--no-deps',
      '-q',
      '-w',
      folder,
      path.join(build, 'python'),
    ])
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? ''
    expect(wheel).toBe(`yore_client-${yoreVersion}-py3-none-any.whl`)
    const python = path.join(folder, 'fresh/bin/python')
    installInto(context, path.join(folder, 'fresh'), ['--no-index', path.join(folder, wheel)])
    const program = `import os; from yore_client import YoreClient; y = YoreClient(os.environ["YORE_URL"], os.environ["YORE_KEY"]); print(y.assemble("handbook", question="How do I deploy?")["output"])`
    expect(await run(python, ['-c', program])).toContain('Run the deploy script.')
  })
})

describe('an example of at most 60 lines', () => {
  const lengthOf = (name: string): number =>
    readFileSync(path.join(examples, name), 'utf8').trimEnd().split('\n').length

  it.runIf(hasPython).for([
    ['langchain_retriever.py', 'langchain-core'],
    ['llamaindex_retriever.py', 'llama-index-core'],
  ] as const)(
    '%s retrieves with the real package',
    { timeout: 600_000 },
    async ([name, packageName], context) => {
      // Installing it takes a minute: set YORE_SLOW.
      if (name === 'llamaindex_retriever.py') context.skip(process.env['YORE_SLOW'] === undefined)
      expect(lengthOf(name)).toBeLessThanOrEqual(60)
      const venv = path.join(folder, packageName)
      installInto(context, venv, [packageName])
      const said = await run(path.join(venv, 'bin/python'), [path.join(examples, name), 'How do I deploy?'], {
        PYTHONPATH: path.join(clients, 'python'),
      })
      expect(said).toContain('deploying.md')
      expect(said).toContain('Run the deploy script.')
    },
  )

  it('ai-sdk-tool.mjs retrieves with the real package', { timeout: 600_000 }, async (context) => {
    const name = 'ai-sdk-tool.mjs'
    expect(lengthOf(name)).toBeLessThanOrEqual(60)
    writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')
    install(context, 'npm', ['install', '--silent', '--no-audit', '--no-fund', 'ai', 'zod'])
    copyFileSync(path.join(examples, name), path.join(folder, name))
    const said = await run(process.execPath, [path.join(folder, name), 'How do I deploy?'])
    expect(said).toContain('deploying.md')
    expect(said).toContain('Run the deploy script.')
  })
})
