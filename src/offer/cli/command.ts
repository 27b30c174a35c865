// What is a command of the terminal? Its spec and how it runs; what it needs (checked input, corpus, settings, time, engine) is prepared here.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readAddedRoots } from '../../model/config/added-roots.ts'
import type { FirstUse } from '../../model/config/engine-options.ts'
import { findCorpus } from '../../model/config/find-root.ts'
import { type LoadedSettings, loadSettings, withoutConfigFiles } from '../../model/config/load-settings.ts'
import { readNow } from '../../model/config/read-time.ts'
import { isRootEntry, latestByName, locateEntry, readRootEntry } from '../../model/config/root-entries.ts'
import { defaultSettings } from '../../model/config/settings.ts'
import { readWorkspace, type Workspace } from '../../model/config/workspace.ts'
import { YoreError } from '../../model/errors.ts'
import { formatQuantity } from '../../model/format-numbers.ts'
import type { Engine, QuestionEngine } from '../engine/engine.ts'
import { checkInput, completeInput, type Input, readCommandLine } from '../operations/check-input.ts'
import { type InputOf, type OperationSpec, settingsIn } from '../operations/operation.ts'
import { formatBytes, printable } from './format.ts'
import { atPlace, nameScope } from './name-place.ts'
import { openProgressLine } from './progress.ts'
import { confirmed, hasQuietFlag, note, type TerminalOptions, warn } from './terminal.ts'

/** An operation as the command line offers it. */
export interface CommandSpec extends OperationSpec {
  /** Paragraphs of the help after the summary. */
  readonly details?: readonly string[]
  readonly examples: readonly string[]
}

/** What a command line asks for. */
export interface CommandRequest {
  readonly command: Command
  /** Texts as given, by the keys of the command; switches are true. Only what was given. */
  readonly given: Input
  readonly terminal: TerminalOptions
  readonly loadSpecs: () => Promise<readonly CommandSpec[]>
}

export interface Command {
  readonly spec: CommandSpec
  /** Gives the exit status. */
  readonly run: (request: CommandRequest) => Promise<number>
  /** Commands of two words that begin with this one. */
  readonly subcommands?: readonly Command[]
}

/** A command over a corpus, ready to run. */
export interface CorpusCall<I, E = Engine> {
  readonly input: I
  readonly root: string
  readonly indexDir: string
  readonly loaded: LoadedSettings
  /** The error of the configuration, for a tolerant command. */
  readonly configFault: YoreError | null
  readonly now: number
  /** What the user will have added to the corpus, to be saved when it is in the index. */
  readonly addedRoots: readonly string[] | null
  /** The repositories that the folder lists; null for one corpus. */
  readonly workspace: Workspace | null
  readonly openEngine: () => Promise<E>
  /** Opens the engine, and closes it whatever happens. */
  readonly use: <R>(use: (engine: E) => Promise<R>) => Promise<R>
  /** The same with a name that the user typed, as the index knows it. */
  readonly useAt: <R>(named: string, use: (engine: E, place: string) => Promise<R>) => Promise<R>
}

interface CommandOptions {
  /** Goes on with the defaults when the configuration is broken. */
  readonly tolerant?: boolean
  readonly startsIndex?: boolean
  /** Runs instead in a workspace that is not one of its repositories. */
  readonly inWorkspace?: (root: string, input: { readonly json: boolean }) => Promise<number>
}

export function corpusCommand<const S extends CommandSpec>(
  spec: S,
  run: (call: CorpusCall<InputOf<S>>) => Promise<number>,
  { tolerant = false, startsIndex = false, inWorkspace }: CommandOptions = {},
): Command {
  return {
    spec,
    run: async ({ given }) => {
      if (inWorkspace !== undefined && given['index'] === undefined) {
        const { root } = findCorpus({ cwd: process.cwd(), root: given['root'] as string | undefined })
        const workspace = readWorkspace(root, process.env)
        if (workspace !== null && !workspace.members.some((member) => member.root === root))
          return inWorkspace(root, { json: given['json'] === true })
      }
      const call = prepare<InputOf<S>, Engine>(spec, given, { tolerant, startsIndex, joins: false })
      if (!tolerant) warn(call.loaded.warnings)
      return run(call)
    },
  }
}

/** An engine of a folder or of a workspace. */
export type TalkingEngine = QuestionEngine & Pick<Engine, 'sessions'>

/** A command that the repositories of a workspace answer together. */
export function questionCommand<const S extends CommandSpec>(
  spec: S,
  run: (call: CorpusCall<InputOf<S>, TalkingEngine>) => Promise<number>,
): Command {
  return {
    spec,
    run: async ({ given }) => {
      const options = { tolerant: false, startsIndex: false, joins: true }
      const call = prepare<InputOf<S>, TalkingEngine>(spec, given, options)
      warn(call.loaded.warnings)
      return run(call)
    },
  }
}

/** A command that needs no corpus. */
export function plainCommand<const S extends CommandSpec>(
  spec: S,
  run: (input: InputOf<S>, request: CommandRequest) => Promise<number>,
): Command {
  return {
    spec,
    run: async (request) => {
      const checked = checkInput(spec, readCommandLine(spec, request.given))
      return run(completeInput(spec, checked, defaultSettings), request)
    },
  }
}

interface PrepareOptions {
  readonly tolerant: boolean
  readonly startsIndex: boolean
  /** Whether the repositories of a workspace answer it together. */
  readonly joins: boolean
}

function prepare<I, E extends QuestionEngine>(
  spec: CommandSpec,
  given: Input,
  { tolerant, startsIndex, joins }: PrepareOptions,
): CorpusCall<I, E> {
  const checked = checkInput(spec, fromStandardInput(spec, readCommandLine(spec, given)))
  const isPaths = Array.isArray(checked.path)
  const entries = isPaths ? (checked.path as readonly string[]).filter(isRootEntry) : []
  const { env } = process
  const cwd = process.cwd()
  const { root, indexDir, paths } = findCorpus({
    cwd,
    root: checked.root as string | undefined,
    index: checked.index as string | undefined,
    paths: isPaths ? (checked.path as readonly string[]).filter((path) => !isRootEntry(path)) : undefined,
  })
  if (checked.index !== undefined && !startsIndex) requireIndex(indexDir)
  const now = readNow({ given: checked.now as number | undefined, env, clock: Date.now() })
  const addedRoots = isPaths ? changeRoots(root, checked, entries) : null
  const { loaded, configFault } = load(root, { flags: settingsIn(spec, checked), addedRoots }, tolerant)
  const workspace = checked.index === undefined ? readWorkspace(root, env) : null
  if (workspace !== null && !joins) requireMember(spec, workspace)
  const members = (joins ? workspace?.members : null) ?? []
  const scope = isPaths
    ? { path: paths }
    : nameScope(checked.path as string | undefined, { root, cwd, members })
  const input = completeInput(spec, { ...checked, ...scope }, loaded.settings) as I
  const openEngine = async (): Promise<E> => {
    const options = { root, indexDir, settings: loaded.settings, now, env }
    const joined = joins ? workspace : null
    if (joined !== null) {
      const { openWorkspace } = await import('../engine/open-workspace.ts')
      return openWorkspace({ ...options, clock: Date.now, workspace: joined }) as QuestionEngine as E
    }
    const module = await import('../engine/open-engine.ts')
    return module.openEngine({ ...options, firstUse: showFirstUse(root) }) as QuestionEngine as E
  }
  const use: CorpusCall<I, E>['use'] = async (use) => {
    const engine = await openEngine()
    try {
      return await use(engine)
    } finally {
      engine.close()
    }
  }
  const useAt: CorpusCall<I, E>['useAt'] = (named, run) =>
    use((engine) => atPlace(engine, { root, cwd, named, members }, (place) => run(engine, place)))
  const place = { root, indexDir, loaded, configFault, workspace }
  return { ...place, input, now, addedRoots, openEngine, use, useAt }
}

/** A folder with a workspace that is one of its repositories answers for itself. Throws BAD_INPUT. */
function requireMember({ name }: CommandSpec, { root, members }: Workspace): void {
  if (name === 'index' || members.some((member) => member.root === root)) return
  const calls = members
    .slice(0, 3)
    .map((member) => `\`yore ${name} --root ${path.relative(process.cwd(), member.root)}\``)
  const rest = members.length > 3 ? `; \`yore workspace\` lists all ${members.length}` : ''
  throw new YoreError(
    'BAD_INPUT',
    `\`yore ${name}\` is about one repository, and ${root} is a workspace of ${members.length}`,
    {
      hint:
        members.length === 0 ? 'add one: `yore workspace add FOLDER`' : `run ${calls.join(' or ')}${rest}`,
    },
  )
}

/** Throws NO_INDEX: a mistyped `--index` must not become a new index. */
function requireIndex(indexDir: string): void {
  if (existsSync(path.join(indexDir, 'index.db'))) return
  throw new YoreError('NO_INDEX', `no index at ${indexDir}`, {
    hint: `check the path, or build it: \`yore index --index ${indexDir}\``,
  })
}

/** What the user has added to the corpus once a command has run; null when it changes nothing. Throws BAD_INPUT. */
function changeRoots(root: string, input: Input, entries: readonly string[]): readonly string[] | null {
  const { env } = process
  const cwd = process.cwd()
  const { remove, dependencies, commits } = input as {
    remove?: string
    dependencies?: boolean
    commits?: boolean
  }
  const added = [
    ...entries.map((entry) => locateEntry(entry, cwd)),
    ...(dependencies === true ? ['dependencies'] : []),
    ...(commits === true ? ['commits'] : []),
  ]
  if (added.length === 0 && remove === undefined) return null
  const before = readAddedRoots(root, env)
  const kept = before.filter((entry) => readRootEntry(entry).name !== remove)
  if (remove !== undefined && kept.length === before.length)
    throw new YoreError('BAD_INPUT', `nothing was added under the name ${JSON.stringify(remove)}`, {
      hint:
        before.length === 0
          ? 'nothing was added to this corpus; what yore.json names is taken out there'
          : `there are ${before.map((entry) => readRootEntry(entry).name).join(', ')}`,
    })
  return latestByName([...kept, ...added])
}

/** Reads an argument of `-` from standard input. */
function fromStandardInput(operation: OperationSpec, given: Input): Input {
  const asked = Object.entries(operation.arguments).find(
    ([name, { form }]) => form === 'words' && given[name] === '-',
  )
  if (asked === undefined) return given
  return { ...given, [asked[0]]: readFileSync(0, 'utf8').trim() }
}

function load(
  root: string,
  { flags, addedRoots }: { flags: ReturnType<typeof settingsIn>; addedRoots: readonly string[] | null },
  tolerant: boolean,
): Pick<CorpusCall<unknown>, 'loaded' | 'configFault'> {
  try {
    return {
      loaded: loadSettings({
        root,
        env: process.env,
        flags,
        ...(addedRoots === null ? {} : { addedRoots }),
      }),
      configFault: null,
    }
  } catch (error) {
    if (!tolerant || !(error instanceof YoreError)) throw error
    return { loaded: withoutConfigFiles(), configFault: error }
  }
}

/** Shown when a question finds no index: progress, a confirmation when it takes long, and what was built. */
function showFirstUse(root: string): FirstUse {
  const progress = openProgressLine(hasQuietFlag() ? { write: () => {} } : process.stderr, () =>
    performance.now(),
  )
  let isTold = false
  return {
    early: true,
    onProgress: (step, { code, message }) => {
      const missing = `no index of ${root} yet: building one`
      if (!isTold) note(printable(code === 'NO_INDEX' ? missing : `${message}: building it again`))
      isTold = true
      progress.report(step)
    },
    onEnded: (report) => {
      progress.clear()
      if (report === null) return
      const seconds = (report.milliseconds / 1000).toFixed(1)
      note(
        `indexed ${formatQuantity(report.files, 'file')} in ${seconds} s; later questions read only what changed`,
      )
      for (const notice of report.notices) note(printable(notice))
    },
    confirm: ({ files, bytes }) => {
      progress.clear()
      return confirmed(`Index ${formatQuantity(files, 'file')} (${formatBytes(bytes)}) now?`)
    },
  }
}
