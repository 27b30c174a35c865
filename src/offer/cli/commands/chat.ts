// How does a conversation run on a terminal? `yore chat` takes questions one after the other and stores every exchange as it ends.
import { createInterface } from 'node:readline'
import type { Exchange, Session, SessionSummary, Sessions } from '../../../model/conversation.ts'
import { YoreError } from '../../../model/errors.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import type { InputOf } from '../../operations/operation.ts'
import {
  type Command,
  type CommandSpec,
  type CorpusCall,
  questionCommand,
  type TalkingEngine,
} from '../command.ts'
import {
  formatAge,
  oneLine,
  outPalette,
  type Palette,
  paletteFor,
  printable,
  printableJson,
} from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import { note, noteFreshness, out, show } from '../terminal.ts'
import { Talk, talkOptions } from './ask.ts'

const spec = {
  name: 'chat',
  summary: 'Ask an LLM several questions; later ones may refer to documents that earlier answers cited.',
  details: [
    '"that doc", "the second one" and "the hummel paper" are resolved against the earlier answers before anything is searched. Without a terminal every line of standard input is a question.',
    'Sessions are stored next to the index, on this machine only.',
  ],
  arguments: {},
  options: {
    resume: {
      type: 'text',
      value: 'session',
      help: 'Continue a stored session, by its id, or "last".',
      otherwise: 'a new session',
    },
    ...talkOptions,
  },
  examples: ['yore chat', 'yore chat --resume last'],
} as const satisfies CommandSpec

type ChatCall = CorpusCall<InputOf<typeof spec>, TalkingEngine>

const stored = { arguments: {}, options: { ...corpusOptions, json } } as const

const list: Command = questionCommand(
  {
    ...stored,
    name: 'chat list',
    summary: 'List the stored sessions, most recent first.',
    examples: ['yore chat list', 'yore chat list --json'],
  },
  async ({ input, now, use }) => {
    const sessions = (await use((engine) => engine.sessions())).list()
    show(input, sessions, () => printSessions(sessions, now, outPalette()))
    return 0
  },
)

const one = {
  ...stored,
  arguments: { session: { form: 'words', required: true, help: 'Id of the session, or "last".' } },
} as const

const showOne: Command = questionCommand(
  {
    ...one,
    name: 'chat show',
    summary: 'Print a stored session: its questions, answers and sources.',
    examples: ['yore chat show last'],
  },
  async ({ input, use }) => {
    const session = (await use((engine) => engine.sessions())).read(input.session)
    show(input, session, () => printSession(session, outPalette()))
    return 0
  },
)

const deleteOne: Command = questionCommand(
  {
    ...one,
    name: 'chat delete',
    summary: 'Delete a stored session.',
    examples: ['yore chat delete 20251129-152300-k3x9'],
  },
  async ({ input, use }) => {
    const sessions = await use((engine) => engine.sessions())
    const { id } = sessions.read(input.session)
    sessions.delete(id)
    if (input.json) out(printableJson({ deleted: id }))
    else note(`deleted ${id}`)
    return 0
  },
)

export const command: Command = {
  ...questionCommand(spec, (call) =>
    call.use(async (engine) => new Chat(call, engine, await engine.sessions()).run()),
  ),
  subcommands: [list, showOne, deleteOne],
}

const help = `  /sources   what the last answer cites
  /help      this list
  /quit      end (so does Ctrl-D); the session stays stored
  Ctrl-C stops an answer.
`

class Chat {
  readonly #call: ChatCall
  readonly #engine: TalkingEngine
  readonly #sessions: Sessions
  readonly #id: string
  readonly #history: Exchange[]
  readonly #resumed: Session | null
  readonly #interactive: boolean = process.stdin.isTTY === true
  /** Stops the answer that is being written. */
  #stop: AbortController | null = null
  #failed = false

  constructor(call: ChatCall, engine: TalkingEngine, sessions: Sessions) {
    const { resume } = call.input
    this.#call = call
    this.#engine = engine
    this.#sessions = sessions
    this.#resumed = resume === undefined ? null : sessions.read(resume)
    this.#id = this.#resumed?.id ?? newId(call.now)
    this.#history = [...(this.#resumed?.exchanges ?? [])]
  }

  /** Until /quit, the end of the input, or Ctrl-C at the prompt. */
  async run(): Promise<number> {
    const lines = createInterface({
      input: process.stdin,
      output: process.stderr,
      terminal: this.#interactive,
      prompt: this.#interactive ? `${paletteFor(process.stderr, process.env).bold('›')} ` : '',
    })
    this.#greet()
    lines.on('SIGINT', () => (this.#stop === null ? lines.close() : this.#stop.abort()))
    if (this.#interactive) lines.prompt()
    let quit = false
    for await (const line of lines) {
      quit = !(await this.#take(line.trim()))
      if (quit) break
      if (this.#interactive) lines.prompt()
    }
    if (this.#interactive && !quit) process.stderr.write('\n')
    if (this.#history.length > 0) note(`stored as ${this.#id}; go on with \`yore chat --resume ${this.#id}\``)
    return this.#failed && !this.#interactive ? 1 : 0
  }

  #greet(): void {
    const { dim } = paletteFor(process.stderr, process.env)
    if (!this.#interactive) return
    const model = this.#call.loaded.settings['llm.model']
    const last = this.#resumed?.exchanges.at(-1)
    process.stderr.write(dim(`${model || 'no model'} · session ${this.#id} · /help\n`))
    if (last !== undefined) process.stderr.write(dim(`last asked: ${printable(last.question)}\n`))
  }

  /** False to end. */
  async #take(line: string): Promise<boolean> {
    if (line === '') return true
    if (line === '/quit' || line === '/exit') return false
    if (line === '/help') process.stderr.write(help)
    else if (line === '/sources') this.#showSources()
    else if (line.startsWith('/')) process.stderr.write(`no such command: ${printable(line)}; see /help\n`)
    else await this.#ask(line)
    return true
  }

  #showSources(): void {
    const cited = this.#history.at(-1)?.cited ?? []
    if (cited.length === 0) process.stderr.write('nothing was cited yet\n')
    for (const [at, { path, title }] of cited.entries())
      process.stdout.write(printable(`${at + 1}. ${path}  ${title}\n`))
  }

  async #ask(question: string): Promise<void> {
    const { input, now } = this.#call
    const talk = new Talk({ trace: input.trace, streaming: process.stdout.isTTY === true })
    this.#stop = new AbortController()
    try {
      const { maxTokens, refresh, mode } = input
      const hooks = { ...talk.hooks(), signal: this.#stop.signal }
      const result = await this.#engine.ask(question, {
        maxTokens,
        refresh,
        mode,
        history: this.#history,
        ...hooks,
      })
      talk.show(result)
      noteFreshness(result.freshness, now)
      if (result.outcome.outcome === 'answered')
        this.#keep({
          question,
          answer: result.outcome.content,
          cited: result.cited,
          at: input.now ?? Date.now(),
        })
      else this.#failed = true
    } catch (error) {
      this.#report(error)
    } finally {
      this.#stop = null
    }
    process.stdout.write('\n')
  }

  #keep(exchange: Exchange): void {
    this.#history.push(exchange)
    this.#sessions.append(this.#id, exchange)
  }

  /** One failed question does not end a conversation; a conversation that cannot start does. */
  #report(error: unknown): void {
    if (this.#stop?.signal.aborted === true) {
      note('stopped')
      return
    }
    if (!(error instanceof YoreError) || error.code === 'NO_MODEL' || error.code === 'NO_PACKAGE') throw error
    this.#failed = true
    process.stderr.write(`error: ${printable(error.message)}\nhint: ${printable(error.hint)}\n`)
  }
}

/** `20251129-152300-k3x9`: the start time and a random suffix. */
function newId(now: number): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15)
  const own = Math.floor(Math.random() * 36 ** 4)
  return `${time}-${own.toString(36).padStart(4, '0')}`
}

const longestTitle = 60

function printSessions(sessions: readonly SessionSummary[], now: number, palette: Palette): string {
  if (sessions.length === 0) return 'no sessions yet; `yore chat` starts one\n'
  return sessions
    .map(({ id, lastAt, exchanges, title }) => {
      const facts = `${formatQuantity(exchanges, 'question')}, ${formatAge(Math.max(0, now - lastAt))}`
      return `${palette.bold(id)}  ${palette.dim(facts)}  ${shorten(title)}\n`
    })
    .join('')
}

function shorten(text: string): string {
  const line = oneLine(text).replaceAll(/\s+/g, ' ')
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line
}

function printSession({ exchanges }: Session, palette: Palette): string {
  const blocks = exchanges.map(({ question, answer, cited }) => {
    const sources = cited.map(({ path }) => `  ${palette.cyan(printable(path))}\n`).join('')
    return `${palette.bold(`› ${printable(question)}`)}\n\n${printable(answer.trimEnd())}\n${sources === '' ? '' : `\n${sources}`}`
  })
  return blocks.join('\n')
}
