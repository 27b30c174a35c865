// Do the repositories of a workspace answer as one? Real folders, the command line in processes of its own, agents over stdio.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { chooseCorpora } from '../src/answer/answering/choose-corpora.ts'
import { joinCorpora, openEngine } from '../src/index.ts'
import { writeAddedRoots } from '../src/model/config/added-roots.ts'
import { defaultSettings } from '../src/model/config/settings.ts'
import { readWorkspace } from '../src/model/config/workspace.ts'
import { corpusOf } from '../src/offer/engine/open-corpus.ts'
import { openWorkspace, writeIndexing } from '../src/offer/engine/open-workspace.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { call, serveStdio } from './mcp-clients.ts'
import { main, plainVariables, type Ran, runYore } from './run-command-line.ts'
import { startChatServer } from './support/chat-server.ts'
import { makeFolder, now, writeFiles } from './temporary-corpus.ts'

const env = {
  ...plainVariables(),
  ...{ SOURCE_DATE_EPOCH: String(now / 1000), YORE_EMBEDDING_PROVIDER: 'none', NO_COLOR: '1' },
  ...{ NODE_NO_WARNINGS: '1', XDG_STATE_HOME: process.env['XDG_STATE_HOME'] },
}
const base = makeFolder()
const folder = path.join(base, 'work')
const file = path.join(folder, 'yore.workspace.json')
const inBase = (name: string): string => path.join(base, name)

const repositories = {
  'api/README.md':
    '# API\n\n## Retries\n\nFailed calls are retried three times, see [limits](limits.md#rate-limits).\n',
  'api/limits.md': '# Limits\n\n## Rate limits\n\nAt most ten calls a second.\n',
  'api/src/retry.ts':
    'export function retryCall(times: number): void {\n  backOff(times)\n}\nfunction backOff(times: number): void {}\n',
  'web/docs/login.md': '# Web\n\n## Login form\n\nThe login form sends the password over TLS.\n',
  'web/src/form.ts': 'export function backOff(): void {}\n',
}

function makeRepository(name: string): void {
  mkdirSync(inBase(name), { recursive: true })
  execFileSync('git', ['init', '--quiet', inBase(name)])
}

const yore = (...args: string[]): Ran => runYore(args, { cwd: folder, env })

function listed(): { name: string; state: string; files: number }[] {
  return JSON.parse(yore('workspace', '--json').stdout).members
}

async function indexed(): Promise<void> {
  for (let at = 0; at < 300 && listed().some(({ state }) => state !== 'indexed'); at++) await setTimeout(200)
}

/** The same repositories, joined by a program. */
function joinByHand(names: readonly string[]): ReturnType<typeof joinCorpora> {
  const joined = joinCorpora(
    names.map((name) => ({ name, engine: openEngine(inBase(name), { now, env, settings: {} }) })),
  )
  onTestFinished(() => joined.close())
  return joined
}

beforeAll(async () => {
  for (const name of ['api', 'web']) makeRepository(name)
  writeFiles(base, repositories)
  mkdirSync(folder)
  const added = yore('workspace', 'add', '../api', '../web')
  expect(added.stderr).toContain('being indexed in the background')
  await indexed()
}, 600_000)

const question = 'How often are failed calls retried?'

describe('a workspace', () => {
  it('is a file with relative paths, and its repositories keep their own indexes', () => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ repositories: ['../api', '../web'] })
    expect(listed()).toMatchObject([
      { name: 'api', state: 'indexed', files: 3 },
      { name: 'web', state: 'indexed', files: 2 },
    ])
    expect(existsSync(path.join(folder, '.yore'))).toBe(false)
    expect(existsSync(inBase('web/.yore/index.db'))).toBe(true)
  })

  it('answers with the same digest by the library, the command line and MCP, within its budget', async () => {
    const countTokens = loadTokenizer('o200k')
    const agent = await serveStdio(folder, 'legacy', { XDG_STATE_HOME: String(env.XDG_STATE_HOME) })
    onTestFinished(() => agent.close())
    const joined = joinByHand(['web', 'api'])
    for (const maxTokens of [600, 4000]) {
      const { output, tokensUsed } = await joined.assemble(question, { maxTokens })
      const cli = yore('assemble', question, '--layout', 'brief', '--max-tokens', String(maxTokens)).stdout
      const { text } = await call(agent.client, 'assemble_context', { question, maxTokens })
      expect(cli).toBe(output)
      expect(text.trimEnd()).toBe(output.trimEnd())
      expect(cli).toContain('api/README.md:3-5')
      expect(tokensUsed).toBe(countTokens(output))
      expect(tokensUsed).toBeLessThanOrEqual(maxTokens)
    }
    const uses = await call(agent.client, 'uses', { name: 'api/src/retry.ts#backOff' })
    expect(uses.text).toContain('api/src/retry.ts:2 retryCall')
    const map = await call(agent.client, 'outline', {})
    expect(map.text).toContain('api/limits.md')
    expect(map.text).toContain('web/docs/login.md')
  })

  it('names the repository of every source on the command line', () => {
    expect(yore('search', 'login password').stdout).toMatch(/^1\. web\/docs\/login\.md:3-5/)
    expect(yore('read', 'api/limits.md#rate-limits').stdout).toContain('api/limits.md:3-5')
    // As typed in the current folder, and by a name that one repository has.
    expect(yore('read', '../web/src/form.ts').stdout).toContain('web/src/form.ts:1-1')
    expect(yore('read', 'retryCall').stdout).toContain('api/src/retry.ts:1-3')
    expect(yore('read', 'backOff').stderr).toContain('begin with the name of one: api/, web/')
    expect(yore('expand', 'api/README.md#retries').stdout).toContain('links api/limits.md')
    expect(yore('expand', 'retryCall').stdout).toContain('uses api/src/retry.ts#backOff')
    expect(yore('expand', 'backOff').stderr).toContain('begin with the name of one: api/, web/')
    const both = yore('uses', 'backOff').stdout
    expect(both).toContain('backOff, api/src/retry.ts:4')
    expect(both).toContain('backOff, web/src/form.ts:1')
    const { subject, usedBy, others } = JSON.parse(yore('uses', 'backOff', '--json').stdout)
    expect([subject.path, usedBy[0].path]).toEqual(['api/src/retry.ts', 'api/src/retry.ts'])
    expect(others).toMatchObject([{ subject: { path: 'web/src/form.ts' }, usedBy: [] }])
  })

  it('searches the repositories that a path names', () => {
    const { stdout } = yore('search', 'form', 'calls', '--path', 'api/', '--json')
    const hits = JSON.parse(stdout).hits as { path: string }[]
    expect(hits.length).toBeGreaterThan(0)
    for (const hit of hits) expect(hit.path).toMatch(/^api\//)
  })

  it('has conversations of its own, and a status that lists its repositories', async () => {
    const server = await startChatServer([
      '{"action":"answer","source":"none","content":"Three times [api/README.md:5]."}',
    ])
    onTestFinished(() => server.close())
    onTestFinished(() => rmSync(path.join(folder, '.yore'), { recursive: true, force: true }))
    const llm = { YORE_LLM_PROVIDER: 'openai', YORE_LLM_MODEL: 'scripted', YORE_LLM_URL: server.url }
    // The server answers in this process, which must not wait.
    const chat = spawn(process.execPath, [main, 'chat'], { cwd: folder, env: { ...env, ...llm } })
    chat.stdin.end(`${question}\n`)
    expect(await text(chat.stdout)).toContain('Three times [api/README.md:5].')
    expect(JSON.parse(yore('chat', 'list', '--json').stdout)).toMatchObject([{ title: question }])
    expect(yore('status').stdout).toBe(yore('workspace').stdout)
    expect(JSON.parse(yore('status', '--json').stdout).members).toHaveLength(2)
  })

  it.each(['health', 'ui'])('says how to run %s, which is about one repository', (name) => {
    const { status, stderr } = yore(name)
    expect(status).toBe(1)
    expect(stderr).toContain(`hint: run \`yore ${name} --root ../api\` or \`yore ${name} --root ../web\``)
    expect(runYore(['health', '--root', '../api'], { cwd: folder, env }).status).toBe(0)
  })

  it('leaves a folder inside of a repository to that repository', () => {
    const { stdout } = runYore(['search', 'login', '--json'], { cwd: inBase('web'), env })
    expect(JSON.parse(stdout).hits[0].path).toBe('docs/login.md')
  })
})

/** A workspace of its own in a copy, so that the indexes of the others stay. */
function makeWorkspace(entries: readonly string[], name: string): string {
  const root = inBase(name)
  mkdirSync(root, { recursive: true })
  writeFileSync(path.join(root, 'yore.workspace.json'), JSON.stringify({ repositories: entries }))
  return root
}

describe('a member', () => {
  it('that is gone or broken is named once, and the others answer', () => {
    makeRepository('broken')
    writeFiles(inBase('broken'), { 'notes.md': '# Notes\n\nCalls of whales.\n' })
    // Indexed before it is added: no background process is at work in it.
    mkdirSync(inBase('broken/.yore'), { recursive: true })
    expect(runYore(['index', '--root', inBase('broken')], { env }).status).toBe(0)
    expect(yore('workspace', 'add', '../broken').status).toBe(0)
    onTestFinished(() => expect(yore('workspace', 'remove', 'broken').status).toBe(0))
    writeFileSync(inBase('broken/.yore/index.db'), 'no database '.repeat(1000))
    renameSync(inBase('web'), inBase('moved'))
    onTestFinished(() => renameSync(inBase('moved'), inBase('web')))
    const { status, stdout, stderr } = yore('search', 'calls')
    expect([status, stdout]).toEqual([0, expect.stringContaining('api/')])
    expect(stderr.match(/no repository at \.\.\/web/g)).toHaveLength(1)
    expect(stderr.match(/Not indexed: broken/g)).toHaveLength(1)
  })

  it('that is not indexed yet is named, and read in the background', async () => {
    makeRepository('late')
    writeFiles(inBase('late'), { 'late.md': '# Late\n\nThe walrus comes later.\n' })
    const root = makeWorkspace(['../api', '../late'], 'waiting')
    const { members } = readWorkspaceAllowed(root, ['api', 'late'])
    expect(members.map(({ name }) => name)).toEqual(['api', 'late'])
    // Another process is at work: no second one is started.
    writeIndexing(root, env, { ended: false, failed: {} })
    using engine = open(root)
    const before = await engine.assemble('Where is the walrus?', { maxTokens: 2000 })
    expect(before.output).toContain('Still being indexed: late.')
    expect(existsSync(inBase('late/.yore/index.db'))).toBe(false)
    writeIndexing(root, env, { ended: true, failed: {} })
    await engine.search('walrus')
    for (let at = 0; at < 300 && engine.members()[1]?.state !== 'indexed'; at++) await setTimeout(200)
    const after = await engine.assemble('Where is the walrus?', { maxTokens: 2000 })
    expect(after.output).toContain('late/late.md:1')
    expect(after.output).not.toContain('Still being indexed')
  })

  it('that no question waits for is named, with the command that shows the progress', async () => {
    makeRepository('unread')
    const root = makeWorkspace(['../unread'], 'idle')
    readWorkspaceAllowed(root, ['unread'])
    using engine = open(root)
    const { hint } = await engine.search('calls', { refresh: 'never' }).catch((error) => error)
    const [, shows = ''] = /`yore (.*?)` shows the progress/.exec(hint) ?? []
    expect(runYore([...shows.split(' '), '--help'], { cwd: root, env }).status).toBe(0)
    expect(runYore(shows.split(' '), { cwd: root, env }).stdout).toContain('unread')
  })

  it('that cannot be indexed is named with the reason, and not tried again at once', async () => {
    const root = makeWorkspace(['../api', '../empty'], 'failing')
    makeRepository('empty')
    readWorkspaceAllowed(root, ['api', 'empty'])
    using engine = open(root)
    await engine.search('calls')
    for (let at = 0; at < 300 && engine.members()[1]?.state !== 'failed'; at++) await setTimeout(200)
    const { notices } = await engine.search('calls')
    expect(notices.filter((notice) => notice.startsWith('Not indexed: empty ('))).toHaveLength(1)
  })

  it('of the same name gets another one, unless the file names it', () => {
    cpSync(inBase('web'), inBase('other/web'), { recursive: true })
    const root = makeWorkspace(['../web', '../other/web', 'site=../other/web', '.'], 'twice')
    const { members } = readWorkspaceAllowed(root, ['web', 'other/web', 'twice'])
    expect(members.map(({ name }) => name)).toEqual(['web', 'web-2', 'twice'])
  })

  it('outside of the folder holds only when the user added it', () => {
    const root = makeWorkspace(['../api', 'inner', '/etc'], 'foreign')
    makeRepository('foreign/inner')
    const { members, warnings } = readWorkspace(root, env) ?? { members: [], warnings: [] }
    expect(members.map(({ name }) => name)).toEqual(['inner'])
    expect(warnings).toEqual([
      expect.stringContaining('`yore workspace add ../api` allows it'),
      expect.not.stringContaining('workspace add'),
    ])
    const added = runYore(['workspace', 'add'], { cwd: root, env })
    expect(added.stdout).toContain(inBase('api'))
  })

  it('that a colleague lists and that is not cloned here keeps no other one from being allowed', () => {
    const root = makeWorkspace(['../api/', '../never-cloned'], 'partial')
    const added = runYore(['workspace', 'add'], { cwd: root, env })
    expect(added).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('no repository at ../never-cloned'),
    })
    expect(added.stdout).toContain(inBase('api'))
    const written = JSON.parse(readFileSync(path.join(root, 'yore.workspace.json'), 'utf8'))
    expect(written.repositories).toEqual(['../api/', '../never-cloned'])
  })

  it('that was removed must be added again by the user', () => {
    const root = makeWorkspace([], 'withdrawn')
    for (const action of ['add', 'remove'])
      expect(runYore(['workspace', action, '../api'], { cwd: root, env }).status).toBe(0)
    makeWorkspace(['../api'], 'withdrawn')
    expect(readWorkspace(root, env)).toMatchObject({
      members: [],
      warnings: [expect.stringContaining('`yore workspace add ../api` allows it')],
    })
  })

  it('has its share of an outline within a small budget', async () => {
    const { output } = await joinByHand(['api', 'web']).outline(null, { maxTokens: 90 })
    expect(output).toContain('api/')
    expect(output).toContain('web/')
  })

  it('may be every clone of a folder', () => {
    for (const name of ['clones/b', 'clones/a']) makeRepository(name)
    mkdirSync(inBase('clones/plain'))
    const root = inBase('many')
    mkdirSync(root)
    const { stdout } = runYore(['workspace', 'add', '../clones'], { cwd: root, env })
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual(['a', 'b', ''])
    expect(readFileSync(path.join(root, 'yore.workspace.json'), 'utf8')).toContain('../clones/*')
    rmSync(inBase('clones/a'), { recursive: true })
    expect(readWorkspace(root, env)?.members.map(({ name }) => name)).toEqual(['b'])
  })
})

function readWorkspaceAllowed(
  root: string,
  names: readonly string[],
): NonNullable<ReturnType<typeof readWorkspace>> {
  writeAddedRoots(root, env, names.map(inBase), 'workspaces')
  return readWorkspace(root, env) as NonNullable<ReturnType<typeof readWorkspace>>
}

function open(root: string): ReturnType<typeof openWorkspace> {
  const workspace = readWorkspace(root, env) as NonNullable<ReturnType<typeof readWorkspace>>
  return openWorkspace({
    ...{ root, indexDir: root, settings: defaultSettings, now, env, workspace },
    clock: Date.now,
  })
}

it('asks ten of many corpora, those that the words of the question point to, in whatever order they are', async () => {
  const subjects = [
    'walrus',
    'kite',
    'harbour',
    'violin',
    'glacier',
    'bakery',
    'tram',
    'orchid',
    'comet',
    'sail',
    'abbey',
    'loom',
  ]
  const engines = await Promise.all(
    subjects.map(async (subject, at) => {
      const root = inBase(`subject-${subject}`)
      writeFiles(root, {
        'a.md': `# Notes\n\nThe ${subject} and its keeper work on day ${at}.\n`,
        'b.md': '# Rules\n\nThe keeper works on every day.\n',
      })
      const engine = openEngine(root, { now, env })
      await engine.index()
      return { name: subject, engine }
    }),
  )
  onTestFinished(() => {
    for (const { engine } of engines) engine.close()
  })
  const readers = engines.map(({ name, engine }) => ({ name, reader: corpusOf(engine).open() }))
  const chosen = chooseCorpora('When does the keeper of the loom work?', readers)
  expect(chosen).toHaveLength(10)
  expect(chosen[0]).toMatchObject({ name: 'loom', prior: 1 })
  const asked = 'Who keeps the orchid?'
  const { output, digest } = await joinCorpora(engines).assemble(asked, { maxTokens: 1500 })
  expect(digest.primary[0]?.path).toBe('orchid/a.md')
  expect(output).toContain('Searched the 10 likeliest of 12 corpora.')
  expect((await joinCorpora(engines.toReversed()).assemble(asked, { maxTokens: 1500 })).output).toBe(output)
  // A text is found wherever it is.
  const { hits } = await joinCorpora(engines).search('keeper works on every', { match: 'exact', limit: 20 })
  expect(hits).toHaveLength(12)
})

it('has a finite prior for corpora without any text', async () => {
  const root = makeFolder()
  writeFiles(root, { 'empty.md': '' })
  const engine = openEngine(root, { now, env, settings: defaultSettings })
  onTestFinished(() => engine.close())
  await engine.index()
  const readers = ['a', 'b'].map((name) => ({ name, reader: corpusOf(engine).open() }))
  expect(chooseCorpora('Who keeps the orchid?', readers).map(({ prior }) => prior)).toEqual([1, 1])
})
