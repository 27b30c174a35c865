// What does a command need before it can run? Its checked input, the corpus, the settings, the time, and the engine.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readAddedRoots } from '../../model/config/added-roots.ts'
import type { FirstUse } from '../../model/config/engine-options.ts'
import { findCorpus } from '../../model/config/find-root.ts'
import { type LoadedSettings, loadSettings, withoutConfigFiles } from '../../model/config/load-settings.ts'
import { readNow } from '../../model/config/read-time.ts'
import { isRootEntry, latestByName, locateEntry, readRootEntry } from '../../model/config/root-entries.ts'
import { YoreError } from '../../model/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { checkInput, completeInput, type Input, readCommandLine } from '../operations/check-input.ts'
import { type Operation, type OperationSpec, settingsIn } from '../operations/operation.ts'
import { caller } from './caller.ts'
import { formatBytes, formatMany } from './format-numbers.ts'
import { nameScope } from './name-place.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { printable } from './printable.ts'
import { openProgressLine } from './progress.ts'
import { confirmed, isQuiet, note } from './terminal.ts'

/** One command, ready to run. */
export interface PreparedCommand<I> {
  readonly input: I
  readonly root: string
  readonly indexDir: string
  readonly loaded: LoadedSettings
  /** What is wrong with the configuration, when `tolerant` was asked for. */
  readonly configFault: YoreError | null
  readonly now: number
  readonly openEngine: () => Promise<Engine>
  /** What the user will have added to the corpus, to be remembered when it is in the index. */
  readonly addedRoots: readonly string[] | null
}

/** Opens the engine, uses it, and closes it or gives it back whatever happens. */
export async function withEngine<I, R>(
  command: PreparedCommand<I>,
  use: (engine: Engine) => Promise<R>,
): Promise<R> {
  const { engines } = caller()
  const engine = await command.openEngine()
  try {
    return await use(engine)
  } finally {
    if (engines === undefined) engine.close()
    else engines.giveBack(engine)
  }
}

/** Checks and resolves everything. `tolerant` goes on with the defaults when the configuration is broken. */
export function prepareCommand<I, R>(
  operation: Operation<I, R>,
  request: CommandRequest,
  tolerant = false,
): PreparedCommand<I> {
  const checked = checkInput(
    operation,
    fromStandardInput(operation, readCommandLine(operation, request.given)),
  )
  const isPaths = Array.isArray(checked.path)
  const entries = isPaths ? (checked.path as readonly string[]).filter(isRootEntry) : []
  const corpus = findCorpus({
    cwd: caller().cwd,
    root: checked.root as string | undefined,
    index: checked.index as string | undefined,
    paths: isPaths ? (checked.path as readonly string[]).filter((path) => !isRootEntry(path)) : undefined,
  })
  if (checked.index !== undefined && !mayStartIndex.has(operation.name)) requireIndex(corpus.indexDir)
  const now = readNow({ given: checked.now as number | undefined, env: caller().env, clock: Date.now() })
  caller().now = now
  const addedRoots = isPaths ? changeRoots(corpus.root, checked, entries) : null
  const flags = settingsIn(operation, checked)
  const { loaded, configFault } = load(corpus.root, { flags, addedRoots }, tolerant)
  const confined = isPaths
    ? { ...checked, path: corpus.paths }
    : {
        ...checked,
        ...nameScope(checked.path as string | undefined, { root: corpus.root, cwd: caller().cwd }),
      }
  const input = completeInput(operation, confined, loaded.settings) as I
  const { root, indexDir } = corpus
  const openEngine = async (): Promise<Engine> => {
    const { env, engines } = caller()
    const options = { root, indexDir, settings: loaded.settings, now, env }
    if (engines !== undefined) return engines.take(options)
    const module = await import('../engine/open-engine.ts')
    return module.openEngine({ ...options, firstUse: showFirstUse(root) })
  }
  return { input, root, indexDir, loaded, configFault, now, openEngine, addedRoots }
}

/** Commands for which a folder given by `--index` may hold no index yet. */
const mayStartIndex: ReadonlySet<string> = new Set(['index', 'watch', 'doctor'])

/** Throws NO_INDEX: a mistyped `--index` must not become a new index. */
function requireIndex(indexDir: string): void {
  if (existsSync(path.join(indexDir, 'index.db'))) return
  throw new YoreError('NO_INDEX', `no index at ${indexDir}`, {
    hint: `check the path, or build it: \`yore index --index ${indexDir}\``,
  })
}

/** What the user has added to the corpus once a command has run; null when it changes nothing. Throws BAD_INPUT. */
function changeRoots(root: string, input: Input, entries: readonly string[]): readonly string[] | null {
  const { env, cwd } = caller()
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

/** A question of `-` is what standard input holds. */
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
): Pick<PreparedCommand<unknown>, 'loaded' | 'configFault'> {
  try {
    return {
      loaded: loadSettings({
        root,
        env: caller().env,
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

/** What somebody sees whose question finds no index: progress, a question when it takes long, and what was built. */
function showFirstUse(root: string): FirstUse {
  const progress = openProgressLine(isQuiet() ? { write: () => {} } : process.stderr, () => performance.now())
  let isTold = false
  return {
    onProgress: (step) => {
      if (!isTold) note(`no index of ${printable(root)} yet: building one`)
      isTold = true
      progress.report(step)
    },
    onEnded: (report) => {
      progress.clear()
      if (report === null) return
      const seconds = (report.milliseconds / 1000).toFixed(1)
      note(
        `indexed ${formatMany(report.files, 'file')} in ${seconds} s; later questions read only what changed`,
      )
      for (const notice of report.notices) note(printable(notice))
    },
    confirm: ({ files, bytes }) => {
      progress.clear()
      return confirmed(`Index ${formatMany(files, 'file')} (${formatBytes(bytes)}) now?`)
    },
  }
}
