// What in this text looks like a secret? It is masked before any of the text is stored, indexed, shown or sent.
import { compareText } from '../../../model/paths.ts'
import type { Mask } from '../../../model/source-file.ts'
import { countClasses, looksRandom } from './looks-random.ts'
import { SHORT_BEGINNING, secretKinds } from './secret-kinds.ts'

interface MaskedText {
  /** With as many lines as before. */
  readonly text: string
  /** In the order of the text. */
  readonly masks: readonly Mask[]
}

/** A part to mask: [start, end) offsets. `isContinued` parts belong to the mask before them. */
interface Range {
  readonly start: number
  readonly end: number
  readonly kind: string
  readonly isContinued?: boolean
}

/** Without space, quote, bracket or line end, so that a link, a YAML value or a string keeps its syntax. */
const markOf = (kind: string): string => `⟦masked:${kind}⟧`
const continuedMark = '⟦…⟧'

/**
 * Masks the secrets in a text and reports where they were. Time is linear in the text.
 *
 * @example maskSecrets('key = AKIAQ3EGRIAB2CDEFGHJ').text // 'key = AKIA⟦masked:aws-key⟧'
 */
export function maskSecrets(text: string): MaskedText {
  const ranges = [
    ...findPrivateKeys(text),
    ...findServiceKeys(text),
    ...findLogins(text),
    ...findNamedValues(text),
  ]
  if (ranges.length === 0) return { text, masks: [] }
  return replaceRanges(text, joinRanges([...ranges, ...findRepetitions(text, ranges)]))
}

/** Sorted and disjoint; where two overlap, the first one names the kind. */
function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = []
  const order = (a: Range, b: Range): number =>
    a.start - b.start || b.end - a.end || compareText(a.kind, b.kind)
  for (const range of ranges.toSorted(order)) {
    const last = joined.at(-1)
    if (last === undefined || range.start >= last.end) joined.push(range)
    else if (range.end > last.end) joined[joined.length - 1] = { ...last, end: range.end }
  }
  return joined
}

function replaceRanges(text: string, ranges: readonly Range[]): MaskedText {
  const parts: string[] = []
  const masks: Mask[] = []
  let at = 0
  let line = 1
  for (const { start, end, kind, isContinued } of ranges) {
    const before = text.slice(at, start)
    line += before.split(/\r\n?|\n/).length - 1
    parts.push(before, isContinued === true ? continuedMark : markOf(kind))
    if (isContinued !== true) masks.push({ line, kind })
    at = end
  }
  return { text: parts.join('') + text.slice(at), masks }
}

/** Spaces may be URL-encoded. */
const keyStart = /-----BEGIN[A-Z0-9 %+]{0,40}PRIVATE[ %+20]{0,3}KEY[A-Z %+20]{0,10}-----/g
/** A line of a key: `Proc-Type: 4,ENCRYPTED` or encoded bytes, perhaps quoted or behind a comment mark. */
const keyRun = /\\[nrt]|[A-Za-z][A-Za-z-]{2,30}: [^\r\n\\"']{0,120}|[A-Za-z0-9+/=%]{4,}/g
const MAX_KEY = 20_000
/** Shorter runs are placeholders in a document: `MIIEow...`. */
const MIN_KEY_RUN = 24

/** The text between the BEGIN and END lines. Without an END line, all following lines of a key. */
function findPrivateKeys(text: string): Range[] {
  const ranges: Range[] = []
  for (const start of matchesOf(text, keyStart, '-----BEGIN')) {
    const from = start.index + start[0].length
    const dashes = text.indexOf('-----', from)
    const isClosed = dashes >= 0 && dashes - from <= MAX_KEY && text.startsWith('-----END', dashes)
    const body = text.slice(from, isClosed ? dashes : from + MAX_KEY)
    const lines = isClosed ? body : leadingKeyLines(body.slice(0, dashes < 0 ? MAX_KEY : dashes - from))
    const runs = [...lines.matchAll(keyRun)].filter(([run]) => !run.startsWith('\\') && !run.includes(':'))
    if (!runs.some(([run]) => run.length >= MIN_KEY_RUN && new Set(run).size > MIN_KEY_RUN / 3)) continue
    for (const [index, run] of runs.entries()) {
      const at = from + run.index
      ranges.push({ start: at, end: at + run[0].length, kind: 'private-key', isContinued: index > 0 })
    }
  }
  return ranges
}

function leadingKeyLines(body: string): string {
  let end = 0
  for (const line of body.matchAll(/[^\n]*\n?/g)) {
    if (line.index > 0 && line[0].trim() !== '' && !/[A-Za-z0-9+/=]{16}|: /.test(line[0])) break
    end = line.index + line[0].length
  }
  return body.slice(0, end)
}

/** Matches of a global pattern, searched only in a text that holds the literal. */
const matchesOf = (text: string, pattern: RegExp, literal: string): Iterable<RegExpExecArray> =>
  text.includes(literal) ? text.matchAll(pattern) : []

const rulesByBeginning = Map.groupBy(
  secretKinds.flatMap(([kind, beginnings, rest]) =>
    beginnings.split(' ').map((beginning) => ({ beginning, kind, rest: new RegExp(rest, 'y') })),
  ),
  ({ beginning }) => beginning,
)
const anyBeginning = new RegExp(
  [...rulesByBeginning.keys()]
    .sort((a, b) => b.length - a.length || compareText(a, b))
    .map((beginning) => beginning.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|'),
  'g',
)

/** Characters of keys and URLs, by class: lower case, upper case, digit, other. */
const classOf = new Uint8Array(128)
for (let code = 33; code < 127; code++) {
  const character = String.fromCharCode(code)
  if ('"\'`<>,|(){}[]\\'.includes(character)) continue
  classOf[code] = /[a-z]/.test(character) ? 1 : /[A-Z]/.test(character) ? 2 : /\d/.test(character) ? 4 : 8
}
/** The shortest key, with its prefix. */
const MIN_RUN = 18

/** Runs that may hold a key: long, with a digit or a capital letter. Only these are examined closely. */
function findRuns(text: string): (readonly [start: number, end: number])[] {
  const runs: (readonly [number, number])[] = []
  let start = 0
  let classes = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? 10 : text.charCodeAt(at)
    const own = code < 128 ? (classOf[code] as number) : 0
    classes |= own
    if (own !== 0) continue
    if (at - start >= MIN_RUN && (classes & 6) !== 0) runs.push([start, at])
    start = at + 1
    classes = 0
  }
  return runs
}

function findServiceKeys(text: string): Range[] {
  const ranges: Range[] = []
  for (const [runStart, runEnd] of findRuns(text)) {
    const run = text.slice(runStart, runEnd)
    let covered = runStart
    anyBeginning.lastIndex = 0
    for (let match = anyBeginning.exec(run); match !== null; match = anyBeginning.exec(run)) {
      const at = runStart + match.index
      const found = at < covered ? null : keyAt(text, at, match[0])
      if (found === null) continue
      covered = found.end
      if (found.kind !== null) ranges.push({ ...found, kind: found.kind })
    }
  }
  return ranges
}

/** What follows a prefix; the kind is null if it only resembles a key. */
function keyAt(
  text: string,
  at: number,
  beginning: string,
): (Omit<Range, 'kind'> & { readonly kind: string | null }) | null {
  const isShort = beginning.length < SHORT_BEGINNING && /^\w/.test(beginning)
  if (isShort && !startsWord(text, at)) return null
  const start = at + beginning.length
  let end = 0
  for (const { kind, rest } of rulesByBeginning.get(beginning) ?? []) {
    rest.lastIndex = start
    const found = rest.exec(text)?.[0]
    if (found === undefined) continue
    end = start + found.length
    if (!isPattern(found) && (!isShort || looksDrawn(found))) return { start, end, kind }
  }
  return end === 0 ? null : { start, end, kind: null }
}

/** Not inside a word; `\n` in a string is not part of one. */
const startsWord = (text: string, at: number): boolean =>
  !/[A-Za-z0-9]/.test(text[at - 1] ?? ' ') || (/[nrt]/.test(text[at - 1] ?? '') && text[at - 2] === '\\')

/** Placeholders: `xxxxxxxx`, `****`, `0000`. */
const isPattern = (rest: string): boolean => new Set(rest).size < 4 || /x{6}|X{6}|\.{3}/.test(rest)

const looksDrawn = (rest: string): boolean =>
  looksRandom(rest) || /^[A-Z0-9]+$/.test(rest) || (/^[A-Za-z0-9]+$/.test(rest) && countClasses(rest) === 3)

/** `scheme://name:password@host`, from the slashes on. */
const login = /:\/\/(?<name>[^\s:/@"'`<>()[\]{},;]{0,80}):(?<password>[^\s/"'`<>]{3,200})@(?=[\w[$%{<*-])/g
const storeScheme =
  /(?:^|:)(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|valkeys?|amqps?|mssql|sqlserver|clickhouse|cockroach(?:db)?|oracle|db2|couchbases?|couchdb|cassandra|neo4j|bolt|ldaps?|nats|kafka|smtps?|imaps?|influxdb|snowflake|trino|presto|redshift|vertica|hive|elasticsearch|opensearch|etcd|sftp|ssh|smb|mqtts?)\b/i

function findLogins(text: string): Range[] {
  const ranges: Range[] = []
  for (const match of matchesOf(text, login, '://')) {
    const { name = '', password = '' } = match.groups ?? {}
    const scheme =
      /[a-z][a-z0-9+.:-]{1,20}$/i.exec(text.slice(Math.max(0, match.index - 21), match.index))?.[0] ?? ''
    const start = match.index + 3 + name.length + 1
    const isSecret = storeScheme.test(scheme) ? !isStandIn(password, name) : isChosen(password)
    if (isSecret) ranges.push({ start, end: start + password.length, kind: 'password' })
  }
  return ranges
}

/** Example passwords, and placeholders of template languages. */
const standInWord =
  /pass|pwd|p[a@4]ssw|secret|test|user|example|change|admin|root|postgres|mysql|mongo|redis|guest|dummy|your|name|token|key|foo|bar|baz|abc|xxx|hidden|redacted|masked|null|none|empty|sample/i
const standIn = new RegExp(
  `^(?:[a-z_.-]{0,60}(?:${standInWord.source})[a-z_.-]{0,60}[\\d!]{0,5}|\\d{1,6}|(.)\\1+)$`,
  'i',
)
const variable = /[{}<>]|^[$%]{1,2}[A-Za-z_(]|\$\(|%[sdvq](?![A-Za-z0-9])|\.{3}|…|⟦|^\*+$/

const MAX_STAND_IN = 60

function isStandIn(password: string, name: string): boolean {
  if (password === name || variable.test(password)) return true
  if (password.length > MAX_STAND_IN) return false
  const plain = password.replaceAll(/%[0-9a-f]{2}/gi, '.')
  if (looksRandom(plain)) return false
  return standIn.test(plain) || standIn.test(plain.split(/[;@]/, 1)[0] ?? '')
}

/** A password that a person chose (`Winter2024!`) or a machine drew, not a word, date or version. */
function isChosen(password: string): boolean {
  if (isStandIn(password, '') || /[:\s]/.test(password) || expression.test(password)) return false
  const classes = countClasses(password)
  if (looksRandom(password)) return true
  if (password.length < 8 || !/\d/.test(password) || classes < 2) return false
  return !standInWord.test(password) || (password.length >= 12 && classes === 4)
}

/** Code that computes a value: `config.AccessKey`, `request->token`, `size * count`. */
const expression = /^[\w%-]+(?:(?:\.|->|::|\*)[\w%-]+)+$/

/** Names of settings that hold secrets, with the text between name and value. */
const secretName =
  /(?:passw(?:or)?d|passphrase|passcode|pwd|secret|token|credential|api[_-]?key|(?:access|account|admin|app|auth|client|deploy|encryption|hmac|jwt|license|master|private|service|session|shared|signing|storage|webhook)[_-]?key|authorization|bearer)(?:[\w.-]{0,30}\w)?/gi
const separator =
  /(?:["'`\])*]|\\"){0,4}(?:[ \t]|%20){0,30}(?:=>|:=|[=:]{1,3}|[(,>|]|[ \t])(?:[ \t]|%20){0,30}(?:(?:bearer|basic|token|base64)[ \t]{1,4})?(?:[bru@$]?["'`]|\\"|[*(|]){0,3}/iy
/** A value is judged by its beginning and masked to its end. */
const bareValue = /[^\s"'`<>,;|(){}[\]\\]{8,64}/y
const bareRest = /[^\s"'`<>,;|(){}[\]\\]*/y
const quotedValue = /(?<=(["'`]))(?:(?!\1)[^\s\\]){8,64}/y
const quotedRest = /[^\s\\"'`]*/y
const connectionSetting =
  /[;?&](?:password|pwd|passwd)[ \t]{0,4}=[ \t]{0,4}(?<password>[^\s;&"'`<>]{3,200})/gi

function findNamedValues(text: string): Range[] {
  const ranges: Range[] = []
  for (const name of text.matchAll(secretName)) {
    separator.lastIndex = name.index + name[0].length
    if (!separator.test(text)) continue
    const start = separator.lastIndex
    const found = valueAt(text, start)
    if (found === null) continue
    const isPassword = found.isQuoted && /pass|pwd/i.test(name[0]) && countClasses(found.text) >= 3
    if (isSecretValue(found.text) || (isPassword && isChosen(found.text)))
      ranges.push({ start, end: endOfValue(text, start, found), kind: 'secret' })
  }
  for (const match of text.matchAll(connectionSetting)) {
    const password = match.groups?.['password'] ?? ''
    const start = match.index + match[0].length - password.length
    if (!isStandIn(password, '') && countClasses(password) >= 2)
      ranges.push({ start, end: start + password.length, kind: 'password' })
  }
  return ranges
}

interface FoundValue {
  readonly text: string
  readonly isQuoted: boolean
}

function valueAt(text: string, at: number): FoundValue | null {
  quotedValue.lastIndex = at
  const quoted = quotedValue.exec(text)
  if (quoted !== null) return { text: quoted[0], isQuoted: true }
  bareValue.lastIndex = at
  const bare = bareValue.exec(text)
  return bare === null ? null : { text: bare[0].replace(/[.:!?]$/, ''), isQuoted: false }
}

function endOfValue(text: string, start: number, { text: found, isQuoted }: FoundValue): number {
  const rest = isQuoted ? quotedRest : bareRest
  rest.lastIndex = start + found.length
  const more = rest.exec(text)?.[0] ?? ''
  return start + found.length + (isQuoted ? more : more.replace(/[.:!?]$/, '')).length
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function isSecretValue(text: string): boolean {
  if (variable.test(text) || text.includes('://') || /example|placeholder|^urn:/i.test(text)) return false
  if (uuid.test(text)) return new Set(text).size > 8
  if (expression.test(text)) return text.split(/\.|->|::|\*/).some(looksRandom)
  return looksRandom(text) && !isKnownLogin(text)
}

/** `Basic dXNlcjpwYXNz` is `user:pass`. */
function isKnownLogin(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(text)) return false
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  const [name = '', password] = decoded.split(':')
  // The whole value: the beginning of a random value may read like a login.
  if (password === undefined || !/^[\x20-\x7e\s]+$/.test(decoded)) return false
  return isStandIn(password, name) || countClasses(password) < 2
}

/** Searching for long repetitive strings, or for many, is not linear. */
const MAX_REPEATED = 200
const MAX_SEARCHES = 100

/** A value that was found by its name is masked everywhere else in the text. */
function findRepetitions(text: string, ranges: readonly Range[]): Range[] {
  const found = new Map<string, string>()
  for (const { start, end, kind, isContinued } of ranges)
    if (isContinued !== true && end - start >= 12 && end - start <= MAX_REPEATED && found.size < MAX_SEARCHES)
      found.set(text.slice(start, end), kind)
  return [...found].flatMap(([secret, kind]) => {
    const more: Range[] = []
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
      more.push({ start: at, end: at + secret.length, kind })
    return more
  })
}
