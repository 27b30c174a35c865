// How long does the hook of an agent take? 100 patterns over an indexed repository, with an MCP server that answers and without.
//
// npm run build && node lab/bench/hook.ts /path/to/an/indexed/repository [tries of each pattern]
// With YORE_HOOK_MILLISECONDS=5000 no hint is late.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { findSocket, hintFolder } from '../../src/offer/service/call-socket.ts'
import { loadTokenizer } from '../../src/read/assets/load-tokenizer.ts'

const patterns = 100
const launcher = path.join(import.meta.dirname, '../../bin/yore.js')
const root = path.resolve(process.argv[2] ?? '.')
const tries = Number(process.argv[3] ?? 1)

/** Names of definitions and words of headings, spread over the whole index. */
async function choosePatterns(): Promise<string[]> {
  using engine = openEngine(root)
  const ids = await engine.artifactIds()
  const words = ids.flatMap((id) =>
    id.includes('#') ? [(id.split(/[#./]/).at(-1) ?? '').replaceAll('-', '.*')] : [],
  )
  const named = [...new Set(words)].filter((word) => /^[\p{L}_][\p{L}\p{N}_.*]{3,40}$/u.test(word))
  const step = named.length / patterns
  return Array.from({ length: patterns }, (_, at) => named[Math.floor(at * step)] ?? '')
}

interface Run {
  readonly milliseconds: number
  readonly tokens: number
}

/** As the agent sees it, from the start of the process to its end; of several runs the quickest, for a machine that others use. */
function runHook(args: readonly string[], pattern: string): Run {
  const runs = Array.from({ length: tries }, (_, at): Run => {
    const call = { cwd: root, session_id: `${pattern} ${at}`, tool_name: 'Grep', tool_input: { pattern } }
    const started = performance.now()
    const { stdout } = spawnSync(process.execPath, [...args], {
      input: JSON.stringify(call),
      encoding: 'utf8',
    })
    const milliseconds = performance.now() - started
    const hint = stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext
    return { milliseconds, tokens: loadTokenizer('o200k')(hint) }
  })
  return runs.toSorted((a, b) => a.milliseconds - b.milliseconds)[0] as Run
}

function print(name: string, runs: readonly Run[]): void {
  const at = (share: number, of: (run: Run) => number, among = runs): number =>
    Math.round(
      among.map(of).sort((a, b) => a - b)[Math.min(among.length - 1, Math.floor(among.length * share))] ?? 0,
    )
  const told = runs.filter(({ tokens }) => tokens > 0)
  const time = (run: Run): number => run.milliseconds
  const size = (run: Run): number => run.tokens
  console.log(
    `| ${name} | ${at(0.5, time)} | ${at(0.95, time)} | ${at(1, time)} | ${told.length} | ${at(0.5, size, told)} | ${at(1, size, told)} |`,
  )
}

async function startServer(): Promise<ChildProcess> {
  const server = spawn(process.execPath, [launcher, 'mcp'], {
    cwd: root,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  while (findSocket(hintFolder(process.env, root)) === null) await setTimeout(50)
  return server
}

if (!existsSync(launcher.replace('bin/yore.js', 'dist/cli.js'))) throw new Error('run `npm run build` first')
const chosen = await choosePatterns()
const hook = [launcher, 'hook', 'before-search']
console.log(
  '| | p50 ms | p95 ms | max ms | hints of 100 | median tokens | max tokens |\n|---|--:|--:|--:|--:|--:|--:|',
)
print(
  'node -e 0',
  chosen.map((pattern) => ({ ...runHook(['-e', '0'], pattern), tokens: 0 })),
)
runHook(hook, 'warm')
print(
  'hook, index alone',
  chosen.map((pattern) => runHook(hook, pattern)),
)
const server = await startServer()
runHook(hook, 'warm')
await setTimeout(6000)
print(
  'hook, MCP server answers',
  chosen.map((pattern) => runHook(hook, pattern)),
)
server.stdin?.end()
