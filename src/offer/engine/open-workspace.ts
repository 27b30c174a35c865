// How do the repositories of a workspace answer? Joined, from the indexes that are there; a background process builds the others.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { lookAtLock } from '../../corpus/store/ownership/writer-lock.ts'
import { statePlace, writeState } from '../../model/config/added-roots.ts'
import type { EngineOptions, Surroundings } from '../../model/config/engine-options.ts'
import type { Environment } from '../../model/config/state-folder.ts'
import { readWorkspace, type Workspace, type WorkspaceMember } from '../../model/config/workspace.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import type { Engine, QuestionEngine } from './engine.ts'
import { joinCorpora } from './join-corpora.ts'
import { corpusOf } from './open-corpus.ts'
import { openEngine } from './open-engine.ts'
import { buildable } from './open-folder.ts'
import { startIndexing } from './start-indexing.ts'

/** What the background process reports about its work. */
export interface IndexingState {
  readonly ended: boolean
  /** Why repositories could not be indexed, by their folders. */
  readonly failed: Readonly<Record<string, string>>
}

/** The process writes its state at least this often; later it counts as gone. */
export const SIGN_MILLISECONDS = 5000
const SILENCE_MILLISECONDS = 30_000
/** A repository that could not be indexed is tried again after this time. */
const RETRY_MILLISECONDS = 600_000
/** How long a question waits for the first index of a workspace. */
const WAIT_MILLISECONDS = 20_000

const noState: IndexingState = { ended: true, failed: {} }

export function writeIndexing(root: string, env: Environment, state: IndexingState): void {
  const file = statePlace(root, env, 'indexing')
  if (file !== null) writeState(file, state)
}

/** The latest state; one that is too old to count has ended and failed nowhere. */
function readIndexing(root: string, { env, clock }: Pick<Surroundings, 'env' | 'clock'>): IndexingState {
  try {
    const file = statePlace(root, env, 'indexing') ?? ''
    const silence = Math.abs(clock() - statSync(file).mtimeMs)
    if (silence > RETRY_MILLISECONDS) return noState
    const state = JSON.parse(readFileSync(file, 'utf8')) as IndexingState
    return { ...state, ended: state.ended || silence > SILENCE_MILLISECONDS }
  } catch {
    return noState
  }
}

export type MemberState = 'indexed' | 'being indexed' | 'waiting' | 'failed'

/** What is known of a member without a question; `files` of an index that can be read. */
export interface MemberReport extends WorkspaceMember {
  readonly state: MemberState
  readonly files: number
  readonly failure?: string
}

interface OpenedMember extends MemberReport {
  readonly engine: Engine | null
}

/** The workspace as it is now. */
interface Looked {
  readonly all: readonly OpenedMember[]
  readonly warnings: readonly string[]
  readonly indexing: IndexingState
}

export interface OpenedWorkspace extends QuestionEngine, Pick<Engine, 'sessions'> {
  /** The members and their indexes; starts nothing. */
  members(): readonly MemberReport[]
  /** Starts the background process where an index is missing. */
  startIndexing(): void
}

type WorkspaceOptions = EngineOptions &
  Pick<Surroundings, 'env' | 'clock'> & { readonly workspace: Workspace }

/** Budgets, limits and the LLM are those of the workspace; what is indexed is decided by each repository. */
const shared = /^(?:llm\.|expansionBudget$|depth$|refresh$|tokenizer$|maxTokens$)/

/** The repositories that the file of this folder names, as one. The file is read again for each question. */
export function openWorkspace(options: WorkspaceOptions): OpenedWorkspace {
  const { root, settings, now, env, clock } = options
  const flags = Object.fromEntries(Object.entries(settings).filter(([name]) => shared.test(name)))
  const opened = new Map<string, Engine>()
  const engineOf = (member: WorkspaceMember): Engine => {
    const engine =
      opened.get(member.root) ??
      openEngine(member.root, { env, now, settings: flags, firstUse: { build: false } })
    opened.set(member.root, engine)
    return engine
  }

  const look = (member: WorkspaceMember, { failed }: IndexingState): OpenedMember => {
    const failure = failed[member.root]
    const isHeld = (): boolean => lookAtLock(join(member.root, product.folder)).kind === 'held'
    try {
      const engine = engineOf(member)
      const reader = corpusOf(engine).open()
      const files = reader.count('files')
      if (reader.meta('indexedAt') !== null || isHeld())
        return {
          ...member,
          engine,
          files,
          state: reader.meta('indexedAt') === null ? 'being indexed' : 'indexed',
        }
      return { ...member, engine, files, state: 'waiting' }
    } catch (cause) {
      if (!(cause instanceof YoreError)) throw cause
      const isMissing = buildable.has(cause.code)
      if (isMissing && failure === undefined)
        return { ...member, engine: null, files: 0, state: isHeld() ? 'being indexed' : 'waiting' }
      const why = isMissing ? failure : cause.message
      return { ...member, engine: null, files: 0, state: 'failed', failure: why ?? cause.message }
    }
  }

  const lookAll = (): Looked => {
    const indexing = readIndexing(root, options)
    const { members, warnings } = readWorkspace(root, env) ?? options.workspace
    return { all: members.map((member) => look(member, indexing)), warnings, indexing }
  }
  const startMissing = ({ all, indexing }: Looked = lookAll()): void => {
    if (indexing.ended && all.some(({ state }) => state === 'waiting')) startProcess(options, indexing)
  }

  const joinReady = async (refresh: 'auto' | 'never' | undefined): Promise<QuestionEngine> => {
    const until = clock() + WAIT_MILLISECONDS
    for (;;) {
      const looked = lookAll()
      const { all, warnings } = looked
      if (refresh !== 'never') startMissing(looked)
      const corpora = all.flatMap(({ name, engine }) => (engine === null ? [] : [{ name, engine }]))
      const isWaiting = all.some(({ state }) => state === 'waiting' || state === 'being indexed')
      if (corpora.length > 0)
        return joinCorpora(corpora, { notices: describeMembers(all, warnings), isTolerant: true })
      if (isWaiting && refresh !== 'never' && clock() < until) await setTimeout(100)
      else throw notReady(root, all)
    }
  }

  const ask =
    (name: (typeof asked)[number]) =>
    async (first: never, given?: { refresh?: 'auto' | 'never' }): Promise<unknown> => {
      const joined = await joinReady(given?.refresh)
      return (joined[name] as (first: never, given?: object) => Promise<unknown>)(first, given)
    }
  const close = (): void => {
    for (const engine of opened.values()) engine.close()
    opened.clear()
  }
  const questions = Object.fromEntries(asked.map((name) => [name, ask(name)]))
  return {
    ...(questions as unknown as Pick<QuestionEngine, (typeof asked)[number]>),
    members: () => lookAll().all.map(({ engine: _, ...report }) => report),
    startIndexing: () => startMissing(),
    sessions: async () => {
      const { SessionStore } = await import('../../answer/converse/session-store.ts')
      return new SessionStore(join(root, product.folder), env)
    },
    close,
    [Symbol.dispose]: close,
  }
}

const asked = [
  ...(['search', 'assemble', 'read', 'text', 'uses', 'outline', 'standingOf'] as const),
  ...(['expand', 'startExpansion', 'ask', 'previewAsk'] as const),
] as const

/** Names in a notice; more are counted. */
const NAMED = 5

/** One sentence for each kind of member that does not answer in full. */
function describeMembers(all: readonly MemberReport[], warnings: readonly string[]): readonly string[] {
  const named = (some: readonly MemberReport[]): string => {
    const names = some.slice(0, NAMED).map(({ name }) => name)
    const more = some.length - names.length
    return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
  }
  const unread = all.filter(({ state }) => state === 'waiting' || state === 'being indexed')
  const failed = all.filter(({ state }) => state === 'failed')
  return [
    ...(unread.length === 0 ? [] : [`Still being indexed: ${named(unread)}.`]),
    ...(failed.length === 0 ? [] : [`Not indexed: ${named(failed)} (${failed[0]?.failure}).`]),
    ...warnings.map((warning) => `${warning}.`),
  ]
}

function notReady(root: string, all: readonly MemberReport[]): YoreError {
  const [notice = `${product.workspaceFile} names no repository`] = describeMembers(all, [])
  return new YoreError('NO_INDEX', `no repository of ${root} is indexed: ${notice}`, {
    hint: '`yore workspace` shows the progress; ask again later',
  })
}

/** It reads one repository after the other, with one parser thread. */
function startProcess({ root, env }: WorkspaceOptions, { failed }: IndexingState): void {
  // Counts from now, so that the next question starts no second one.
  writeIndexing(root, env, { ended: false, failed })
  startIndexing({ root, env })
}
