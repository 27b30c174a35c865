// Does the command line keep its contract from end to end? Real processes, the real engine, a small folder of documents.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { main, plainVariables, type Ran, runYore } from './run-command-line.ts'
import { makeFolder, writeFiles } from './temporary-corpus.ts'

let folder: string
let root: string

const files: Record<string, string> = {
  'docs/deploy.md': `# Deploying\n\nHow services reach production.\n\n## Required steps\n\nRun \`./scripts/new_service.sh\` and register the service in services.yaml.\n\n## Rollback\n\nUse the rollback command when a deployment fails.\n`,
  'docs/adr/ADR-0013-service-onboarding.md': `# ADR-0013: Service onboarding\n\n## Decision\n\nAll services must be registered in the central registry before deployment.\n`,
  'docs/runbook.md': `# Runbook\n\n## Restart the coordinator\n\nRestart it with a rolling restart, then watch the metrics.\n`,
  'notes.txt': `Plain notes about the weekly meeting and the budget.\n`,
}

beforeAll(() => {
  folder = makeFolder()
  root = makeCorpus('repository')
  mkdirSync(path.join(root, '.git'))
})

function makeCorpus(name: string): string {
  writeFiles(path.join(folder, name), files)
  return path.join(folder, name)
}

function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...plainVariables(), XDG_CONFIG_HOME: path.join(folder, 'config'), ...extra }
}

function yore(args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}): Ran {
  return runYore(args, { cwd: options.cwd ?? root, env: environment(options.env) })
}

describe('before there is an index', () => {
  it.each([
    ['search', 'deploy', '--refresh', 'never'],
    ['assemble', 'deploy', '--refresh', 'never'],
    ['status', '--json'],
  ])('%s says what to do first, unless it may build one', (...args) => {
    const run = yore(args)
    expect([run.status, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toMatch(/^error: .+\nhint: run `yore index` first\n$/)
  })

  it('status says that the first question builds one, which is no failure', () => {
    const run = yore(['status'])
    expect([run.status, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatch(/ is not indexed yet: the first question does it, or `yore index`\n$/)
  })

  it.each(['search', 'assemble'])('%s builds one and says so on standard error', (command) => {
    const cwd = makeCorpus(`first-${command}`)
    const ask = [command, 'rolling restart', '--now', '2026-01-01T00:00:00Z']
    const first = yore(ask, { cwd })
    expect(first.stdout).toContain('docs/runbook.md')
    expect(first.stderr).toMatch(/^note: no index at .+: building it\nnote: indexed 4 files in [\d.]+ s;/)
    expect(yore(ask, { cwd })).toEqual({ ...first, stderr: '' })
  })

  it('builds one of an older version again, and says why', () => {
    const cwd = makeCorpus('older')
    yore(['index'], { cwd })
    const db = new DatabaseSync(path.join(cwd, '.yore', 'index.db'))
    db.exec('PRAGMA user_version = 1')
    db.close()
    expect(yore(['search', 'rolling restart'], { cwd }).stderr).toMatch(
      /^note: .+ was written by an older yore \(schema 1, now \d+\): building it\nnote: indexed 4 files/,
    )
  })

  it.each([['search', 'deploy'], ['index']])('%s leaves an empty folder as it was', (...args) => {
    const cwd = mkdtempSync(path.join(folder, 'empty-'))
    const run = yore(args, { cwd })
    expect(run.status).toBe(1)
    expect(run.stderr).toMatch(/error: no file to index in .+: it is empty\nhint: /)
    expect(readdirSync(cwd)).toEqual([])
  })

  it('doctor reports it instead of failing', () => {
    const run = yore(['doctor'])
    expect(run.status).toBe(1)
    expect(run.stdout).toContain('✗')
    expect(run.stdout).toContain('fix: ')
    expect(JSON.parse(yore(['doctor', '--json']).stdout)).toContainEqual(
      expect.objectContaining({ verdict: 'problem' }),
    )
  })
})

describe('with an index', () => {
  beforeAll(() => {
    const run = yore(['index'])
    expect([run.stderr, run.status]).toEqual(['', 0])
    expect(run.stdout).toMatch(/^indexed 4 files \(0 unchanged, 0 removed\)/)
  })

  it('index reads only what changed and tells programs in JSON', () => {
    const report = JSON.parse(yore(['index', '--json']).stdout)
    expect(report).toMatchObject({ indexed: 0, unchanged: 4, removed: 0, files: 4, root })
    expect(yore(['index', '--quiet'])).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('index --rebuild reads everything again', () => {
    expect(JSON.parse(yore(['index', '--rebuild', '--json']).stdout)).toMatchObject({
      indexed: 4,
      rebuilt: true,
    })
  })

  it('search prints place, headings and excerpt, without colours in a pipe', () => {
    const run = yore(['search', 'rollback', 'deployment'])
    expect([run.stderr, run.status]).toEqual(['', 0])
    expect(run.stdout).toMatch(/^1\. docs\/deploy\.md:\d+-\d+ {2}Rollback {2}\d\.\d\d\n/)
    expect(run.stdout).toContain('Use the rollback command')
    expect(run.stdout).not.toContain('\u001b')
  })

  it('search finds from a folder further down, within its limit, and explains itself', () => {
    const run = yore(['search', 'service', '--limit', '1', '--explain'], {
      cwd: path.join(root, 'docs', 'adr'),
    })
    expect(run.stdout).toMatch(/^1\. docs\//)
    expect(run.stdout).not.toMatch(/^2\. /m)
    expect(run.stdout).toMatch(/^searched: /m)
  })

  it('search --json gives hits with their signals', () => {
    const result = JSON.parse(yore(['search', 'rolling restart', '--json']).stdout)
    expect(result.hits[0]).toMatchObject({
      path: 'docs/runbook.md',
      headings: ['Runbook', 'Restart the coordinator'],
    })
    expect(result.hits[0].signals.lexical).toBeGreaterThan(0)
  })

  it('search says in one line that nothing was found, and succeeds', () => {
    const run = yore(['search', 'zyzzyva'])
    expect([run.status, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatch(/^nothing found for zyzzyva.*\n$/)
  })

  it('assemble writes the digest to standard output and nothing else', () => {
    const run = yore(['assemble', 'How do I deploy a new service?', '--max-tokens', '2000'])
    expect([run.stderr, run.status]).toEqual(['', 0])
    expect(run.stdout).toMatch(/^# Context Digest for: "How do I deploy a new service\?"/)
    expect(run.stdout).toContain('**Source:** docs/deploy.md:')
    expect(run.stdout).toContain('new_service.sh')
  })

  it('assemble gives the same bytes for the same time, however it is said', () => {
    const ask = ['assemble', 'rollback', '--refresh', 'never']
    const byIso = yore([...ask, '--now', '2025-11-29T15:23:00Z'])
    expect(byIso.stdout).toContain('2025-11-29T15:23:00Z')
    expect(yore([...ask, '--now', '1764429780'])).toEqual(byIso)
    expect(yore(ask, { env: { SOURCE_DATE_EPOCH: '1764429780', TZ: 'Asia/Tokyo' } })).toEqual(byIso)
  })

  it('assemble --output writes one file and says so on standard error', () => {
    const file = path.join(folder, 'context.md')
    const ask = ['assemble', 'rollback', '--now', '0']
    const run = yore([...ask, '--output', file])
    expect([run.stdout, run.status]).toEqual(['', 0])
    expect(run.stderr).toMatch(/^note: wrote .*context\.md \(\d+ tokens of 8,000, \d+ sections?\)\n$/)
    expect(readFileSync(file, 'utf8')).toBe(yore(ask).stdout)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(yore([...ask, '--output', folder])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('it is a folder'),
    })
  })

  it('assemble --format json is JSON, with --explain inside it', () => {
    const run = yore(['assemble', 'rollback', '--format', 'json', '--explain'])
    expect(run.stderr).toBe('')
    expect(JSON.parse(run.stdout)).toHaveProperty('schemaVersion')
  })

  it('assemble --explain speaks on standard error in Markdown', () => {
    const plain = yore(['assemble', 'rollback', '--now', '0'])
    const explained = yore(['assemble', 'rollback', '--now', '0', '--explain'])
    expect(explained.stdout).toBe(plain.stdout)
    expect(explained.stderr.length).toBeGreaterThan(20)
  })

  it('assemble names the minimum when the budget is too small', () => {
    const run = yore(['assemble', 'rollback', '--max-tokens', '1'])
    expect([run.status, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toMatch(/^error: .+\nhint: raise --max-tokens to \d+ or more\n$/)
  })

  it('obeys the settings of the repository and lets a flag win', () => {
    writeFileSync(path.join(root, 'yore.json'), '{"maxTokens": 1}')
    try {
      expect(yore(['assemble', 'rollback']).status).toBe(1)
      expect(yore(['assemble', 'rollback', '--max-tokens', '3000']).status).toBe(0)
      expect(yore(['config']).stdout).toContain('maxTokens = 1  (yore.json)')
      writeFileSync(path.join(root, 'yore.json'), '{"maxTokens": 99999}')
      expect(yore(['status'])).toMatchObject({
        status: 0,
        stderr: expect.stringMatching(/^warning: yore\.json: maxTokens 99999/),
      })
      writeFileSync(path.join(root, 'yore.json'), '{"maxToken": 1}')
      expect(yore(['search', 'x']).stderr).toContain('unknown key "maxToken"; did you mean "maxTokens"?')
      expect(yore(['doctor'])).toMatchObject({
        status: 1,
        stdout: expect.stringContaining('✗ configuration'),
      })
    } finally {
      rmSync(path.join(root, 'yore.json'))
    }
  })

  it('status says what is indexed and doctor finds no problem', () => {
    expect(yore(['index', '--quiet']).status).toBe(0)
    expect(yore(['status']).stdout).toMatch(/content +4 files \(markdown 3, text 1\)/)
    expect(JSON.parse(yore(['status', '--json']).stdout)).toMatchObject({ files: 4 })
    expect(yore(['doctor'])).toMatchObject({ status: 0, stdout: expect.stringContaining('no problem found') })
  })

  it('notes when files changed, whether they were read first or not', () => {
    const added = path.join(root, 'docs', 'added.md')
    writeFileSync(added, '# Quokka\n\nA page about the quokka.\n')
    const stale = yore(['search', 'quokka', '--refresh', 'never'])
    expect(stale.stdout).toContain('nothing found')
    expect(stale.stderr).toMatch(/^note: no file was compared with the index, which was built just now/)
    const refreshed = yore(['search', 'quokka'])
    expect(refreshed.stdout).toContain('docs/added.md')
    expect(refreshed.stderr).toMatch(/^note: re-indexed 1 changed file first/m)
    rmSync(added)
    expect(yore(['index']).stdout).toContain('1 removed')
  })

  it('ends quietly when the reader has seen enough', async () => {
    const child = spawn(
      'sh',
      ['-c', `"${process.execPath}" "${main}" assemble service --format json | true`],
      { cwd: root, env: environment() as NodeJS.ProcessEnv },
    )
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    await new Promise((resolve) => child.on('close', resolve))
    expect(errors).toBe('')
  })
})

describe('where the index lives', () => {
  it('is the given folder outside of any repository', () => {
    const loose = makeCorpus('loose/library')
    const run = yore(['index', 'library'], { cwd: path.dirname(loose) })
    expect(run.status).toBe(0)
    expect(run.stdout).toContain('--root library')
    expect(existsSync(path.join(loose, '.yore', 'index.db'))).toBe(true)
    for (const place of [
      ['--root', 'library'],
      ['--index', 'library/.yore'],
    ]) {
      expect(yore(['search', 'rollback', ...place], { cwd: path.dirname(loose) }).stdout).toContain(
        'docs/deploy.md',
      )
    }
  })

  it('is where --index says, with the corpus unchanged', () => {
    const elsewhere = path.join(folder, 'elsewhere')
    expect(yore(['index', '--index', elsewhere]).status).toBe(0)
    expect(yore(['search', 'rollback', '--index', elsewhere]).stdout).toContain('docs/deploy.md')
  })

  it('is never started by a question that names it with --index', () => {
    for (const [name, made] of [
      ['nowhere', false],
      ['empty', true],
    ] as const) {
      const place = path.join(folder, name)
      if (made) mkdirSync(place)
      for (const command of [['assemble', 'how to roll back'], ['search', 'rollback'], ['status']])
        expect(yore([...command, '--index', place])).toEqual({
          status: 1,
          stdout: '',
          stderr: `error: no index at ${place}\nhint: check the path, or build it: \`yore index --index ${place}\`\n`,
        })
      expect(made ? readdirSync(place) : existsSync(place)).toEqual(made ? [] : false)
    }
  })

  it('refuses to index what lies outside of the repository', () => {
    expect(yore(['index', '..'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is outside of'),
    })
  })

  it('fails when there is nothing to index', () => {
    mkdirSync(path.join(folder, 'empty', '.git'), { recursive: true })
    const empty = path.join(folder, 'empty')
    const { status, stdout, stderr } = yore(['index'], { cwd: empty })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`error: no file to index in ${empty}: it is empty\n`)
    // There is no index that could be asked what was left out.
    expect(stderr).toMatch(/^hint: yore reads every file that is text.*--root/m)
    writeFileSync(path.join(empty, 'a.png'), 'x')
    writeFileSync(path.join(empty, 'b.md'), 'a\0b')
    expect(yore(['index'], { cwd: empty }).stderr).toContain(
      '1 skipped (b.md: a NUL byte near its start); 1 that are not text by name (.png 1)\n',
    )
  })
})

describe('signals', () => {
  const waitFor = (child: ReturnType<typeof spawn>, text: string): Promise<void> =>
    new Promise((resolve) => {
      let seen = ''
      child.stderr!.on('data', (chunk) => {
        seen += chunk
        if (seen.includes(text)) resolve()
      })
    })

  it('exits with 130 when interrupted while indexing, and the index still works', async () => {
    const big = makeCorpus('big')
    mkdirSync(path.join(big, '.git'))
    const section = (at: number) =>
      `# Page ${at}\n\n${'Words that fill a paragraph with something to read. '.repeat(400)}\n`
    for (let at = 0; at < 1500; at++) writeFileSync(path.join(big, `page-${at}.md`), section(at))
    const child = spawn(process.execPath, [main, 'index'], {
      cwd: big,
      env: environment() as NodeJS.ProcessEnv,
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const interrupted = waitFor(child, 'note: interrupted')
    // The index is there as soon as indexing has begun, however slow the machine is.
    while (!existsSync(path.join(big, '.yore', 'index.db')))
      await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    await interrupted
    expect(yore(['index'], { cwd: big }).status).toBe(0)
    expect(yore(['search', 'rollback'], { cwd: big }).stdout).toContain('docs/deploy.md')
  })
})

describe('without an operation', () => {
  it('prints the three commands that one needs first', () => {
    const run = yore([])
    expect([run.status, run.stderr]).toEqual([0, ''])
    for (const command of ['yore assemble', 'yore search', 'yore outline'])
      expect(run.stdout).toContain(command)
  })

  it('prints help and version on standard output', () => {
    expect(yore(['--help']).stdout).toContain('Usage: yore')
    expect(yore(['help', 'search']).stdout).toContain('yore search [options] <query...>')
    expect(yore(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('answers a mistake with error and hint', () => {
    expect(yore(['serch'])).toEqual({
      status: 2,
      stdout: '',
      stderr: "error: unknown command 'serch'\nhint: did you mean search? see `yore --help`\n",
    })
    expect(yore(['assemble', 'x', '--depth', '3']).stderr).toBe(
      'error: --depth must be a whole number from 0 to 2, not 3\nhint: see `yore assemble --help`\n',
    )
  })
})
