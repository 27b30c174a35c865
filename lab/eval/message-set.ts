// Which messages do people paste? String literals of the real packages' errors and tests, with values in their holes.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { isTestPath } from '../../src/corpus/resolve/code/code-roles.ts'
import type { Place, RealPackage } from './real-set.ts'

export interface PastedMessage {
  readonly _id: string
  readonly package: string
  readonly kind: 'production' | 'test'
  readonly text: string
  /** Where the literal stands; the same literal elsewhere answers as well. */
  readonly places: readonly Place[]
}

/** Messages of each kind. */
const wanted = { production: 200, test: 100 } as const
const FEWEST_WORDS = 4
const LONGEST = 250
/** A literal in more places than this points nowhere. */
const MOST_PLACES = 5

interface Syntax {
  readonly quotes: string
  readonly comment: RegExp
  /** Format directives and interpolations. */
  readonly holes: RegExp
  /** Between two literals that make one message; the group is an expression between them. */
  readonly joint: RegExp
}

const slashes = /^\s*(?:\/\/|\/?\*)/
const hash = /^\s*#/
const printf = /%[-+ #0]*\d*(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t|L)?[a-zA-Z%]/g
const braces = /\{[^{}\n]{0,60}\}/g
const plus = /\s*\+\s*(?:([^"'`+;,\n]{1,60}?)\s*\+\s*)?(?=["'`])/y
const shell = { quotes: `"'`, comment: hash, holes: /\$(?:\w+|\{[^}\n]*\}|\([^)\n]*\))/g, joint: /(?!)/y }
const c = { quotes: '"', comment: slashes, holes: printf, joint: /\s*(?:(PRI\w+)\s*)?(?=")/y }
const js = { quotes: `"'\``, comment: slashes, holes: /\$\{[^}\n]*\}|%[sdijoO]/g, joint: plus }

const syntaxes: Readonly<Record<string, Syntax>> = {
  '.c': c,
  '.h': c,
  '.go': { quotes: '"`', comment: slashes, holes: printf, joint: plus },
  '.rs': { quotes: '"', comment: slashes, holes: braces, joint: /(?!)/y },
  '.py': {
    quotes: `"'`,
    comment: hash,
    holes: /\{[^{}\n]{0,60}\}|%[sdr]/g,
    joint: /\s*(?:\+\s*)?f?(?=["'])/y,
  },
  '.js': js,
  '.cjs': js,
  '.mjs': js,
  '.ts': js,
  '.sh': shell,
  '.tcl': shell,
  '.pl': shell,
}

const raises =
  /\b(?:throw|raise|panic|fatal\w*|die\w*|\w*error\w*|err\w*|warn\w*|log\w*|\w+Log|reject|abort|bail|anyhow|fail\w*|infof|fprintf|usage|BUG|msg)\b/i
const asserts =
  /\b(?:test\w*|it|describe|\w*error\w*|err|fatal\w*|expect\w*|\w*assert\w*|require|fail\w*|match\w*|Run|ok|throws|rejects|equal|Log\w*|msg|name|desc|message)\b/i

interface Literal {
  readonly kind: PastedMessage['kind']
  readonly filled: string
  readonly raw: string
  readonly place: Place
}

const digestOf = (text: string): Buffer => createHash('sha1').update(text).digest()

const values = {
  number: ['17', '404', '3', '65536', '8080', '1024'],
  name: ['orders', 'user-service', 'nightly', 'web01', 'payload', 'Kim'],
  path: ['/var/lib/app/data.db', 'src/app/config.yml', '/home/kim/site/content/post.md'],
  error: ['connection refused', 'no such file or directory', 'unexpected EOF'],
  quoted: ['"orders"', "'nightly'", '"a b"'],
}

/** A plausible value for a hole, the same each time. */
function valueFor(hole: string, seed: string): string {
  const bytes = digestOf(`${seed} ${hole}`)
  const last = hole.at(-1) as string
  const isPrintf = hole.startsWith('%')
  if (isPrintf && last === '%') return '%'
  if (isPrintf && last === 'w') return values.error[(bytes[1] as number) % values.error.length] as string
  if (isPrintf && last === 'q') return values.quoted[0] as string
  const kinds =
    isPrintf && /[diuxXofgeEc]/.test(last)
      ? (['number'] as const)
      : (['name', 'path', 'number', 'quoted', 'name', 'error'] as const)
  const list = values[kinds[(bytes[0] as number) % kinds.length] as keyof typeof values]
  return list[(bytes[1] as number) % list.length] as string
}

const unescaped = (text: string): string => text.replace(/\\[nrt]/g, ' ').replace(/\\(["'`\\])/g, '$1')

/** The literal that starts here, with those that are joined to it; null where its line does not end it. */
function readLiteral(
  text: string,
  start: number,
  { holes, joint }: Syntax,
): { raw: string; filled: string; end: number } | null {
  let [at, raw, filled] = [start, '', '']
  for (;;) {
    const quote = text[at] as string
    let end = at + 1
    while (end < text.length && text[end] !== quote && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
    if (text[end] !== quote) return null
    const piece = text.slice(at + 1, end)
    raw += piece
    let count = 0
    filled += unescaped(piece.replace(holes, (hole) => valueFor(hole, `${piece} ${count++}`)))
    joint.lastIndex = end + 1
    const joined = joint.exec(text)
    if (joined === null) return { raw, filled, end: end + 1 }
    if (joined[1] !== undefined) filled += valueFor('', `${piece} ${joined[1]}`)
    at = joint.lastIndex
    if (at >= text.length) return null
  }
}

/** A sentence, not a pattern, a list of flags or markup. */
function isMessage(raw: string, { holes }: Syntax): boolean {
  const fixed = raw.replace(holes, ' ').replace(/\\./g, ' ')
  const words = fixed.match(/(?<![\w/.-])[A-Za-z][a-z']+(?![\w/-])/g) ?? []
  const letters = fixed.match(/[A-Za-z ]/g) ?? []
  return (
    words.length >= FEWEST_WORDS &&
    raw.length <= LONGEST &&
    letters.length >= 0.75 * fixed.length &&
    !/[<>|^]|\s{4}/.test(raw)
  )
}

function readFile(path: string, text: string, syntax: Syntax): Literal[] {
  const found: Literal[] = []
  const kind = isTestPath(path) ? 'test' : 'production'
  const speaks = kind === 'test' ? asserts : raises
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length
  let before = ''
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start)
    const stop = next === -1 ? text.length : next
    const line = text.slice(start, stop)
    if (line.length < 1000 && !syntax.comment.test(line))
      for (let at = start; at < stop; at++) {
        if (!syntax.quotes.includes(text[at] as string)) continue
        const literal = text.startsWith('"""', at) ? null : readLiteral(text, at, syntax)
        if (literal === null) break
        const lead = text.slice(start, at)
        if (speaks.test(/\w\w/.test(lead) ? lead : `${before} ${lead}`) && isMessage(literal.raw, syntax))
          found.push({
            kind,
            raw: literal.raw,
            filled: literal.filled.replace(/\s+/g, ' ').trim(),
            place: { path, start: lineOf(at), end: lineOf(literal.end) },
          })
        at = literal.end - 1
      }
    before = line
    start = stop + 1
  }
  return found
}

function readPackage({ root }: RealPackage): Literal[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .flatMap((path) => {
      const syntax = syntaxes[extname(path)]
      if (syntax === undefined || path.endsWith('.d.ts')) return []
      return readFile(path, readFileSync(join(root, path), 'utf8'), syntax)
    })
}

const frames: readonly ((message: string) => string)[] = [
  (message) => `2026-11-03T08:14:22.318Z ERROR [main] ${message}`,
  (message) => `Nov 03 08:14:22 web01 app[2187]: error: ${message}`,
  (message) => `    at async handle (/srv/app/server.js:41:11)\nError: ${message}`,
  (message) => `goroutine 1 [running]:\nmain.main()\n${message}`,
  (message) => `Traceback (most recent call last):\n  File "/srv/app/run.py", line 41\nError: ${message}`,
  (message) => `why do I get: ${message}`,
  (message) => `${message} - what does this mean?`,
]
const testFrames: readonly ((message: string) => string)[] = [
  (message) => `--- FAIL: TestAll (0.02s)\n    all_test.go:88: ${message}`,
  (message) => `not ok 17 - ${message}`,
  (message) => `FAILED tests/test_all.py::test_all - AssertionError: ${message}`,
  (message) => `✖ ${message} (12.31ms)`,
  (message) => `the test fails with: ${message}`,
]

/** Half of the messages come as people paste them. */
function wrap(message: string, kind: PastedMessage['kind']): string {
  const bytes = digestOf(`frame ${message}`)
  if ((bytes[0] as number) & 1) return message
  const list = kind === 'test' ? testFrames : frames
  return (list[(bytes[1] as number) % list.length] as (message: string) => string)(message)
}

/** The messages of one package in the order of their hashes, each literal once. */
function messagesOf(one: RealPackage): PastedMessage[] {
  const messages = [...Map.groupBy(readPackage(one), ({ raw }) => raw)].flatMap(([raw, literals]) => {
    const [first] = literals as [Literal]
    if (literals.length > MOST_PLACES || literals.some(({ kind }) => kind !== first.kind)) return []
    const { kind, filled } = first
    const _id = `${one.name}-${digestOf(`${one.name} ${raw}`).toString('hex').slice(0, 12)}`
    const places = literals.map(({ place }) => place)
    return { _id, package: one.name, kind, text: wrap(filled, kind), places }
  })
  return messages.sort((a, b) => (a._id < b._id ? -1 : 1))
}

/** The set: the packages take turns, each with its next message by hash. */
export function drawMessages(packages: readonly RealPackage[]): PastedMessage[] {
  const lists = packages.map(messagesOf)
  return (['production', 'test'] as const).flatMap((kind) => {
    const queues = lists.map((list) => list.filter((message) => message.kind === kind))
    const rounds = Math.max(...queues.map(({ length }) => length))
    const turns = Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue[round] ?? []))
    return turns.flat().slice(0, wanted[kind])
  })
}
