// Does a question on a terminal show one screen of the best passages, and a pipe the digest? Through a real pseudo-terminal.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { main, plainVariables, runYore } from './run-command-line.ts'
import { makeFolder, writeFiles } from './temporary-corpus.ts'

const strong = 'How does a failed upload retry?'
const weak = 'How does a busy server end the failed upload of Kerberos photos to a Mainframe?'
const none = 'Which sourdough starter ferments rye?'
const wideText = '上传失败时客户端会再试三次，每次等待的时间加倍。'.repeat(12)

function makeText(topic: string): string {
  const steps = Array.from(
    { length: 30 },
    (_, step) =>
      `- Step ${step}: the client of ${topic} checks whether the upload failed, waits ${2 ** (step % 6)} seconds,\n  and starts the retry with [the same part](https://example.test/uploads/parts/${step}) until it succeeds.`,
  )
  return `# ${topic}\n\n## Retry of a failed upload\n\n<!-- body -->\nA failed upload of ${topic} is tried again three times. Each retry waits twice as long as the one before, so that a busy server recovers.\n\n${steps.join('\n')}\n`
}

let root: string
let env: NodeJS.ProcessEnv
beforeAll(() => {
  root = makeFolder()
  const topics = ['Photos', 'Invoices', 'Backups', 'Videos', 'Logs', 'Letters', 'Maps', 'Scans']
  const files = topics.map((topic) => [`docs/guides/uploads/${topic.toLowerCase()}.md`, makeText(topic)])
  const quoted =
    '# Pager\n\n<a id="pager"></a>\n\n> ℹ️ Note:\n> The pager rings `<b>` every **gull** that\n> sleeps [on the\n> pier](https://example.test/pier).\n'
  writeFiles(root, {
    ...Object.fromEntries(files),
    'docs/pager.md': quoted,
    'docs/adr/ADR-0007-billing.md':
      '# ADR-0007: Billing\n\n## Context\n\nThe zebra was chosen for billing because it is striped:\n\n```sh\nzebra --stripes 7\n```\n\nIt counts its own stripes.\n',
    'docs/zh.md': `# 上传\n\n${wideText}\n`,
  })
  env = {
    ...plainVariables(),
    XDG_CONFIG_HOME: path.join(root, 'none'),
    TERM: 'xterm-256color',
    CI: '',
    NO_COLOR: '',
  }
  runYore(['index'], { cwd: root, env })
})

interface Terminal {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

/** What the terminal shows, without its carriage returns. */
function onTerminal(args: readonly string[], { columns = 100, rows = 30, env: more }: Terminal = {}): string {
  const quoted = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ')
  const command = `stty cols ${columns} rows ${rows}; ${quoted}`
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, ...more },
  })
  return stdout.replaceAll('\r\n', '\n')
}

const linesOf = (shown: string): string[] => stripVTControlCharacters(shown).trimEnd().split('\n')

/** Columns of a terminal; letters of Chinese take two. */
const columnsOf = (line: string): number => line.replaceAll(/[\u3000-\uffef]/g, '--').length

describe.runIf(process.platform === 'linux')('a question without a command', () => {
  it.each([
    [100, 30, 3],
    [80, 24, 3],
    [120, 60, 5],
    [120, 500, 5],
  ])('shows one screen of %i × %i with the best %i passages', (columns, rows, passages) => {
    const shown = onTerminal([strong], { columns, rows })
    const lines = linesOf(shown)
    expect(lines.length).toBeLessThanOrEqual(Math.min(60, rows - 2))
    expect(lines.filter((line) => columnsOf(line) > columns)).toEqual([])
    expect(shown).toContain('\u001b[1mRetry of a failed upload\u001b[22m')
    expect(shown).toContain('A \u001b[33m\u001b[1mfailed\u001b[22m\u001b[39m')
    // The source is in the row of the title, or in one of its own below it.
    const source = String.raw`docs/guides/uploads/\w+\.md:6(?:-\d+)?`
    const name = 'Retry of a failed upload  '
    const title =
      columns < 100 ? `^${name}\\d+ of 65 lines.*\n${source}$` : `^${name}${source}  \\d+ of 65 lines`
    expect(lines.join('\n').match(new RegExp(title, 'gm'))).toHaveLength(passages)
    expect(lines[columns < 100 ? 2 : 1]).toMatch(/^ {2}A failed upload of \w+ is tried again three times\./)
    // Up to three more have a line each, with the name and the source, where the screen is not small.
    const more = rows === 24 ? 0 : Math.min(3, 7 - passages)
    expect(lines.slice(-3 - more, -3)).toEqual(
      Array(more).fill(
        expect.stringMatching(/^Retry of a failed upload {2}docs\/guides\/uploads\/\w+\.md:\d+-\d+$/),
      ),
    )
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(/^── Confidence high: the first passage has “/),
      expect.stringMatching(
        `^${passages} of 7 passages shown; the digest has [\\d,]+ of 8,000 tokens in the full layout$`,
      ),
      'digest: yore "…" | less, or --output FILE · why: --explain',
    ])
  })

  it('shows notes in quotes, anchors and links over two lines as their reader sees them', () => {
    const shown = linesOf(onTerminal(['Which gull sleeps on the pier?']))
      .slice(1, 4)
      .join(' ')
    expect(shown).toContain('ℹ️ Note: The pager rings `<b>` every gull that sleeps on the pier.')
    expect(shown).not.toMatch(/<a id|> |\*\*|https/)
  })

  it('indents code, and names a section of one word with its document', () => {
    const lines = linesOf(onTerminal(['Why was the zebra chosen for billing?']))
    expect(lines[0]).toMatch(/^ADR-0007: Billing › Context {2}/)
    expect(lines.slice(1, 4)).toEqual([
      '  The zebra was chosen for billing because it is striped:',
      '    zebra --stripes 7',
      '  It counts its own stripes.',
    ])
  })

  it('shows five passages on a small screen where they are short', () => {
    const small = makeFolder()
    const reeds = ['north', 'south', 'east', 'west', 'old', 'new']
    writeFiles(
      small,
      Object.fromEntries(
        reeds.map((reed) => [`${reed}.md`, `# The ${reed} reed\n\nA heron nests in the ${reed} reed.\n`]),
      ),
    )
    const lines = linesOf(onTerminal(['In which reed does a heron nest?', '--root', small]))
    expect(lines.length).toBeLessThanOrEqual(28)
    expect(lines.filter((line) => / {2}\w+\.md:\d.* lines/.test(line))).toHaveLength(5)
  })

  it('leaves the rows of a small screen to the passages when its summary is long', () => {
    const lines = linesOf(onTerminal([weak], { columns: 60, rows: 20 }))
    const last = lines.lastIndexOf('')
    const summary = lines.findIndex((line) => line.startsWith('── '))
    expect(lines.length).toBeLessThanOrEqual(22)
    expect(summary - last - 1).toBeLessThan(3)
  })

  it('names the lines that it shows, a shortened link and all', () => {
    const lines = linesOf(onTerminal([strong, '--max-tokens', '1000'], { columns: 200 }))
    const [, file = '', end = ''] = / {2}(docs\/.+):6-(\d+) {2}/.exec(lines[0] ?? '') ?? []
    const source = readFileSync(path.join(root, file), 'utf8').split('\n').slice(5, Number(end))
    const words = (text: string): string =>
      text
        .replaceAll(/\]\(.*?\)|\[|\s+/g, ' ')
        .replaceAll(/ +/g, ' ')
        .trim()
    expect(words(lines.slice(1, lines.indexOf('')).join(' '))).toBe(words(source.join(' ')))
  })

  it('says what to do where it is unsure, and first that nothing answers', () => {
    const unsure = linesOf(onTerminal([weak], { columns: 80, rows: 24 }))
    expect(unsure.join('\n')).toContain('── Confidence low:')
    const next =
      'next: ask with a word or name from the text; yore search --match exact "…" finds every line with it'
    expect(unsure.slice(-2).join(' ')).toBe(next)
    expect(unsure.length).toBeLessThan(20)
    const nothing = onTerminal([none], { columns: 80, rows: 24 })
    expect(linesOf(nothing)[0]).toMatch(/^(?:No passage seems to answer this|── Confidence none:)/)
    expect(linesOf(nothing).slice(-2).join(' ')).toBe(next)
    expect(nothing).toContain('\u001b[31m\u001b[1m── Confidence none:')
  })

  it.each<[string, Terminal, ...string[]]>([
    ['with NO_COLOR', { env: { NO_COLOR: '1' } }],
    ['on a dumb terminal', { env: { TERM: 'dumb' } }],
    ['in CI', { env: { CI: 'true' } }],
    ['on a narrow terminal', { columns: 30 }],
    ['with --color never', {}, '--color', 'never'],
  ])('has no colours %s', (_, terminal, ...flags) => {
    const shown = onTerminal([strong, ...flags], terminal)
    expect(shown).toBe(stripVTControlCharacters(shown))
    expect(shown.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
    expect(shown).toMatch(/why:\s+--explain\n$/)
    expect(shown.split('\n').filter((line) => line.length > (terminal.columns ?? 100))).toEqual([])
  })

  it('shows progress while it reads a large folder for its first answer', () => {
    const notes = Array.from({ length: 400 }, (_, at) => [`notes/${at}.md`, makeText(`note ${at}`)])
    const large = makeFolder()
    writeFiles(large, {
      ...Object.fromEntries(notes),
      'docs/a.md': '# Rollback\n\nIt restores the walrus.\n',
    })
    const shown = onTerminal(['What does a rollback restore?', '--root', large])
    expect(shown).toMatch(
      /^\r\u001b\[Klooking for files: 401 found\r\u001b\[K\r\u001b\[Kreading 0 of \d+ files, 0 %.*\r\u001b\[K\u001b\[1mRollback/s,
    )
    expect(shown).not.toContain('looking for files: 0')
    expect(linesOf(shown).join('\n')).toContain('note: the index is being built; this answer is from')
  })

  it('wraps letters that take two columns', () => {
    const lines = linesOf(onTerminal(['上传 失败'], { columns: 50 }))
    expect(lines.join('').replaceAll(/\s/g, '')).toContain(wideText.slice(0, 60))
    expect(lines.filter((line) => columnsOf(line) > 50)).toEqual([])
  })

  it('prints the digest to a pipe, with --output, --format and --layout, and as `assemble`', () => {
    const time = ['--now', '2026-01-01']
    const digest = runYore([strong, ...time], { cwd: root, env }).stdout
    expect(digest).toMatch(/^# Context Digest for: "How does a failed upload retry\?"\n/)
    expect(runYore(['assemble', strong, ...time], { cwd: root, env }).stdout).toBe(digest)
    expect(onTerminal(['assemble', strong, ...time])).toBe(digest)
    expect(onTerminal([strong, '--format', 'markdown', ...time])).toBe(digest)
    expect(onTerminal([strong, '--layout', 'full', ...time])).toBe(digest)
    expect(onTerminal([strong, '--output', 'digest.out', ...time])).toMatch(/^note: wrote digest.out /)
    expect(readFileSync(path.join(root, 'digest.out'), 'utf8')).toBe(digest)
  })
})
