// How does an LLM come to an answer? It answers or asks for one more section; the judge decides, and everything is capped.
import type {
  Answered,
  Complete,
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
export async function runLoop(parts: LoopParts): Promise<Outcome> {
  const { limits, session, complete, countTokens, signal } = parts
  const { messages: opening, sections: shown } = fitOpening(parts)
  const messages = [...opening]
  const trace: TraceStep[] = []
  let [refusals, turns] = [0, 0]
  let tokens = { input: 0, output: 0 }
  for (;;) {
    const isLast = turns + 1 >= limits.turns || refusals >= limits.refusals
    const prompt = isLast ? [...messages.slice(0, -1), withLastCall(messages.at(-1)!)] : messages
    if (count(prompt) > limits.promptTokens) return giveUp('too_long')
    const text = await ask(prompt, isLast)
    const output = readOutput(text)
    if (output.kind === 'answer') return answered(output)
    if (output.kind === 'fault') refuse(output, text.slice(0, repeatedChars))
    else decide(output.request, isLast)
    if (isLast) return giveUp('no_answer')
  }

  async function ask(prompt: readonly Message[], isLast: boolean): Promise<string> {
    const isFull = isLast || roomLeft() < smallestRoom
    turns++
    const { text, inputTokens, outputTokens } = await complete(prompt, {
      maxTokens: limits.answerTokens,
      schema: outputSchema(shown, isFull ? -1 : session.left.budgetLeft),
      ...(signal === undefined ? {} : { signal }),
    })
    tokens = {
      input: tokens.input + (inputTokens ?? count(prompt)),
      output: tokens.output + (outputTokens ?? countTokens(text)),
    }
    return text
  }

  function refuse({ fault, message }: Extract<ModelOutput, { kind: 'fault' }>, output: string): void {
    refusals++
    note({ step: 'malformed', fault, message, output })
    say(output || '(nothing)', writeFault(fault, message))
  }

  function decide(request: WrittenRequest, isLast: boolean): void {
    const outcome = judge(request, isLast)
    if ('approval' in outcome) take(request, outcome)
    else deny(request, outcome)
  }

  function judge(request: WrittenRequest, isLast: boolean): Allowed | RefusedRequest {
    const room = roomLeft()
    if (isLast) return { reason: 'must_answer', message: 'Nothing more can be expanded.', offers: [] }
    if (room < smallestRoom) return { reason: 'no_room', message: 'The prompt is full.', offers: [] }
    return judgeRequest(request, session, shown, Math.floor(room * textShare))
  }

  function take(request: WrittenRequest, { approval, brought }: Allowed): void {
    const { id, lines, text } = brought
    const handle = handleAt(shown.size)
    const room = roomLeft()
    const [excerpts, offers] = [[{ lines, text }], session.offers(id)]
    const whole: ContextSection = { ...brought, artifacts: [id], excerpts, offers }
    const fits = (one: ContextSection): boolean => countTokens(frameSection(handle, one)) <= room
    const section = fitSection(whole, fits) ?? { ...whole, excerpts: [], offers: [], truncated: true }
    shown.set(handle, section)
    const { cost, target } = approval
    const { budgetLeft } = session.left
    note({ step: 'expanded', request, target, cost, budgetLeft })
    say(writeRequest(request), writeApproval(handle, section, { cost, budgetLeft }))
  }

  function deny(request: WrittenRequest, news: RefusedRequest): void {
    const { reason, message } = news
    const { budgetLeft } = session.left
    refusals++
    note({ step: 'denied', request, reason, message, budgetLeft })
    const { from, via, target } = request
    const written = { from: from && cut(from, 200), via: cut(via, 200), target: cut(target, 200) }
    say(writeRequest(written), writeDenial(news, budgetLeft))
  }

  /** Tokens that another section may take. */
  function roomLeft(): number {
    return limits.promptTokens - reserveOf(limits) - count(messages)
  }

  function count(some: readonly Message[]): number {
    return countMessages(some, countTokens)
  }

  function say(output: string, verdict: string): void {
    messages.push({ role: 'assistant', content: output }, { role: 'user', content: verdict })
  }

  function note(step: TraceStep): void {
    trace.push(step)
    parts.onStep?.(step)
  }

  function ended(): Omit<Answered, keyof FinishedAnswer | 'outcome'> {
    const places = [...shown.values()].flatMap(({ path, excerpts }) =>
      excerpts.map(({ lines }) => ({ path, start: lines.start, end: lines.end })),
    )
    return { turns, budgetLeft: session.left.budgetLeft, tokens, trace, shown: places }
  }

  function answered({ content, source }: Spoken): Outcome {
    note({ step: 'answered' })
    return { outcome: 'answered', ...finishAnswer(content, source, [...shown.values()]), ...ended() }
  }

  function giveUp(reason: 'no_answer' | 'too_long'): Outcome {
    const message =
      reason === 'too_long'
        ? `The prompt would be longer than ${limits.promptTokens} tokens.`
        : `The model gave no answer in ${turns} turns, ${refusals} of them refused.`
    return { outcome: 'gave_up', reason, message, passages: parts.passages, ...ended() }
  }
}
