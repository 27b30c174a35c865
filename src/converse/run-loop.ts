// How does an LLM come to an answer? It answers or asks for one more section; the judge decides, and everything is capped.
import type {
  Answered,
  Complete,
  Completion,
  ContextSection,
  ExpansionReply,
  LoopDenial,
  Message,
  Outcome,
  TraceStep,
  WrittenRequest,
} from '../model/conversation.ts'
import type { ExpansionOffer, ExpansionRequest } from '../model/expansion.ts'
import { countMessages, fitOpening, handleAt, type OpeningParts, talkReserve } from './fit-opening.ts'
import { fitSection, frameSection } from './frame-section.ts'
import { type ModelOutput, outputSchema, readOutput } from './read-output.ts'
import {
  type DenialNews,
  withLastCall,
  writeApproval,
  writeDenial,
  writeFault,
  writeRequest,
} from './write-prompt.ts'

/** What the loop is handed. */
export interface LoopParts extends OpeningParts {
  readonly complete: Complete
  /** Judges one request and, when it is allowed, spends its cost and brings the section. */
  readonly expand: (request: ExpansionRequest) => Promise<ExpansionReply>
  /** Checks and cleans an answer, given what was shown. */
  readonly finish: (content: string, shown: readonly ContextSection[]) => FinishedAnswer
  readonly onStep?: (step: TraceStep) => void
  /** Hears an answer's raw output as it comes. */
  readonly onText?: (part: string) => void
  readonly signal?: AbortSignal
}

export type FinishedAnswer = Pick<Answered, 'content' | 'citations' | 'uncited' | 'removed'>

/** Less room than this is none: a section's header and a few lines. */
const smallestRoom = 150
/** Of an output that broke the protocol, so much is repeated to the LLM. */
const repeatedChars = 300

/** The order of the judge's checks: a denial that came later says more. */
const denialOrder: readonly LoopDenial[] = [
  'unknown_origin',
  'expansion_not_allowed',
  'via_not_allowed',
  'target_not_in_metadata',
  'target_type_not_allowed',
  'budget_exceeded',
  'depth_exceeded',
  'already_visited',
]

/** Runs the turns until there is an answer or a cap is reached. Ends after `turns` outputs at the latest. */
export function runLoop(parts: LoopParts): Promise<Outcome> {
  return new Loop(parts).run()
}

class Loop {
  readonly #parts: LoopParts
  readonly #shown: Map<string, ContextSection>
  readonly #messages: Message[]
  readonly #trace: TraceStep[] = []
  #budgetLeft: number
  #refusals = 0
  #turns = 0
  #tokens = { input: 0, output: 0 }

  constructor(parts: LoopParts) {
    this.#parts = parts
    const { messages, sections } = fitOpening(parts)
    this.#messages = [...messages]
    this.#shown = sections
    this.#budgetLeft = parts.budget
  }

  async run(): Promise<Outcome> {
    const { limits } = this.#parts
    for (;;) {
      const last = this.#turns + 1 >= limits.turns || this.#refusals >= limits.refusals
      const prompt = last
        ? [...this.#messages.slice(0, -1), withLastCall(this.#messages.at(-1)!)]
        : this.#messages
      if (this.#count(prompt) > limits.promptTokens) return this.#giveUp('too_long')
      const { text } = await this.#ask(prompt)
      const output = readOutput(text)
      if (output.kind === 'answer') return this.#answered(output.content)
      await this.#handle(output, text, last)
      if (last) return this.#giveUp('no_answer')
    }
  }

  async #ask(prompt: readonly Message[]): Promise<Completion> {
    const { complete, limits, onText, signal } = this.#parts
    this.#turns++
    const completion = await complete(prompt, {
      maxTokens: limits.answerTokens,
      schema: outputSchema,
      onRestart: (why) => this.#note({ step: 'restarted', why }),
      ...(onText === undefined ? {} : { onText }),
      ...(signal === undefined ? {} : { signal }),
    })
    this.#tokens = {
      input: this.#tokens.input + (completion.inputTokens ?? this.#count(prompt)),
      output: this.#tokens.output + (completion.outputTokens ?? this.#parts.countTokens(completion.text)),
    }
    return completion
  }

  async #handle(
    output: Exclude<ModelOutput, { kind: 'answer' }>,
    text: string,
    last: boolean,
  ): Promise<void> {
    if (output.kind === 'fault') {
      const { fault, message } = output
      this.#refusals++
      this.#note({ step: 'malformed', fault, message, output: text.slice(0, repeatedChars) })
      this.#say(text.slice(0, repeatedChars) || '(nothing)', writeFault(fault, message))
    } else if (last) {
      this.#deny(output.request, {
        reason: 'must_answer',
        message: 'Nothing more can be expanded.',
        offers: [],
      })
    } else {
      await this.#expand(output.request)
    }
  }

  async #expand(request: WrittenRequest): Promise<void> {
    const origins = this.#originsOf(request.from)
    if (origins.length === 0) {
      const message = `There is no section ${JSON.stringify(shorten(request.from ?? ''))}.`
      return this.#deny(request, { reason: 'unknown_section', message, offers: [] })
    }
    if (this.#room() < smallestRoom) {
      const message = 'The prompt is full.'
      return this.#deny(request, { reason: 'no_room', message, offers: [] })
    }
    const denials: { reply: Exclude<ExpansionReply, { allowed: true }>; from: string }[] = []
    for (const { handle, artifact } of origins) {
      const reply = await this.#parts.expand({ from: artifact, via: request.via, target: request.target })
      this.#budgetLeft = reply.budgetLeft
      if (reply.allowed) return this.#take(request, reply)
      denials.push({ reply, from: handle })
    }
    const rank = (reason: LoopDenial): number => denialOrder.indexOf(reason)
    const { reply } = denials.reduce((best, one) =>
      rank(one.reply.reason) > rank(best.reply.reason) ? one : best,
    )
    const offers = denials.flatMap(({ reply, from }) =>
      reply.wouldBeAllowed.map((offer) => ({ ...offer, from })),
    )
    this.#deny(request, { reason: reply.reason, message: reply.message, offers: withoutRepeats(offers) })
  }

  /** The artifacts that a request may start from: those of the section it names, or all in their order. */
  #originsOf(from: string | null): { handle: string; artifact: string }[] {
    const all = [...this.#shown].flatMap(([handle, { artifacts }]) =>
      artifacts.map((artifact) => ({ handle, artifact })),
    )
    if (from === null) return all
    const byHandle = all.filter(({ handle }) => handle === from)
    return byHandle.length > 0 ? byHandle : all.filter(({ artifact }) => artifact === from)
  }

  #take(request: WrittenRequest, reply: Extract<ExpansionReply, { allowed: true }>): void {
    const { cost, budgetLeft } = reply
    const handle = handleAt(this.#shown.size)
    const room = this.#room()
    const fits = (one: ContextSection): boolean => this.#parts.countTokens(frameSection(handle, one)) <= room
    const section = fitSection(reply.section, fits) ?? { ...reply.section, excerpts: [], truncated: true }
    this.#shown.set(handle, section)
    this.#note({ step: 'expanded', request, target: reply.request.target, cost, budgetLeft })
    this.#say(writeRequest(request), writeApproval({ handle, section, cost, budgetLeft }))
  }

  #deny(request: WrittenRequest, news: Omit<DenialNews, 'budgetLeft'>): void {
    const { reason, message } = news
    const budgetLeft = this.#budgetLeft
    this.#refusals++
    this.#note({ step: 'denied', request, reason, message, budgetLeft })
    const { from, via, target } = request
    const written = { from: from && shorten(from), via: shorten(via), target: shorten(target) }
    this.#say(writeRequest(written), writeDenial({ ...news, budgetLeft }))
  }

  /** Tokens that another section may take. */
  #room(): number {
    return this.#parts.limits.promptTokens - talkReserve - this.#count(this.#messages)
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
      budgetLeft: this.#budgetLeft,
      tokens: this.#tokens,
      trace: this.#trace,
      shown,
    }
  }

  #answered(content: string): Outcome {
    this.#note({ step: 'answered' })
    const finished = this.#parts.finish(content, [...this.#shown.values()])
    return { outcome: 'answered', ...finished, ...this.#ended() }
  }

  #giveUp(reason: 'no_answer' | 'too_long'): Outcome {
    const message =
      reason === 'too_long'
        ? `The prompt would be longer than ${this.#parts.limits.promptTokens} tokens.`
        : `The model gave no answer in ${this.#turns} turns, ${this.#refusals} of them refused.`
    return { outcome: 'gave_up', reason, message, ...this.#ended() }
  }
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197)}...` : text
}

function withoutRepeats(
  offers: readonly (ExpansionOffer & { readonly from: string })[],
): (ExpansionOffer & { readonly from: string })[] {
  const seen = new Set<string>()
  return offers.filter(({ via, target }) => {
    const key = JSON.stringify([via, target])
    return seen.has(key) ? false : seen.add(key)
  })
}
