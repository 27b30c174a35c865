// What does a hook of a coding agent print? `yore hook`: what is indexed when a session starts, and one hint before a broad search.
//
// A hook is quick, never stops the agent, and is silent where there is nothing to say or anything is wrong.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findCorpus } from '../../../model/config/find-root.ts'
import { stateFolder } from '../../../model/config/state-folder.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { type Command, plainCommand } from '../command.ts'
import { out } from '../terminal.ts'

/** The fields of the agent's JSON on standard input that are read. */
interface HookCall {
  readonly cwd?: unknown
  readonly session_id?: unknown
  readonly tool_name?: unknown
  readonly tool_input?: { readonly pattern?: unknown; readonly path?: unknown; readonly command?: unknown }
}

export const command: Command = plainCommand(
  {
    name: 'hook',
    summary: 'Answer a hook of a coding agent, as `yore setup` configures it; prints nothing on errors.',
    details: [
      'It reads JSON of the agent from standard input. `session-start` prints what is indexed and when to ask; `before-search` prints a hint once per session, before a search over the whole repository for more than one name. It never blocks the agent.',
    ],
    arguments: {
      event: {
        form: 'choice',
        required: true,
        choices: ['session-start', 'before-search'],
        help: 'The event.',
      },
    },
    options: {},
    examples: ['echo \'{"cwd":"/path/to/the/repository"}\' | yore hook session-start'],
  },
  async ({ event }) => {
    try {
      const call = JSON.parse(readFileSync(0, 'utf8')) as HookCall
      const cwd = typeof call.cwd === 'string' && path.isAbsolute(call.cwd) ? call.cwd : process.cwd()
      const { root, indexDir } = findCorpus({ cwd })
      if (existsSync(path.join(indexDir, 'index.db')))
        out(event === 'session-start' ? await describeCorpus(root) : adviseOnce(call, root))
    } catch {
      // A failing hook must not stop the agent.
    }
    return 0
  },
)

async function describeCorpus(root: string): Promise<string> {
  const { openEngine } = await import('../../engine/open-engine.ts')
  using engine = openEngine(root)
  const { files, sections } = await engine.status({ refresh: 'never' })
  return [
    `yore has indexed this repository, documents and code: ${formatQuantity(files, 'file')}, ${formatQuantity(sections, 'section')}.`,
    "For a question about it, call yore's tool `assemble_context` with the question, and the `words` that you expect in the answer, before searching by hand: one digest with `path:lines` for every passage. `uses` finds callers, `read` gives exact lines.",
    'Not for a file that you know and need whole, nor for text that you have just written.',
    '',
  ].join('\n')
}

const advice =
  'yore has this repository indexed: for a search as broad as this, its tool `assemble_context` (the question, and `words` that you expect in the answer) or `search` gives the passages that matter, ranked, with `path:lines`. This hint appears once per session.'

/** The output before a search; empty for a narrow search, or if the session already had the hint. */
function adviseOnce(call: HookCall, root: string): string {
  if (!isBroadSearch(call, root) || !isFirstTime(call.session_id)) return ''
  const hookSpecificOutput = { hookEventName: 'PreToolUse', additionalContext: advice }
  return `${JSON.stringify({ hookSpecificOutput })}\n`
}

/** A recursive search; the second group is its quoted pattern. */
const recursiveGrep = /(?:^|[|;&]\s*)(?:rg|(?:git\s+)?grep\s+(?:-\S+\s+)*-\w*[rR]\w*)\s[^'"]*(['"])([^'"]+)\1/
/** Several words or alternatives; a search for a known name has one. */
const severalWords = /(?<![A-Za-z])[A-Za-z]{3,}(?:\s+|\.\*|\\?\|)[A-Za-z]{2,}/

/** True for a search over the whole repository for more than one name. */
function isBroadSearch({ tool_name, tool_input = {} }: HookCall, root: string): boolean {
  const { pattern, path: within, command } = tool_input
  if (tool_name === 'Bash') {
    const quoted = typeof command === 'string' ? recursiveGrep.exec(command.slice(0, MOST_READ))?.[2] : null
    return quoted != null && severalWords.test(quoted)
  }
  if (tool_name !== 'Grep' || typeof pattern !== 'string') return false
  const isWhole = within === undefined || (typeof within === 'string' && path.resolve(root, within) === root)
  return isWhole && severalWords.test(pattern.slice(0, MOST_READ))
}

/** Characters of a command or a pattern that are read. */
const MOST_READ = 1_000

/** True once per session, by a mark in the user's state folder. */
function isFirstTime(session: unknown): boolean {
  const folder = stateFolder(process.env)
  if (folder === null || typeof session !== 'string') return false
  const mark = createHash('sha256').update(session).digest('hex').slice(0, 32)
  const file = path.join(folder, 'advised', mark)
  if (existsSync(file)) return false
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, '')
  return true
}
