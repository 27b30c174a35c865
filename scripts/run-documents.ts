// Do the documents still work? Runs every `sh` block of README.md, the tutorials and the guides against a packed tarball,
// in a fresh copy of a sample repository, and compares the output that a page shows.
//
// Run: node scripts/run-documents.ts yore-0.2.0.tgz [yore-server-0.2.0.tgz] [--update] [PAGE…]; the last line counts what
// passed. With the tarball of the service, the tutorial for a team runs too, against `yore-server dev`.
//
// `sh` blocks run; `bash` blocks need what CI does not have (a model, a browser, a network, a service), and the page says
// so. A `text` block right after an `sh` block is its output: times, sizes, scores and dates may differ. --update writes
// the output that was seen.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Checks, withOwnNode } from './count-checks.ts'

const repository = path.join(import.meta.dirname, '..')
/** What pages call the folder in which their commands run. */
const shownFolder = '/home/you/services'

export interface Block {
  readonly commands: string
  /** The output that the page shows; null when it shows none. */
  readonly output: string | null
  /** Where the shown output starts in the page. */
  readonly at: number
}

/** The executed blocks of a page, in order. */
export function readBlocks(text: string, language = 'sh'): Block[] {
  const fences = new RegExp(
    `^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`\\n(?:\\n\`\`\`text\\n([\\s\\S]*?)^\`\`\`$)?`,
    'gm',
  )
  return [...text.matchAll(fences)].map((found) => {
    const [whole, commands = '', output] = found
    const at = output === undefined ? -1 : found.index + whole.indexOf('```text\n') + '```text\n'.length
    return { commands, output: output ?? null, at }
  })
}

/** What may differ between two machines or minutes is masked. */
export function maskOutput(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d[\d,.]* ?(?:ms|s|B|KB|MB|files\/s)\b/g, '#')
    .replaceAll(/~\d[\d,]*/g, '~#')
    .replaceAll(/\b[01]\.\d\d\b/g, '#')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
}

/** Pages whose commands run here; the service's guide is run by its own test, on a real PostgreSQL. */
function pagesToRun(): string[] {
  const below = ['docs/tutorial', 'docs/guides'].flatMap((folder) =>
    readdirSync(path.join(repository, folder))
      .filter((name) => name.endsWith('.md') && name !== 'run-the-service.md')
      .sort()
      .map((name) => `${folder}/${name}`),
  )
  return ['README.md', ...below]
}

/** What the tutorials begin with: the sample repository of `yore demo`, and the package in it as `npm install` leaves it. */
function makeSample(folder: string, installed: string): string {
  const sample = path.join(folder, 'services')
  spawnSync(path.join(installed, 'node_modules/.bin/yore'), ['demo', sample], { env: withOwnNode() })
  writeFileSync(
    path.join(sample, 'package.json'),
    '{\n  "devDependencies": {\n    "yore": "^0.2.0"\n  }\n}\n',
  )
  symlinkSync(path.join(installed, 'node_modules'), path.join(sample, 'node_modules'))
  const git = (...args: string[]): void => {
    const identity = [
      '-c',
      'user.name=Sample',
      '-c',
      'user.email=sample@example.org',
      '-c',
      'commit.gpgsign=false',
    ]
    spawnSync('git', [...identity, ...args], { cwd: sample })
  }
  git('init', '-q', '-b', 'main')
  writeFileSync(path.join(sample, '.git/info/exclude'), 'node_modules\n')
  git('add', '-A')
  git('commit', '-qm', 'Sample')
  return sample
}

const teamPage = 'docs/tutorial/for-a-team.md'
const shownService = 'http://127.0.0.1:7430'

interface Seen {
  readonly status: number | null
  /** Standard output: what a page shows. Notes on standard error depend on the moment. */
  readonly output: string
  readonly errors: string
}

function runBlock(
  commands: string,
  folder: string,
  sample: string,
  variables: Readonly<Record<string, string>> = {},
): Seen {
  const script = commands
    .replaceAll(/^npm (?:install|uninstall) .*$/gm, 'true')
    .replaceAll('/tmp/', `${folder}/`)
  const own = withOwnNode()
  const kept = Object.entries(own).filter(
    ([name]) => !/^(?:YORE_|npm_|NO_COLOR|FORCE_COLOR|GITHUB_)/i.test(name),
  )
  const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: sample,
    encoding: 'utf8',
    timeout: 120_000,
    env: {
      ...Object.fromEntries(kept),
      PATH: `${path.join(sample, 'node_modules/.bin')}${path.delimiter}${own['PATH'] ?? ''}`,
      HOME: folder,
      XDG_CONFIG_HOME: path.join(folder, '.config'),
      XDG_STATE_HOME: path.join(folder, '.state'),
      XDG_CACHE_HOME: path.join(folder, '.cache'),
      ...variables,
    },
  })
  return { status, output: stdout.replaceAll(sample, shownFolder), errors: stderr }
}

function runPage(page: string, installed: string, checks: Checks, update: boolean): void {
  const file = path.join(repository, page)
  const text = readFileSync(file, 'utf8')
  const blocks = readBlocks(text)
  if (blocks.length === 0) return
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-documents-'))
  let written = text
  let moved = 0
  try {
    const sample = makeSample(folder, installed)
    // The reader has Claude Code.
    mkdirSync(path.join(folder, '.claude'))
    // A guide is read by somebody who has an index, and documents in order.
    if (page.startsWith('docs/guides/'))
      runBlock(
        "perl -pi -e 's/PAGER_GUIDE/RUNBOOK/' docs/team/ON_CALL.md && yore index --quiet",
        folder,
        sample,
      )
    for (const { commands, output, at } of blocks) {
      const [first = ''] = commands.split('\n')
      const seen = runBlock(commands, folder, sample)
      checks.check(
        `${page}: ${first}`,
        seen.status === 0,
        `status ${seen.status}\n${seen.output}${seen.errors}`,
      )
      if (output === null) continue
      if (update) {
        const shown = `${seen.output.replaceAll(/[ \t]+$/gm, '').trimEnd()}\n`
        written = written.slice(0, at + moved) + shown + written.slice(at + moved + output.length)
        moved += shown.length - output.length
      } else {
        const same = maskOutput(seen.output) === maskOutput(output)
        checks.check(
          `${page}: the output of ${first}`,
          same,
          `the page shows\n${output}\nseen was\n${seen.output}`,
        )
      }
    }
    if (written !== text) writeFileSync(file, written)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The tutorial of the service: its first two blocks start it and export its key, the others are commands of a user. */
async function runTeamPage(installed: string, checks: Checks): Promise<void> {
  const text = readFileSync(path.join(repository, teamPage), 'utf8')
  const blocks = readBlocks(text, 'bash').slice(2)
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-team-'))
  const node = spawn(path.join(installed, 'node_modules/.bin/yore-server'), ['dev', '--port', '0'], {
    cwd: folder,
    env: withOwnNode(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(node, 'exit')
  try {
    let said = ''
    const service = await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`yore-server dev did not start: ${said}`)), 60_000)
      for (const stream of [node.stdout, node.stderr])
        stream.on('data', (chunk: Buffer) => {
          said += chunk
          const [, address] = /listening on (http:[^,\s]+),/.exec(said) ?? []
          if (address === undefined) return
          clearTimeout(late)
          resolve(address)
        })
    })
    const key = readFileSync(path.join(folder, 'yore-dev/key'), 'utf8').trim()
    const sample = makeSample(folder, installed)
    for (const { commands, output } of blocks) {
      const [first = ''] = commands.split('\n')
      const seen = runBlock(commands, folder, sample, { YORE_SERVER_KEY: key, SERVICE: service })
      checks.check(`${teamPage}: ${first}`, seen.status === 0, `${seen.output}${seen.errors}`)
      if (output === null) continue
      const same = maskOutput(seen.output.replaceAll(service, shownService)) === maskOutput(output)
      checks.check(
        `${teamPage}: the output of ${first}`,
        same,
        `the page shows\n${output}\nseen was\n${seen.output}`,
      )
    }
  } finally {
    node.kill()
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
}

async function main(args: readonly string[]): Promise<void> {
  const tarballs = args.filter((arg) => arg.endsWith('.tgz')).map((name) => path.resolve(name))
  const wanted = args.filter((arg) => arg.endsWith('.md'))
  const [tarball, server] = tarballs
  if (tarball === undefined) {
    process.stderr.write('error: no tarball given\nhint: node scripts/run-documents.ts yore-0.2.0.tgz\n')
    process.exitCode = 2
    return
  }
  const checks = new Checks()
  const installed = mkdtempSync(path.join(tmpdir(), 'yore-installed-'))
  try {
    mkdirSync(installed, { recursive: true })
    writeFileSync(path.join(installed, 'package.json'), '{ "private": true }')
    const peers = server === undefined ? [] : ['@electric-sql/pglite']
    const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs, ...peers]
    const done = spawnSync('npm', npm, { cwd: installed, env: withOwnNode(), encoding: 'utf8' })
    checks.check('the tarball installs', done.status === 0, done.stderr)
    for (const page of wanted.length > 0 ? wanted : pagesToRun())
      runPage(page, installed, checks, args.includes('--update'))
    if (server !== undefined) await runTeamPage(installed, checks)
  } finally {
    rmSync(installed, { recursive: true, force: true })
  }
  checks.finish()
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2))
