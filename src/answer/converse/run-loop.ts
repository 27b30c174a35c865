// How does an LLM come to an answer? It answers or asks for one more section; the judge decides, and everything is capped.
import type {
  Answered,
  Complete,
  Completion,
  ContextSection,
  Message,
  Outcome,
  TraceStep,
  WrittenRequest,
} from '../../model/conversation.ts'
import type { ExpansionSession } from '../../model/expansion.ts'
import { cut } from '../../model/mark-invisible.ts'
import { type FinishedAnswer, finishAnswer } from './check-citations.ts'
import { countMessages, fitOpening, handleAt, type OpeningParts, reserveOf } from './fit-opening.ts'
import { fitSection, frameSection } from './frame-section.ts'
import { type Allowed, judgeRequest, type RefusedRequest } from './judge-request.ts'
import { type ModelOutput, outputSchema, readOutput } from './read-output.ts'
import { withLastCall, writeApproval, writeDenial, writeFault, writeRequest } from './write-prompt.ts'

type Spoken = Extract<ModelOutput, { kind: 'answer' }>

/** What the loop is handed. */
interface LoopParts extends OpeningParts {
  readonly complete: Complete
  /** Judges, spends and reads; started over the sections. */
  readonly session: ExpansionSession
  /** What is given when there is no answer. */
  readonly passages: string
  readonly onStep?: (step: TraceStep) => void
  readonly signal?: AbortSignal
}

/** Minimum tokens for a section: its header and a few lines. */
const smallestRoom = 150
/** Numbers and bars before the lines take a part of the room. */
const textShare = 0.6
/** Of an output that broke the protocol, so much is repeated to the LLM. */
const repeatedChars = 300

/** Runs the turns until there is an answer or a cap is reached. Ends after `turns` outputs at the latest. */
export const runLoop = (parts: LoopParts): Promise<Outcome> => new Loop(parts).run()

class Loop {
  readonly #parts: LoopParts
  readonly #shown: Map<string, ContextSection>
  readonly #messages: Message[]
  readonly #trace: TraceStep[] = []
  #refusals = 0
  #turns = 0
  #tokens = { input: 0, output: 0 }

  constructor(parts: LoopParts) {
    this.#parts = parts
    const { messages, sections } = fitOpening(parts)
    this.#messages = [...messages]
    this.#shown = sections
  }

  async run(): Promise<Outcome> {
    const { limits } = this.#parts
    for (;;) {
      const last = this.#turns + 1 >= limits.turns || this.#refusals >= limits.refusals
      const prompt = last
        ? [...this.#messages.slice(0, -1), withLastCall(this.#messages.at(-1)!)]
        : this.#messages
      if (this.#count(prompt) > limits.promptTokens) return this.#giveUp('too_long')
      const { text } = await this.#ask(prompt, last)
      const output = readOutput(text)
      if (output.kind === 'answer') return this.#answered(output)
      this.#handle(output, text, last)
      if (last) return this.#giveUp('no_answer')
    }
  }

  async #ask(prompt: readonly Message[], last: boolean): Promise<Completion> {
    const { complete, limits, session, signal } = this.#parts
    const isFull = last || this.#room() < smallestRoom
    this.#turns++
    const completion = await complete(prompt, {
      maxTokens: limits.answerTokens,
      schema: outputSchema(this.#shown, isFull ? -1 : session.left.budgetLeft),
      ...(signal === undefined ? {} : { signal }),
    })
    this.#tokens = {
      input: this.#tokens.input + (completion.inputTokens ?? this.#count(prompt)),
      output: this.#tokens.output + (completion.outputTokens ?? this.#parts.countTokens(completion.text)),
    }
    return completion
  }

  #handle(output: Exclude<ModelOutput, Spoken>, text: string, last: boolean): void {
    if (output.kind === 'fault') {
      const { fault, message } = output
      this.#refusals++
      this.#note({ step: 'malformed', fault, message, output: text.slice(0, repeatedChars) })
      this.#say(text.slice(0, repeatedChars) || '(nothing)', writeFault(fault, message))
      return
    }
    const outcome = this.#judge(output.request, last)
    if ('approval' in outcome) this.#take(output.request, outcome)
    else this.#deny(output.request, outcome)
  }

  #judge(request: WrittenRequest, last: boolean): Allowed | RefusedRequest {
    const room = this.#room()
    if (last) return { reason: 'must_answer', message: 'Nothing more can be expanded.', offers: [] }
    if (room < smallestRoom) return { reason: 'no_room', message: 'The prompt is full.', offers: [] }
    return judgeRequest(request, this.#parts.session, this.#shown, Math.floor(room * textShare))
  }

  #take(request: WrittenRequest, { approval, brought }: Allowed): void {
    const { session, countTokens } = this.#parts
    const { id, lines, text } = brought
    const handle = handleAt(this.#shown.size)
    const room = this.#room()
    const whole: ContextSection = {
      ...brought,
      artifacts: [id],
      excerpts: [{ lines, text }],
      offers: session.offers(id),
    }
    const fits = (one: ContextSection): boolean => countTokens(frameSection(handle, one)) <= room
    const section = fitSection(whole, fits) ?? { ...whole, excerpts: [], offers: [], truncated: true }
    this.#shown.set(handle, section)
    const { cost, target } = approval
    const { budgetLeft } = session.left
    this.#note({ step: 'expanded', request, target, cost, budgetLeft })
    this.#say(writeRequest(request), writeApproval(handle, section, { cost, budgetLeft }))
  }

  #deny(request: WrittenRequest, news: RefusedRequest): void {
    const { reason, message } = news
    const { budgetLeft } = this.#parts.session.left
    this.#refusals++
    this.#note({ step: 'denied', request, reason, message, budgetLeft })
    const { from, via, target } = request
    const written = { from: from && cut(from, 200), via: cut(via, 200), target: cut(target, 200) }
    this.#say(writeRequest(written), writeDenial(news, budgetLeft))
  }

  /** Tokens that another section may take. */
  #room(): number {
    const { limits } = this.#parts
    return limits.promptTokens - reserveOf(limits) - this.#count(this.#messages)
  }

  #count(messages: readonly Message[]): number {
    return countMessages(messages, this.#parts.countTokens)
  }

  #say(output: string, verdict: string): void {
    this.#messages.push({ role: 'assistant', content: output }, { role: 'user', content: verdict })
  }

  #note(step: TraceStep): void {
    this.#trace.push(step)
    this.#parts.onStep?.(step)
  }

  #ended(): Omit<Answered, keyof FinishedAnswer | 'outcome'> {
    const shown = [...this.#shown.values()].flatMap(({ path, excerpts }) =>
      excerpts.map(({ lines }) => ({ path, start: lines.start, end: lines.end })),
    )
    return {
      turns: this.#turns,
      budgetLeft: this.#parts.session.left.budgetLeft,
      tokens: this.#tokens,
      trace: this.#trace,
      shown,
    }
  }

  #answered({ content, source }: Spoken): Outcome {
    this.#note({ step: 'answered' })
    const finished = finishAnswer(content, source, [...this.#shown.values()])
    return { outcome: 'answered', ...finished, ...this.#ended() }
  }

  #giveUp(reason: 'no_answer' | 'too_long'): Outcome {
    const message =
      reason === 'too_long'
        ? `The prompt would be longer than ${this.#parts.limits.promptTokens} tokens.`
        : `The model gave no answer in ${this.#turns} turns, ${this.#refusals} of them refused.`
    return { outcome: 'gave_up', reason, message, passages: this.#parts.passages, ...this.#ended() }
  }
}
