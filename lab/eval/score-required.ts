// What is following references worth? Documents that authors declare as required, in the digest with and without them.
import { type Ask, documentsOf, type Figure, formatTokens, pickQuestions, Tally } from './figures.ts'
import { type JudgedQuestion, readJudged } from './score-ranking.ts'

export interface RequiredQuestion extends JudgedQuestion {
  /** Required beside the document that the question is about. */
  readonly required: readonly string[]
  readonly own: readonly string[]
}

export function readRequired(): RequiredQuestion[] {
  const own = new Map(readJudged('eips').map(({ _id, grades }) => [_id, [...grades.keys()]]))
  return readJudged('eips', 'context.tsv').flatMap((question) => {
    const self = own.get(question._id) ?? []
    const required = [...question.grades.keys()].filter((path) => !self.includes(path))
    return required.length === 0 ? [] : [{ ...question, required, own: self }]
  })
}

const shareIn = (wanted: readonly string[], have: ReadonlySet<string>): number =>
  wanted.filter((path) => have.has(path)).length / Math.max(1, wanted.length)

export async function scoreRequired(
  { corpus, mode, ...ask }: Ask,
  options: { readonly maxTokens: number; readonly depths: readonly number[] },
): Promise<Figure[]> {
  const questions = pickQuestions(readRequired(), ask)
  const { maxTokens } = options
  const figures: Figure[] = []
  for (const depth of options.depths) {
    const task = `digest ${formatTokens(maxTokens)}, depth ${depth}`
    const tally = new Tally({ set: corpus.name, mode, task })
    for (const { _id, text, required, own } of questions) {
      const { digest } = await corpus.engine.assemble(text, { maxTokens, depth, mode, layout: 'full' })
      const have = new Set(documentsOf(digest))
      tally.add(_id, { 'required documents': shareIn(required, have), 'own document': shareIn(own, have) })
    }
    figures.push(...tally.figures())
  }
  return figures
}
