// How does each command run on a terminal? Open, run, print: data to standard output, everything else to standard error.
import path from 'node:path'
import { noticesOf } from '../../corpus/indexing/describe-freshness.ts'
import { writeAddedRoots } from '../../model/config/added-roots.ts'
import { findCorpus } from '../../model/config/find-root.ts'
import type { DoctorCheck, IndexProgress } from '../../model/report.ts'
import type { Engine } from '../engine/engine.ts'
import { checkInput } from '../operations/check-input.ts'
import type { RunHooks } from '../operations/operation.ts'
import { type CompletionInput, type OperationName, operations } from '../operations/operations.ts'
import { caller } from './caller.ts'
import { outPalette } from './colors.ts'
import { formatCount, formatMany } from './format-numbers.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { type PreparedCommand, prepareCommand, withEngine } from './prepare-command.ts'
import { printable, printableJson } from './printable.ts'
import { handleInterrupt, isQuiet, note, noteFreshness, onInterrupt, warn, warnRefused } from './terminal.ts'

/** The status for `--exit-code`: neither success nor a fault. */
const nothingFound = 3

type Runner = (request: CommandRequest) => Promise<number>

const runners: Readonly<Record<OperationName, Runner>> = {
  index: runIndex,
  search: runSearch,
  assemble: runAssemble,
  expand: async (request) => (await import('./run-agents.ts')).runExpand(request),
  read: async (request) => (await import('./run-agents.ts')).runRead(request),
  uses: async (request) => (await import('./run-explore.ts')).runUses(request),
  outline: async (request) => (await import('./run-explore.ts')).runOutline(request),
  diff: async (request) => (await import('./run-explore.ts')).runDiff(request),
  mcp: async (request) => (await import('./run-agents.ts')).runMcpServer(request),
  ui: async (request) => (await import('./run-agents.ts')).runUiServer(request),
  setup: async (request) => (await import('./run-setup.ts')).runSetup(request),
  hook: async (request) => (await import('./run-hook.ts')).runHook(request),
  ask: async (request) => (await import('./run-ask.ts')).runAsk(request),
  chat: async (request) => (await import('./run-chat.ts')).runChat(request),
  'chat list': async (request) => (await import('./run-chat.ts')).runChatList(request),
  'chat show': async (request) => (await import('./run-chat.ts')).runChatShow(request),
  'chat delete': async (request) => (await import('./run-chat.ts')).runChatDelete(request),
  eval: async (request) => (await import('./run-eval.ts')).runEval(request),
  'eval init': async (request) => (await import('./run-eval.ts')).runEvalInit(request),
  graph: async (request) => (await import('./run-explore.ts')).runGraph(request),
  links: async (request) => (await import('./run-explore.ts')).runLinks(request),
  health: async (request) => (await import('./run-explore.ts')).runHealth(request),
  rulebook: async (request) => (await import('./run-rulebook.ts')).runRulebook(request),
  'rulebook check': async (request) => (await import('./run-rulebook.ts')).runRulebookCheck(request),
  status: runStatus,
  doctor: runDoctor,
  watch: runWatch,
  push: async (request) => (await import('./run-exchange.ts')).runPush(request),
  pull: async (request) => (await import('./run-exchange.ts')).runPull(request),
  daemon: async (request) => (await import('./run-daemon.ts')).runDaemon(request),
  'daemon status': async (request) => (await import('./run-daemon.ts')).runDaemonStatus(request),
  'daemon stop': async (request) => (await import('./run-daemon.ts')).runDaemonStop(request),
  config: async (request) => (await import('./run-config.ts')).runConfigList(request),
  'config get': async (request) => (await import('./run-config.ts')).runConfigGet(request),
  'config set': async (request) => (await import('./run-config.ts')).runConfigSet(request),
  completion: runCompletion,
}

/** Runs a command; gives the exit status. */
export function runCommand(request: CommandRequest): Promise<number> {
  return runners[request.name](request)
}

async function runIndex(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.index, request)
  const { input } = call
  warn(call)
  const { openProgressLine } = await import('./progress.ts')
  const progress = openProgressLine(isQuiet() ? { write: () => {} } : process.stderr, () => performance.now())
  const engine = await call.openEngine()
  const interruption = handleInterrupt((status) => {
    progress.clear()
    note('interrupted; run the same command again to go on')
    close(engine)
    process.exit(status)
  })
  const onProgress = (step: IndexProgress): void => {
    // No handler runs while references are resolved; without one the system ends the process at once.
    interruption.listen(step.phase !== 'merging')
    progress.report(step)
  }
  try {
    const report = await operations.index.run(engine, input, { onProgress })
    progress.clear()
    warnRefused(report.skipped)
    if (call.addedRoots !== null) writeAddedRoots(call.root, caller().env, call.addedRoots)
    if (input.json) out(printableJson(report))
    else if (!isQuiet()) {
      const { printIndex } = await import('./print-index.ts')
      out(
        printIndex(report, {
          palette: outPalette(),
          rootFlag: rootFlag(call.root),
        }),
      )
    }
    return 0
  } finally {
    progress.clear()
    interruption.listen(false)
    engine.close()
  }
}

async function runSearch(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.search, request)
  warn(call)
  const result = await withEngine(call, (engine) => operations.search.run(engine, call.input, {}))
  if (call.input.json) out(printableJson(result))
  else {
    const { printSearch } = await import('./print-search.ts')
    const palette = outPalette()
    const { isTTY, columns } = caller().stdout
    const width = isTTY ? columns || 80 : 160
    out(printSearch(result, { explain: call.input.explain, palette, width }))
  }
  // What is said of the index is said once, below.
  const aboutIndex = noticesOf(result.freshness)
  for (const notice of result.notices) if (!aboutIndex.includes(notice)) note(printable(notice))
  noteFreshness(result.freshness, call.now)
  return call.input.exitCode && result.confidence.label === 'nothing found' ? nothingFound : 0
}

async function runAssemble(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.assemble, request)
  const input = call.input.json ? { ...call.input, format: 'json' as const } : call.input
  warn(call)
  const file = input.output === undefined ? null : path.resolve(caller().cwd, input.output)
  if (file !== null) (await import('./write-output.ts')).refuseIndexFile(call.indexDir, file)
  const result = await withEngine(call, async (engine) => {
    if (file !== null) await (await import('./write-output.ts')).refuseSourceFile(engine, call.root, file)
    return operations.assemble.run(engine, input, {})
  })
  if (file === null) out(result.output)
  else {
    const { writeOutput } = await import('./write-output.ts')
    writeOutput(file, result.output)
    const size = `${formatMany(result.tokensUsed, 'token')} of ${formatCount(input.maxTokens)}`
    note(`wrote ${input.output} (${size}, ${formatMany(result.digest.sectionsSelected, 'section')})`)
  }
  if (input.copy) {
    const { copyText } = await import('./copy-text.ts')
    note(`copied by ${copyText(result.output, caller().stderr)}`)
  }
  noteFreshness(result.freshness, call.now)
  if (input.explain && input.format === 'markdown') caller().stderr.write(`${result.explanation.trimEnd()}\n`)
  const { label } = result.digest.confidence
  return input.exitCode && label === 'nothing found' ? nothingFound : 0
}

async function runStatus(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.status, request)
  warn(call)
  const report = await withEngine(call, (engine) => operations.status.run(engine, call.input, {}))
  const { printStatus } = await import('./print-status.ts')
  const { now, loaded, input } = call
  const palette = outPalette()
  out(
    input.json
      ? printableJson({ ...report, warnings: loaded.warnings })
      : printStatus(report, { palette, now, skipped: input.skipped, masked: input.masked }),
  )
  return 0
}

async function runDoctor(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.doctor, request, true)
  const checks = await withEngine(call, (engine) => operations.doctor.run(engine, call.input, {}))
  const all = [...checks, checkConfiguration(call)]
  const { printDoctor, hasProblem } = await import('./print-doctor.ts')
  out(call.input.json ? printableJson(all) : printDoctor(all, outPalette()))
  return hasProblem(all) ? 1 : 0
}

async function runWatch(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.watch, request)
  warn(call)
  const { headline } = await import('./print-index.ts')
  const stop = new AbortController()
  const forget = onInterrupt((status) => (stop.signal.aborted ? process.exit(status) : stop.abort()))
  const hooks: RunHooks = {
    signal: stop.signal,
    onIndexed: (report) => {
      note(headline(report))
    },
  }
  try {
    note(`watching ${printable(call.root)}; stop with Ctrl-C`)
    await withEngine(call, (engine) => operations.watch.run(engine, call.input, hooks))
    return 0
  } finally {
    forget()
  }
}

async function runCompletion(request: CommandRequest): Promise<number> {
  const { completionScript } = await import('./completion.ts')
  const input = checkInput(operations.completion, request.given) as unknown as CompletionInput
  out(completionScript(input.shell))
  return 0
}

function checkConfiguration(call: PreparedCommand<unknown>): DoctorCheck {
  const name = 'configuration'
  const looked = 'yore.json, the user config, .env and the environment'
  if (call.configFault !== null) {
    return { name, looked, verdict: 'problem', found: call.configFault.message, mend: call.configFault.hint }
  }
  const [first, ...others] = call.loaded.warnings
  if (first === undefined) return { name, looked, verdict: 'ok', found: 'valid', mend: null }
  return {
    name,
    looked,
    verdict: 'warning',
    found: [first, ...others].join('; '),
    mend: 'remove or lower the value',
  }
}

/** What a later command needs to find this corpus from the current folder. */
function rootFlag(root: string): string {
  const cwd = process.cwd()
  return findCorpus({ cwd }).root === root ? '' : ` --root ${path.relative(cwd, root) || '.'}`
}

function close(engine: Engine): void {
  try {
    engine.close()
  } catch {
    // The process ends anyway, and a write in the middle is rolled back when the index is next opened.
  }
}

function out(text: string): void {
  caller().stdout.write(text)
}
