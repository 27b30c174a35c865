// Does the published package work where nothing else is? Installs a tarball into an empty folder and uses it.
//
// Run: node scripts/try-package.ts yore-0.2.0.tgz. Uses the Node that runs it; the last line counts what passed.

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { handbook } from '../test/support/sample-files.ts'
import { Checks, withOwnNode } from './count-checks.ts'

const repository = path.join(import.meta.dirname, '..')
const mostDependencies = 12
const checks = new Checks()
const check = checks.check.bind(checks)

interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The folders of one try: the installation, and the documents that it indexes. */
interface Place {
  readonly install: string
  readonly documents: string
}

function run(command: string, args: readonly string[], cwd: string): Outcome {
  const env = { ...withOwnNode(), XDG_CONFIG_HOME: path.join(cwd, '.config') }
  return spawnSync(command, [...args], { cwd, env, encoding: 'utf8', maxBuffer: 1 << 26 })
}

function yore(place: Place, ...args: string[]): Outcome {
  const program = path.join(place.install, 'node_modules', '.bin', 'yore')
  return run(program, args, place.documents)
}

function sizeOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0)
}

function install(tarball: string, place: Place): boolean {
  writeFileSync(path.join(place.install, 'package.json'), '{ "private": true }')
  const done = run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], place.install)
  check(`installs without install scripts on Node ${process.versions.node}`, done.status === 0, done.stderr)
  if (done.status !== 0) return false
  const size = (sizeOf(path.join(place.install, 'node_modules')) / 1e6).toFixed(1)
  process.stdout.write(`     the installation takes ${size} MB\n`)
  return true
}

function checkDependencies(place: Place): void {
  const lock = JSON.parse(readFileSync(path.join(place.install, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dependencies?: Record<string, string>; hasInstallScript?: boolean }>
  }
  const direct = Object.keys(lock.packages['node_modules/yore']?.dependencies ?? {})
  const few = direct.length <= mostDependencies
  check(`has at most ${mostDependencies} direct dependencies`, few, `${direct.length}: ${direct.join(', ')}`)
  const scripted = Object.keys(lock.packages).filter((name) => lock.packages[name]?.hasInstallScript)
  check('nothing that it installs has an install script', scripted.length === 0, scripted.join(', '))
}

function checkDigest(place: Place): void {
  const ask = [
    'assemble',
    'How do I deploy a new service?',
    '--now',
    '2025-11-29T15:23:00Z',
    '--max-tokens',
    '1500',
  ]
  const first = yore(place, ...ask)
  check('a digest names its sources', /^\*\*Source:\*\* docs\/\S+:\d+-\d+ /m.test(first.stdout), first.stderr)
  check('a digest holds the answer', first.stdout.includes('./scripts/new_service.sh'), first.stdout)
  check('the same question gives the same bytes', first.stdout === yore(place, ...ask).stdout)
  const json = yore(place, ...ask, '--format', 'json')
  check(
    'JSON parses',
    typeof (JSON.parse(json.stdout || 'null') as { query?: unknown })?.query !== 'undefined',
    json.stderr,
  )
  const version = (
    JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as { version: string }
  ).version
  check('the version is that of the package', yore(place, '--version').stdout === `${version}\n`)
  const nowhere = yore(place, 'search', 'x', '--root', place.install, '--refresh', 'never')
  check(
    'a missing index that must not be built is an error with a hint',
    nowhere.status === 1 && nowhere.stderr.includes('hint:'),
    nowhere.stderr,
  )
}

function checkPdf(place: Place): void {
  writeFileSync(path.join(place.documents, 'handbook.pdf'), handbook)
  const { stdout, stderr } = yore(place, 'search', 'When is spring tide in the harbour?')
  check('it reads PDF', stdout.includes('1. handbook.pdf'), stderr + stdout)
}

/** Hints that name a document must name one that was installed. */
function checkDocuments(place: Place): void {
  const { stderr } = yore(place, 'ask', 'x')
  const named = /(\/\S+\.md)/.exec(stderr)?.[1] ?? ''
  check(
    'a hint names a document that is there',
    statSync(named, { throwIfNoEntry: false }) !== undefined,
    stderr,
  )
}

function checkThreads(place: Place): void {
  const text = 'Every paragraph of this document speaks of deployments and services.\n\n'.repeat(600)
  for (let at = 0; at < 40; at++)
    writeFileSync(path.join(place.documents, `long-${at}.md`), `# Part ${at}\n\n${text}`)
  const { status, stderr, stdout } = run(
    process.execPath,
    [path.join(place.install, 'node_modules/yore/bin/yore.js'), 'index', '--root', '.'],
    place.documents,
  )
  check(
    'a large folder is parsed on threads',
    status === 0 && stdout.includes('indexed 40 files'),
    stderr + stdout,
  )
}

/** `yore mcp` of the package answers an agent over standard input. */
function checkServer(place: Place): void {
  writeFileSync(
    path.join(place.install, 'serve.mjs'),
    `import { spawn } from 'node:child_process'
const args = ['node_modules/yore/bin/yore.js', 'mcp', '--root', process.argv[2]]
const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'try', version: '1' } }
let said = ''
server.stdout.on('data', (text) => {
  said += text
  if (!said.includes('"id":2')) return
  console.log(/1\\. [^ ]+:\\d/.test(said) || said)
  server.stdin.end()
})
server.on('exit', (status) => console.log(status))
send({ id: 1, method: 'initialize', params: client })
send({ method: 'notifications/initialized' })
send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'deploy a service' } } })
`,
  )
  const { stdout, stderr } = run(process.execPath, ['serve.mjs', place.documents], place.install)
  check('the server answers agents, and ends', stdout === 'true\n0\n', stdout + stderr)
}

function checkLibrary(place: Place): void {
  writeFileSync(
    path.join(place.install, 'use.mjs'),
    `import { openEngine } from 'yore'
import schema from 'yore/schema/digest.schema.json' with { type: 'json' }
using engine = openEngine(process.argv[2])
const { digest } = await engine.assemble('How do I deploy a new service?')
console.log(digest.primary.length > 0 && typeof schema.$schema === 'string')
`,
  )
  const { stdout, stderr } = run(process.execPath, ['use.mjs', place.documents], place.install)
  check('a program can use it', stdout === 'true\n', stderr)
}

/** The types are checked as strictly as a user may: without the types of Node, and with the package's own files. */
function checkTypes(place: Place): void {
  const program = `import { type CorpusEngine, defaultSettings, type Engine, openCorpusFile, openEngine, type YoreError } from 'yore'
using engine = openEngine('.', { settings: { maxTokens: 700 }, now: () => 0 })
const decided: Engine = openEngine({ root: '/', indexDir: '/.yore', settings: defaultSettings, now: 0 })
const alone: CorpusEngine = openCorpusFile('/x.db', { sha256: '' })
export const tokens: number = (await engine.assemble('x', { now: 1 })).tokensUsed
export const engines: readonly CorpusEngine[] = [decided, alone]
export const codeOf = (error: YoreError): 'NO_INDEX' | string => error.code
`
  writeFileSync(path.join(place.install, 'use.mts'), program)
  const compiler = path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc')
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,esnext.disposable,dom',
    '--types',
    '',
  ]
  const { status, stdout } = run(process.execPath, [compiler, ...flags, 'use.mts'], place.install)
  check('a TypeScript program can use it', status === 0, stdout)
}

/** What answers a question must not load what only indexing needs. */
function checkChunks(place: Place): void {
  const dist = path.join(place.install, 'node_modules', 'yore', 'dist')
  const chunks = readdirSync(dist).filter((name) => /^(?:cli|starting|answering)\b.*\.js$/.test(name))
  const heavy = chunks.flatMap((name) =>
    [...readFileSync(path.join(dist, name), 'utf8').matchAll(/^import .*from ["']([^."'][^"']*)["']/gm)].map(
      ([, specifier]) => `${name}: ${specifier}`,
    ),
  )
  check('answering loads no package', heavy.length === 0, heavy.join(', '))
}

function tryPackage(tarball: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-package-'))
  const place = { install: path.join(folder, 'install'), documents: path.join(folder, 'documents') }
  try {
    mkdirSync(place.install)
    cpSync(path.join(repository, 'assets', 'demo', 'documents'), place.documents, { recursive: true })
    if (!install(path.resolve(tarball), place)) return
    checkDependencies(place)
    checkDigest(place)
    checkDocuments(place)
    checkServer(place)
    checkLibrary(place)
    checkTypes(place)
    checkThreads(place)
    checkChunks(place)
    checkPdf(place)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [tarball] = process.argv.slice(2)
if (tarball === undefined) {
  process.stderr.write('error: no tarball given\nhint: node scripts/try-package.ts yore-0.2.0.tgz\n')
  process.exitCode = 1
} else {
  tryPackage(tarball)
  checks.finish()
}
