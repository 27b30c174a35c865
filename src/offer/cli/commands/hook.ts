// What does a hook of a coding agent print? `yore hook`: what is indexed when a session starts, and what is known about the pattern of a search.
//
// A hook is quick, never stops the agent, and is silent where there is nothing to say or anything is wrong.
import path from 'node:path'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { type Command, plainCommand } from '../command.ts'
import { answerSearchHook, readHookCall } from '../search-hook.ts'
import { out } from '../terminal.ts'

export const command: Command = plainCommand(
  {
    name: 'hook',
    summary: 'Answer a hook of a coding agent, as `yore setup` configures it; prints nothing on errors.',
    details: [
      'It reads JSON of the agent from standard input. `session-start` prints what is indexed; `before-search` prints what the index knows about the pattern of a search, in at most 200 tokens. It stays silent after 600 ms (YORE_HOOK_MILLISECONDS), and never blocks the agent.',
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
    if (event === 'before-search') return answerSearchHook()
    try {
      const read = readHookCall()
      if (read !== null) await describeCorpus(read.root)
    } catch {
      // A failing hook must not stop the agent.
    }
    return 0
  },
)

async function describeCorpus(root: string): Promise<void> {
  const { openEngine } = await import('../../engine/open-engine.ts')
  using engine = openEngine(root)
  const { files, sections, freshness, indexPath } = await engine.status({ refresh: 'never' })
  const held = `${formatQuantity(files, 'file')}, ${formatQuantity(sections, 'section')}`
  let state = `yore has indexed this repository, documents and code: ${held}.`
  if (freshness.state === 'incomplete') {
    const { resumeIndexing } = await import('../../engine/start-indexing.ts')
    const place = { root, indexDir: path.dirname(indexPath), env: process.env }
    const failure = resumeIndexing(place, Date.now())
    state =
      failure === null
        ? 'yore is indexing this repository, documents and code; its answers say what they are from.'
        : `yore could not index this repository (${failure}): run \`yore index\`.`
  }
  const lines = [
    state,
    "For a question about it, call yore's tool `assemble_context` with the question, and the `words` that you expect in the answer, before searching by hand: one digest with `path:lines` for every passage. `uses` finds callers, `read` gives exact lines.",
    'Not for a file that you know and need whole, nor for text that you have just written.',
    '',
  ]
  out(lines.join('\n'))
}
