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
import { YoreError } from '../../model/errors.ts'
import { formatQuantity } from '../../model/format-numbers.ts'
import type { Engine } from '../engine/engine.ts'
import { checkInput, completeInput, type Input, readCommandLine } from '../operations/check-input.ts'
import { type InputOf, type OperationSpec, settingsIn } from '../operations/operation.ts'
import { printable } from './format.ts'
import { atPlace, nameScope } from './name-place.ts'
import { openProgressLine } from './progress.ts'
import { note, type TerminalOptions, warn } from './terminal.ts'

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
  /** A quoted question without a command. */
  readonly isBare: boolean
}

export interface Command {
  readonly spec: CommandSpec
  /** Gives the exit status. */
  readonly run: (request: CommandRequest) => Promise<number>
}

/** A command over a corpus, ready to run. */
export interface CorpusCall<I> {
  readonly input: I
  readonly root: string
  readonly indexDir: string
  readonly loaded: LoadedSettings
  /** The error of the configuration, for a tolerant command. */
  readonly configFault: YoreError | null
  readonly now: number
  /** What the user will have added to the corpus, to be saved when it is in the index. */
  readonly addedRoots: readonly string[] | null
  readonly openEngine: () => Promise<Engine>
  /** Opens the engine, and closes it whatever happens. */
  readonly use: <R>(use: (engine: Engine) => Promise<R>) => Promise<R>
  /** The same with a name that the user typed, as the index knows it. */
  readonly useAt: <R>(named: string, use: (engine: Engine, place: string) => Promise<R>) => Promise<R>
}

interface CommandOptions {
  /** Goes on with the defaults when the configuration is broken. */
  readonly tolerant?: boolean
  readonly startsIndex?: boolean
}

export function corpusCommand<const S extends CommandSpec>(
  spec: S,
  run: (call: CorpusCall<InputOf<S>>, request: CommandRequest) => Promise<number>,
  { tolerant = false, startsIndex = false }: CommandOptions = {},
): Command {
  return {
    spec,
    run: async (request) => {
      const call = prepare<InputOf<S>>(spec, request.given, { tolerant, startsIndex })
      if (!tolerant) warn(call.loaded.warnings)
      return run(call, request)
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

function prepare<I>(
  spec: CommandSpec,
  given: Input,
  { tolerant, startsIndex }: Required<CommandOptions>,
): CorpusCall<I> {
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
  const scope = isPaths ? { path: paths } : nameScope(checked.path as string | undefined, { root, cwd })
  const input = completeInput(spec, { ...checked, ...scope }, loaded.settings) as I
  const openEngine = async (): Promise<Engine> => {
    const module = await import('../engine/open-engine.ts')
    const { settings } = loaded
    return module.openEngine({ root, indexDir, settings, now, env, firstUse: showFirstUse() })
  }
  const use: CorpusCall<I>['use'] = async (use) => {
    const engine = await openEngine()
    try {
      return await use(engine)
    } finally {
      engine.close()
    }
  }
  const useAt: CorpusCall<I>['useAt'] = (named, run) =>
    use((engine) => atPlace(engine, { root, cwd, named }, (place) => run(engine, place)))
  return { root, indexDir, loaded, configFault, input, now, addedRoots, openEngine, use, useAt }
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
  const { remove, dependencies } = input as { remove?: string; dependencies?: boolean }
  const added = [
    ...entries.map((entry) => locateEntry(entry, cwd)),
    ...(dependencies === true ? ['dependencies'] : []),
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
    const given = { root, env: process.env, flags, ...(addedRoots === null ? {} : { addedRoots }) }
    return { loaded: loadSettings(given), configFault: null }
  } catch (error) {
    if (!tolerant || !(error instanceof YoreError)) throw error
    return { loaded: withoutConfigFiles(), configFault: error }
  }
}

/** Shown when a question builds the index: progress, and what was built. */
function showFirstUse(): FirstUse {
  const progress = openProgressLine()
  let isTold = false
  return {
    early: true,
    onEarly: (step) => (step === null ? progress.clear() : progress.report(step)),
    onProgress: (step, { message }) => {
      if (!isTold) note(printable(`${message}: building it`))
      isTold = true
      progress.report(step)
    },
    onEnded: (report) => {
      progress.clear()
      if (report === null) return
      const work = `${formatQuantity(report.files, 'file')} in ${(report.milliseconds / 1000).toFixed(1)} s`
      note(`indexed ${work}; later questions read only what changed`)
      for (const notice of report.notices) note(printable(notice))
    },
  }
}
