// What does yore add to an agent's own search? What the index knows about its pattern: definitions and the best sections.
//
// It loads little, as the agent waits for it, and it is silent where anything is wrong.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findCorpus } from '../../model/config/find-root.ts'
import { stateFolder } from '../../model/config/state-folder.ts'
import { product } from '../../model/version.ts'
import type { CorpusEngine } from '../engine/engine.ts'

/** Milliseconds since the start of this process after which a search gets no hint. */
const deadline = Number(process.env[`${product.environment}HOOK_MILLISECONDS`] || 600)

/** The fields of the agent's JSON that are read. */
interface HookCall {
  readonly cwd?: unknown
  readonly session_id?: unknown
  readonly hook_event_name?: unknown
  readonly tool_input?: { readonly pattern?: unknown; readonly path?: unknown; readonly command?: unknown }
}

/** The call on standard input, and the repository that it is about; null without an index. */
export function readHookCall(): {
  readonly call: HookCall
  readonly cwd: string
  readonly root: string
} | null {
  const call = JSON.parse(readFileSync(0, 'utf8')) as HookCall
  const cwd = typeof call.cwd === 'string' && path.isAbsolute(call.cwd) ? call.cwd : process.cwd()
  const { root, indexDir } = findCorpus({ cwd })
  return existsSync(path.join(indexDir, 'index.db')) ? { call, cwd, root } : null
}

/** Prints the hint of a search. The exit status is always 0: a failing hook must not stop the agent. */
export async function answerSearchHook(): Promise<number> {
  try {
    const read = readHookCall()
    const pattern = read === null ? null : patternOfCall(read.call, read.cwd)
    if (read !== null && pattern !== null) await addHint(pattern, read)
  } catch {
    // Silence is the answer.
  }
  return 0
}

async function addHint(pattern: string, { call, root }: NonNullable<ReturnType<typeof readHookCall>>) {
  setTimeout(() => process.exit(0), Math.max(0, deadline - performance.now())).unref()
  const { session_id: session, hook_event_name: event } = call
  const { openEngine } = await import('../engine/open-engine.ts')
  using engine = openEngine(root)
  const before = readTold(root, typeof session === 'string' ? session : '')
  const { hint: additionalContext, told } = await hintFor(engine, pattern, before)
  const hookEventName = typeof event === 'string' ? event : 'PreToolUse'
  if (additionalContext === '' || performance.now() > deadline) return
  process.stdout.write(`${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } })}\n`)
  writeTold(root, told)
}

/** What an agent was told in its session: words of its patterns, and lines of hints. */
export interface Told {
  readonly session: string
  readonly words: readonly string[]
  readonly lines: readonly string[]
}

/** Words of earlier patterns that a search takes, too. */
const mostWords = 8
const mostLines = 1000

/** The hint, without lines that the session has had; empty when there is nothing to add. */
export async function hintFor(
  engine: CorpusEngine,
  pattern: string,
  { session, words: before, lines: known }: Told,
): Promise<{ readonly hint: string; readonly told: Told }> {
  const { lines, words } = await engine.describePattern(pattern, { before, told: new Set(known) })
  const told = {
    session,
    words: [...new Set([...before, ...words])].slice(-mostWords),
    lines: [...known, ...lines.slice(1)].slice(-mostLines),
  }
  return { hint: lines.join('\n'), told }
}

/** Of each corpus the latest session is remembered. */
function placeOfTold(root: string): string | null {
  const folder = stateFolder(process.env)
  return folder && path.join(folder, 'hints', `${hash('sha256', root).slice(0, 32)}.json`)
}

function readTold(root: string, session: string): Told {
  const file = placeOfTold(root)
  try {
    const told = file && (JSON.parse(readFileSync(file, 'utf8')) as Told)
    if (told && told.session === session) return told
  } catch {
    // The first search of this corpus.
  }
  return { session, words: [], lines: [] }
}

function writeTold(root: string, told: Told): void {
  const file = placeOfTold(root)
  if (file === null || told.session === '') return
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify(told), { mode: 0o600 })
}

/** Characters of a command that are read. */
const MOST_READ = 1_000

/** Null for another call, and for a search in one known file. */
export function patternOfCall({ tool_input: input = {} }: HookCall, cwd: string): string | null {
  const { pattern, command, path: within } = input
  if (typeof pattern === 'string') return isFile(within, cwd) ? null : pattern
  return typeof command === 'string' ? patternOfCommand(command.slice(0, MOST_READ)) : null
}

const isFile = (within: unknown, cwd: string): boolean =>
  typeof within === 'string' &&
  statSync(path.resolve(cwd, within), { throwIfNoEntry: false })?.isFile() === true

const shellWord = /'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"|;&]+|[|;&]+/g
/** Flags of the usual programs that take the next word as their value. */
const flagWithValue =
  /^(?:-[ABCgmtTf]|--(?:include|exclude|exclude-dir|glob|type|type-not|max-count|context))$/
const searchesFolders = /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$/

/** The pattern of the first recursive search in a command. One behind a pipe filters the output of another program. */
function patternOfCommand(command: string): string | null {
  const words = command.match(shellWord) ?? []
  const ends = words.flatMap((word, at) => (/^[|;&]/.test(word) ? [at] : []))
  const starts = [0, ...ends.filter((at) => words[at] !== '|').map((at) => at + 1)]
  for (const start of starts) {
    const own = words.slice(start, ends.find((end) => end >= start) ?? words.length)
    const [first, second] = own
    const isGit = first === 'git' && second === 'grep'
    const isGrep = first === 'grep' && own.some((word) => searchesFolders.test(word))
    const found =
      first === 'find'
        ? (own[own.findIndex((word) => /^-i?name$/.test(word)) + 1] ?? null)
        : isGit || isGrep || first === 'rg' || first === 'ag'
          ? firstPattern(own.slice(isGit ? 2 : 1))
          : null
    if (found !== null && found !== 'find') return /^(['"]).*\1$/s.test(found) ? found.slice(1, -1) : found
  }
  return null
}

function firstPattern(words: readonly string[]): string | null {
  const named = words.findIndex((word) => word === '-e' || word === '--regexp')
  if (named !== -1) return words[named + 1] ?? null
  return words.find((word, at) => !word.startsWith('-') && !flagWithValue.test(words[at - 1] ?? '')) ?? null
}
