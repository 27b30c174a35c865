// Does the executable work as the package does, where nothing else is? Runs one that was built for this machine.
//
// node scripts/try-executable.ts EXECUTABLE TARBALL [--short]   --short: the version, one index, three questions and a workspace
//
// The package runs from the tarball with the dependencies of this checkout. The last line counts what passed.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { handbook } from '../test/support/sample-files.ts'
import { Checks, withOwnNode } from './count-checks.ts'
import { readManifest } from './stamp-release.ts'

const root = path.join(import.meta.dirname, '..')
const largest = 120 * 2 ** 20
/** Start-up, compared with the package in the same run. */
const mostRatio = 1.1
const checks = new Checks()
const check = checks.check.bind(checks)

const questions = [
  'How do I deploy a new service?',
  'How do retries work?',
  'What does ADR-013 decide?',
  'rollback a bad release',
  'Which services exist?',
  'coordinator does not start',
  'who is on call',
  'environment variables of a service',
  'yarn services deploy',
  'health checks',
  'How is a service registered?',
  'idempotency',
  'timeouts and deadlines',
  'Where are secrets stored?',
  'staging and production',
  'troubleshoot the coordinator',
  'retry semantics',
  'What must a new service document?',
  'logging',
  'zebra migration in Antarctica',
]

interface Place {
  readonly folder: string
  readonly executable: string
  readonly launcher: string
  readonly documents: string
}

type Run = SpawnSyncReturns<string>

/** The environment of a user who has nothing: a home folder, and no settings. */
function environment(home: string): NodeJS.ProcessEnv {
  const { XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME, NODE_OPTIONS, ...others } = withOwnNode()
  return { ...others, HOME: home }
}

function run(place: Place, args: readonly string[], more: object = {}): Run {
  const env = environment(path.join(place.folder, 'home'))
  return spawnSync(place.executable, args, { cwd: place.documents, env, encoding: 'utf8', ...more })
}

function runPackage(place: Place, args: readonly string[]): Run {
  const env = environment(path.join(place.folder, 'home'))
  return spawnSync(process.execPath, [place.launcher, ...args], {
    cwd: place.documents,
    env,
    encoding: 'utf8',
  })
}

function checkDigests(place: Place, asked: readonly string[]): void {
  const { version } = readManifest(root)
  const said = run(place, ['--version'])
  check('the version is that of the package', said.stdout === `${version}\n`, said.stderr)
  const indexed = run(place, ['index'])
  check(
    'it indexes a folder',
    indexed.status === 0 && indexed.stdout.includes('indexed 18 files'),
    indexed.stderr,
  )
  const digestOf = (by: typeof run, question: string): string =>
    by(place, ['assemble', question, '--now', '2026-11-17T00:00:00Z', '--max-tokens', '1500']).stdout
  const own = asked.map((question) => digestOf(run, question))
  rmSync(path.join(place.documents, '.yore'), { recursive: true })
  const differing = asked.filter((question, at) => digestOf(runPackage, question) !== own[at])
  check(
    `${asked.length} digests have the bytes of the package's`,
    differing.length === 0 && own.every((digest) => digest.startsWith('# Context Digest')),
    differing.join('; '),
  )
}

/** Folders that need threads, grammars and the reader of PDF. */
function checkReaders(place: Place): void {
  const many = path.join(place.folder, 'many')
  cpSync(path.join(root, 'test', 'fixtures', 'code'), many, { recursive: true })
  const text = 'Every paragraph of this document speaks of deployments and services.\n\n'.repeat(600)
  for (let at = 0; at < 40; at++) writeFileSync(path.join(many, `long-${at}.md`), `# Part ${at}\n\n${text}`)
  writeFileSync(path.join(many, 'handbook.pdf'), handbook)
  const indexed = run(place, ['index'], { cwd: many })
  check('it parses a large folder on threads', indexed.status === 0, indexed.stderr + indexed.stdout)
  const found = run(place, ['search', 'harbour keeper moon tide ebb bell gauge'], { cwd: many })
  check('it reads PDF', found.stdout.includes('1. handbook.pdf'), found.stderr + found.stdout)
  const outlined = run(place, ['outline', 'go/deliver.go'], { cwd: many })
  check(
    'it reads code with its grammars',
    outlined.stdout.includes('func (c *Courier) Deliver'),
    outlined.stderr + outlined.stdout,
  )
}

/** `yore mcp` answers an agent over standard input. */
function checkServer(place: Place): void {
  const client = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'try', version: '1' },
  }
  const params = { name: 'search', arguments: { query: 'deploy a service' } }
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: client },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
  ]
  // Calls in flight end with standard input, so it stays open for a while.
  const input = messages.map((message) => `echo '${JSON.stringify(message)}'`).join('; ')
  const asked = spawnSync(
    'sh',
    ['-c', `(${input}; sleep 10) | '${place.executable}' mcp --root '${place.documents}'`],
    {
      encoding: 'utf8',
      env: environment(path.join(place.folder, 'home')),
    },
  )
  check('it answers agents, and ends', /1\. [^ ]+:\d/.test(asked.stdout) && asked.status === 0, asked.stderr)
}

/** Questions to a workspace start another process, which builds its indexes. */
function checkWorkspace(place: Place): void {
  const cwd = path.join(place.folder, 'workspace')
  mkdirSync(path.join(cwd, 'api', '.git'), { recursive: true })
  writeFileSync(path.join(cwd, 'api', 'retries.md'), '# Retries\n\nFailed calls are retried three times.\n')
  const added = run(place, ['workspace', 'add', 'api'], { cwd })
  const found = run(place, ['search', 'failed calls'], { cwd })
  check(
    'it indexes a workspace in the background',
    found.stdout.includes('api/retries.md'),
    added.stderr + found.stderr,
  )
}

function checkSetup(place: Place): void {
  const shown = run(place, ['setup', 'cursor', '--scope', 'user', '--yes'])
  const file = path.join(place.folder, 'home', '.cursor', 'mcp.json')
  const text = statSync(file, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(file, 'utf8')
  check(
    'setup names the executable, not the folder that it unpacked',
    text.includes(place.executable) && !text.includes('.cache'),
    shown.stderr + text,
  )
}

/** What is unpacked survives damage, many first starts at once, and a home folder that cannot be written. */
async function checkUnpacking(place: Place): Promise<void> {
  const home = path.join(place.folder, 'new-home')
  mkdirSync(home)
  const env = environment(home)
  const base = path.join(home, '.cache', 'yore', 'executable')
  const starts = Array.from({ length: 4 }, () => {
    const child = spawn(place.executable, ['--version'], { env, stdio: 'ignore' })
    return new Promise<number | null>((resolve) => child.on('exit', resolve))
  })
  const statuses = await Promise.all(starts)
  const left = readdirSync(base)
  check(
    'four first starts at once leave one folder',
    left.length === 1 && statuses.every((status) => status === 0),
    left.join(),
  )
  const cli = path.join(base, left[0] ?? '', 'dist', 'cli.js')
  const whole = readFileSync(cli)
  writeFileSync(cli, whole.subarray(0, 100))
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000)
  utimesSync(path.join(base, left[0] ?? ''), yesterday, yesterday)
  const after = run(place, ['--version'], { env })
  check(
    'a file that was cut off is restored the next day',
    after.status === 0 && readFileSync(cli).equals(whole),
    after.stderr,
  )
  check('nothing else is left behind', readdirSync(base).length === 1, readdirSync(base).join())
  chmodSync(path.join(base, left[0] ?? ''), 0o777)
  const shared = run(place, ['--version'], { env })
  const mode = statSync(path.join(base, left[0] ?? '')).mode & 0o777
  check(
    'a folder that others can write to is not trusted',
    shared.status === 0 && mode === 0o700,
    mode.toString(8),
  )
  const own = mkdtempSync(path.join(place.folder, 'tmp-'))
  const homeless = run(place, ['--version'], { env: { ...env, XDG_CACHE_HOME: '/dev/null/x', TMPDIR: own } })
  check(
    'without a cache folder it uses the temporary one',
    homeless.status === 0 && readdirSync(own).length === 1,
    homeless.stderr,
  )
  const nowhere = run(place, ['--version'], {
    env: { ...env, XDG_CACHE_HOME: '/dev/null/x', TMPDIR: '/dev/null/y' },
  })
  check(
    'without either it says what to do',
    nowhere.status === 1 && nowhere.stderr.includes('hint: set XDG_CACHE_HOME'),
    nowhere.stderr,
  )
}

/** Processor time of ten runs, in seconds: other programs on the machine do not count. */
function processorTime(place: Place, command: readonly string[]): number {
  const loop = 'i=0; while [ $i -lt 10 ]; do "$@" >/dev/null 2>&1 || exit 1; i=$((i + 1)); done; times'
  const env = environment(path.join(place.folder, 'home'))
  const { status, stdout } = spawnSync('sh', ['-c', loop, 'sh', ...command], {
    cwd: place.documents,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`failed: ${command.join(' ')}`)
  const children = stdout.trim().split('\n').at(-1) ?? ''
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}

/** The least of several measurements, in turns. */
function checkSpeed(place: Place): void {
  for (const ask of [['--version'], ['assemble', questions[0] ?? '', '--refresh', 'never']]) {
    const pairs = Array.from({ length: 5 }, () => [
      processorTime(place, [place.executable, ...ask]),
      processorTime(place, [process.execPath, place.launcher, ...ask]),
    ])
    const [own, theirs] = [0, 1].map((at) => Math.min(...pairs.map((pair) => pair[at] ?? 0)) * 100)
    const ratio = (own ?? 0) / (theirs ?? 1)
    const detail = `${own?.toFixed(0)} ms, the package ${theirs?.toFixed(0)} ms, ratio ${ratio.toFixed(2)}`
    process.stdout.write(`     cold ${ask[0]}: ${detail}\n`)
    check(`a cold ${ask[0]} takes no longer than the package's`, ratio <= mostRatio, detail)
  }
}

/** A root file system with the executable, the shared libraries that `ldd` names, and documents. */
function checkEmptyRoot(place: Place): void {
  const allowed = process.platform === 'linux' && spawnSync('unshare', ['-r', 'true']).status === 0
  if (!allowed) {
    process.stdout.write(
      'SKIPPED: the executable in an empty root: unshare is not permitted on this machine\n',
    )
    return
  }
  const empty = path.join(place.folder, 'empty')
  const listed = spawnSync('ldd', [place.executable], { encoding: 'utf8' }).stdout
  const libraries = [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, file]) => file ?? '')
  for (const file of libraries) {
    mkdirSync(path.join(empty, path.dirname(file)), { recursive: true })
    copyFileSync(file, path.join(empty, file))
  }
  mkdirSync(path.join(empty, 'tmp'))
  copyFileSync(place.executable, path.join(empty, 'yore'))
  cpSync(path.join(root, 'assets', 'demo', 'documents'), path.join(empty, 'documents'), { recursive: true })
  const args = ['-r', 'chroot', empty, '/yore', 'assemble', questions[0] ?? '', '--root', '/documents']
  const asked = spawnSync('unshare', args, {
    env: { HOME: '/tmp', PATH: process.env.PATH },
    encoding: 'utf8',
  })
  const names = libraries.map((file) => path.basename(file)).join(', ')
  check(
    `it works in a root that has only ${names}`,
    asked.stdout.includes('./scripts/new_service.sh'),
    asked.stderr,
  )
}

/** The package on a Node that is too old says how to go on. */
function checkOldNode(place: Place): void {
  const folder = path.join(place.folder, 'old-node')
  const name = `node-${process.platform}-${process.arch}`
  const got = spawnSync('npm', ['install', '--silent', '--prefix', folder, `${name}@20.19.6`], {
    encoding: 'utf8',
  })
  const node = path.join(folder, 'node_modules', name, 'bin', 'node')
  const said = spawnSync(node, [place.launcher, '--version'], { encoding: 'utf8' })
  const lines = (said.stderr ?? got.stderr).trim().split('\n')
  check(
    'Node 20 gets one sentence, and a hint that names the executable',
    said.status === 1 &&
      lines.length === 2 &&
      /^error: .*Node 20\.19\.6/.test(lines[0] ?? '') &&
      /^hint: .*executable/.test(lines[1] ?? ''),
    lines.join('\n'),
  )
}

async function tryExecutable(executable: string, tarball: string, isShort: boolean): Promise<void> {
  // Below node_modules, so that the package finds the dependencies of this checkout.
  const below = path.join(root, 'node_modules', '.cache')
  mkdirSync(below, { recursive: true })
  const packed = mkdtempSync(path.join(below, 'try-executable-'))
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-executable-'))
  try {
    spawnSync('tar', ['-xzf', path.resolve(tarball), '-C', packed])
    const place: Place = {
      folder,
      executable: path.join(folder, 'yore'),
      launcher: path.join(packed, 'package', 'bin', 'yore.js'),
      documents: path.join(folder, 'documents'),
    }
    copyFileSync(executable, place.executable)
    mkdirSync(path.join(folder, 'home'))
    cpSync(path.join(root, 'assets', 'demo', 'documents'), place.documents, { recursive: true })
    const { size } = statSync(executable)
    check('it has at most 120 MiB', size <= largest, `${size} bytes`)
    checkDigests(place, isShort ? questions.slice(0, 3) : questions)
    checkWorkspace(place)
    if (isShort) return
    checkReaders(place)
    checkServer(place)
    checkSetup(place)
    await checkUnpacking(place)
    checkSpeed(place)
    checkEmptyRoot(place)
    checkOldNode(place)
  } finally {
    for (const made of [packed, folder]) rmSync(made, { recursive: true, force: true })
  }
}

const [executable, tarball, mode] = process.argv.slice(2)
if (executable === undefined || tarball === undefined) {
  process.stderr.write('error: no executable and tarball given\nhint: see the top of this file\n')
  process.exitCode = 1
} else {
  await tryExecutable(path.resolve(executable), tarball, mode === '--short')
  checks.finish()
}
