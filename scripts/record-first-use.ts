// What does somebody see who tries yore for the first time? A real terminal of 80 columns, from an empty folder to answers, as text.
//
//   npm pack && node scripts/record-first-use.ts yore-0.2.0.tgz <folder with unpacked packages> > lab/records/DATE-first-use.md
//
// Not part of CI: it needs `script` of util-linux, the npm registry and the packages. Times are those of the machine that runs it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'

interface Step {
  /** As it is typed. */
  readonly command: string
  /** Lines of its output that are kept, quotes aside; the rest is counted. */
  readonly lines?: number
  /** Where something is said before it. */
  readonly says?: string
}

const packages: Readonly<Record<string, readonly Step[]>> = {
  redis: [
    { command: 'npx yore assemble "How is the append only file rewritten in the background?"', lines: 60 },
    {
      command: 'npx yore uses rewriteAppendOnlyFileBackground',
      says: 'Who calls the function that it names?',
    },
    { command: 'npx yore search "maxmemory policy" -n 3' },
  ],
  jinja2: [{ command: 'npx yore assemble "How do I write a custom filter?" --max-tokens 1200', lines: 50 }],
  fastify: [
    { command: 'npx yore search "validate the body of a request" -n 3' },
    { command: 'npx yore assemble "How do I validate the body of a request?" --max-tokens 1500', lines: 50 },
    { command: 'npx yore links', lines: 12, says: 'Which links are broken?' },
    { command: 'npx yore status' },
    { command: 'npx yore ask "How do I validate the body?"', says: 'No model is configured yet.' },
  ],
}

const [tarball, source] = process.argv.slice(2)
if (tarball === undefined || source === undefined) {
  process.stderr.write('error: a tarball and a folder of packages are needed\n')
  process.exit(2)
}

/** What a terminal shows in the end: without colours, each line as it was left by whatever rewrote it. */
function readScreen(raw: string): string {
  return raw
    .replaceAll(/\u001b\[[0-9;?]*[A-Za-ln-z]/g, '\r')
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part.trim() !== '') ?? '')
    .join('\n')
    .trimEnd()
}

/** The frame without what it quotes: the text of the packages belongs to their authors. */
function withoutQuotes(lines: readonly string[]): string[] {
  const kept: string[] = []
  let quoted = 0
  let inPassage = false
  const close = (): void => {
    if (quoted > 0) kept.push(`[… ${quoted} ${quoted === 1 ? 'line' : 'lines'} quoted …]`, '')
    quoted = 0
  }
  for (const line of lines) {
    const isFrame = /^(?:---$|#{1,3} |\*\*(?:Source|Also at|Referenced by):\*\*|note: |\d+\. )/.test(line)
    const isExcerpt =
      line.startsWith('   ') && !/^ {3}(?:- (?:Last updated|Status|Sections included):|best at )/.test(line)
    if (isFrame) {
      close()
      inPassage = line.startsWith('**')
      kept.push(line)
    } else if (inPassage || isExcerpt) quoted += line.trim() === '' ? 0 : 1
    else if (quoted === 0) kept.push(line)
  }
  close()
  return kept
}

const home = mkdtempSync(path.join(tmpdir(), 'yore-first-'))

function record({ command, lines = Number.POSITIVE_INFINITY, says }: Step, folder: string): string {
  const log = path.join(home, '.typescript')
  const started = performance.now()
  const found = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:YORE_|npm_|NO_COLOR|FORCE_COLOR)/.test(name),
  )
  spawnSync('script', ['-qec', `stty cols 80 rows 40; ${command}`, log], {
    cwd: folder,
    env: {
      ...Object.fromEntries(kept),
      PATH: found,
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
    },
    encoding: 'utf8',
    timeout: 900_000,
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const all = readFileSync(log, 'utf8')
    .replace(/^Script started.*\n/, '')
    .replace(/\n?Script done.*\n?$/, '')
  const screen = readScreen(all)
    .replaceAll(home, '~')
    .split('\n')
    .filter((line) => !/^(?:npm (?:warn|notice)|[\u2800-\u28ff]$)/.test(line))
  const shown = / (?:assemble|search) /.test(command) ? withoutQuotes(screen) : screen
  const rest = shown.length - lines
  const text = rest > 3 ? [...shown.slice(0, lines), `[… ${rest} more lines …]`] : shown
  const block = ['````console', `$ ${command}`, ...text, '````', '', `${seconds} s.`]
  return [...(says === undefined ? [] : [says, '']), ...block, ''].join('\n')
}

const started = performance.now()
cpSync(tarball, path.join(home, path.basename(tarball)))
writeFileSync(path.join(home, 'package.json'), '{ "private": true }\n')
const blocks = [
  '# A first use, as recorded',
  '',
  `From an empty folder to answers from three packages as their authors publish them, on ${cpus().length} cores with Node ${process.versions.node}, in a terminal of 80 columns, while the machine was busy with other work. \`scripts/record-first-use.ts\` records it; nothing is typed in but what stands after \`$\`. What yore quotes of the packages is counted instead of shown, and long outputs are cut.`,
  '',
  '## Install',
  '',
  record({ command: `npm install ./${path.basename(tarball)} --no-audit --no-fund` }, home),
]
for (const [name, steps] of Object.entries(packages)) {
  const folder = path.join(home, name)
  mkdirSync(folder)
  cpSync(path.join(source, name), folder, { recursive: true })
  blocks.push(`## ${name}`, '', `In the folder \`${name}\`, without an index.`, '')
  for (const step of steps) blocks.push(record(step, folder))
}
const minutes = ((performance.now() - started) / 60_000).toFixed(1)
blocks.push(`Everything together took ${minutes} minutes.`)
process.stdout.write(`${blocks.join('\n')}\n`)
rmSync(home, { recursive: true })
