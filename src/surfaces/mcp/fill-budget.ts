// How does a digest with its list fill the tokens that an agent gave, and never exceed them? Each form for itself.
import type { Engine } from '../../engine/engine.ts'
import { presentIn } from '../../engine/expand-context.ts'
import { YoreError } from '../../errors.ts'
import type { Digest } from '../../model/digest.ts'
import type { ExpansionSession, PresentArtifact } from '../../model/expansion.ts'
import type { AssembleResult } from '../../model/report.ts'
import { hardCap, listMost, listShare, mostParts, type ToolResult } from './fit-result.ts'
import { assembleFacts, assembleText, type ContextFacts, makeResult, mostUseful } from './make-results.ts'

/** A digest, what it holds, and what may be expanded from it. */
export interface Draft {
  readonly answer: AssembleResult
  readonly present: readonly PresentArtifact[]
  readonly session: ExpansionSession
  readonly context: ContextFacts
  /** Nothing smaller shows a source. */
  readonly isSmallest: boolean
}

export interface FillOptions {
  readonly maxTokens: number
  readonly countTokens: (text: string) => number
  readonly engine: Engine
  /** A digest of at most so many tokens. */
  readonly assemble: (digestTokens: number) => Promise<AssembleResult>
  /** The draft of the other form: what may be expanded is the same, and found once. */
  readonly beside?: Draft
}

/** The digest for each form. Both are the same where its escapes fit too; else that of the structured form is smaller. */
export interface Filled {
  readonly text: Draft
  readonly facts: Draft
  /** Within this many tokens the whole stays below the cap of clients. */
  readonly maxTokens: number
}

/** One of the forms in which a client may show a result. */
interface Form {
  readonly render: (draft: Draft, parts?: number) => string
  readonly renderDigest: (digest: string) => string
}

const textForm: Form = {
  render: ({ answer, context }, parts) => assembleText(answer, context, parts),
  renderDigest: (digest) => digest.trimEnd(),
}

const factsForm: Form = {
  render: ({ answer, context }, parts) => JSON.stringify(assembleFacts(answer, context, parts)),
  renderDigest: (digest) => JSON.stringify(digest),
}

/** Above this share nobody gains by assembling again. */
const fullEnough = 0.94
const attempts = 4
/** As many tokens as the name of a context ever has. */
const someId = 'Z-7_Z-7_Z-7_'

/** Assembles, measures and corrects. Throws BUDGET_TOO_SMALL with the tokens that would do. */
export async function fillBudget(options: FillOptions): Promise<Filled> {
  const { maxTokens, countTokens } = options
  const reserve = Math.min(listMost, Math.floor(maxTokens * listShare))
  let text = await shrink(textForm, await makeDraft(maxTokens - reserve, options), options)
  const { size, digestTokens } = measure(textForm, text, options)
  if (size < maxTokens * fullEnough && hasMore(text)) {
    const larger = await shrink(textForm, await makeDraft(digestTokens, options), options)
    if (larger.answer.tokensUsed > text.answer.tokensUsed) text = larger
  }
  const facts = await shrink(factsForm, text, { ...options, beside: text })
  // In the whole the escapes of the text count too; a digest that both forms hold has few.
  if (facts === text) return { text, facts, maxTokens }
  const whole = countTokens(JSON.stringify(textForm.render(text))) + maxTokens + 100
  if (whole <= hardCap || text.isSmallest) return { text, facts, maxTokens }
  return fillBudget({ ...options, maxTokens: Math.floor((maxTokens * hardCap) / whole) - 50 })
}

/** The result, each form with as much of its list as fits beside its digest. */
export function fitForms(
  { text, facts, maxTokens }: Filled,
  context: ContextFacts,
  countTokens: FillOptions['countTokens'],
): ToolResult {
  const parts = (form: Form, draft: Draft, most: number): number => {
    const fits = (count: number): boolean =>
      countTokens(form.render({ ...draft, context }, count)) <= maxTokens
    return mostParts(most, fits) ?? 0
  }
  const offers = context.offers.length
  const passages = countPassages(facts.answer.digest)
  return makeResult(
    assembleText(text.answer, context, parts(textForm, text, offers)),
    assembleFacts(facts.answer, context, parts(factsForm, facts, passages + offers)),
  )
}

function countPassages({ primary, expanded }: Digest): number {
  return expanded.reduce((sum, { passages }) => sum + passages.length, primary.length)
}

/** A draft that fits into the form, as large as the one that is given or smaller. */
async function shrink(form: Form, draft: Draft, options: FillOptions): Promise<Draft> {
  for (let attempt = 1; !draft.isSmallest; attempt++) {
    const { size, digestTokens } = measure(form, draft, options)
    if (size <= options.maxTokens) break
    const next = attempt < attempts ? Math.floor(digestTokens * (1 - attempt / 50)) : 1
    draft = await makeDraft(next, options)
  }
  return draft
}

interface Measured {
  readonly size: number
  /** So large a digest would fill the form. */
  readonly digestTokens: number
}

function measure(form: Form, draft: Draft, { maxTokens, countTokens }: FillOptions): Measured {
  const { output, tokensUsed } = draft.answer
  const digest = countTokens(form.renderDigest(output))
  const bare = countTokens(form.render(draft, 0)) - digest
  const whole = countTokens(form.render(draft)) - digest
  const around = Math.min(whole, bare + Math.floor(maxTokens * listShare))
  return { size: digest + around, digestTokens: Math.floor(((maxTokens - around) * tokensUsed) / digest) }
}

/** More room would show more. */
function hasMore({ answer: { digest } }: Draft): boolean {
  return digest.dropped.some(({ reason }) => reason === 'no room') || digest.primary.some((p) => p.truncated)
}

async function makeDraft(digestTokens: number, options: FillOptions): Promise<Draft> {
  try {
    return await describe(await options.assemble(Math.max(1, digestTokens)), options)
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== 'BUDGET_TOO_SMALL') throw error
    return makeSmallest(options)
  }
}

/** The smallest digest with a source is always the same, so that the budget which is named as enough is enough. */
async function makeSmallest(options: FillOptions): Promise<Draft> {
  const { maxTokens, countTokens, assemble } = options
  const answer = await assemble(1).catch((error: unknown) => {
    if (error instanceof YoreError && error.leastTokens !== null) return assemble(error.leastTokens)
    throw error
  })
  const draft = { ...(await describe(answer, options)), isSmallest: true }
  const least = Math.max(...[textForm, factsForm].map((form) => countTokens(form.render(draft, 0))))
  if (least <= maxTokens) return draft
  throw new YoreError(
    'BUDGET_TOO_SMALL',
    `${maxTokens} tokens cannot hold the question, one source and the facts around them`,
    // The digits of a larger budget may add some.
    { leastTokens: Math.ceil((least + 4) / 10) * 10 },
  )
}

async function describe(answer: AssembleResult, { engine, beside }: FillOptions): Promise<Draft> {
  const present = presentIn(answer.digest)
  if (beside !== undefined) return { ...beside, answer, present, isSmallest: false }
  const session = await engine.startExpansion(present)
  const context = { id: someId, left: session.left, offers: mostUseful(session.offers()) }
  return { answer, present, session, context, isSmallest: false }
}
