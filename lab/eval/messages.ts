// Does a pasted message lead to the line that says it? 300 literals of the real packages, as errors and failing tests show them.
//
// node lab/eval/messages.ts [--half A|B|all] [--package NAME] [--misses] [--json]
import { parseArgs } from 'node:util'
import { loadTokenizer } from '../../src/read/assets/load-tokenizer.ts'
import { type Figure, type Half, pickQuestions, sumUp, Tally } from './figures.ts'
import { drawMessages, type PastedMessage } from './message-set.ts'
import { halfOf } from './read-sets.ts'
import { type Place, type RealPackage, readReal } from './real-set.ts'
import { isEnough, openReal, placesOf, shareShown } from './score-real.ts'

const BUDGET = 4000

interface Answer {
  readonly message: PastedMessage
  readonly first: boolean
  readonly shown: boolean
  readonly tokens: number
  readonly leading: readonly Place[]
}

/** The messages of one package, each answered by a digest. */
async function askMessages(one: RealPackage, messages: readonly PastedMessage[]): Promise<Answer[]> {
  if (messages.length === 0) return []
  const countTokens = loadTokenizer('o200k')
  const { engine } = await openReal(one)
  const answers: Answer[] = []
  for (const message of messages) {
    const { digest, output } = await engine.assemble(message.text, { maxTokens: BUDGET, layout: 'brief' })
    const shows = (shown: readonly Place[]): boolean =>
      message.places.some((place) => isEnough(shareShown(place, shown)))
    const passages = digest.primary.map(({ path, excerpts }) =>
      excerpts.map(({ lines }) => ({ path, ...lines })),
    )
    answers.push({
      message,
      first: shows(passages[0] ?? []),
      shown: shows(placesOf(digest)),
      tokens: countTokens(output),
      leading: passages.slice(0, 3).flat(),
    })
  }
  engine.close()
  return answers
}

function figuresOf(answers: readonly Answer[]): Figure[] {
  return (['production', 'test'] as const).flatMap((kind) => {
    const tally = new Tally({ set: 'messages', mode: 'hybrid', task: `${kind}, digest 4k` })
    for (const { message, first, shown } of answers)
      if (message.kind === kind)
        tally.add(message._id, { 'first passage': Number(first), 'in the digest': Number(shown) })
    return tally.figures()
  })
}

async function askAll(half: Half, only: string | null): Promise<Answer[]> {
  // The draw takes turns over all packages, so that one package's messages are the same alone.
  const packages = readReal({ half: 'all', only: null })
  const messages = pickQuestions(drawMessages(packages), { half, sample: null })
  const answers: Answer[] = []
  for (const one of packages) {
    if (only !== null && one.name !== only) continue
    const own = messages.filter((message) => message.package === one.name)
    const started = performance.now()
    answers.push(...(await askMessages(one, own)))
    console.error(`messages ${one.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
  return answers
}

const { values: options } = parseArgs({
  options: {
    half: { type: 'string', default: 'A' },
    package: { type: 'string' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const formatPlace = ({ path, start, end }: Place): string => `${path}:${start}-${end}`
const answers = await askAll(options.half as Half, options.package ?? null)
if (options.json) console.log(JSON.stringify(answers))
else {
  if (options.misses)
    for (const { message, first, shown, leading } of answers.filter((one) => !one.first))
      console.log(
        `${message._id} ${message.kind} ${first ? '' : 'not first'}${shown ? '' : ', not shown'}: ${JSON.stringify(message.text)}\n  at ${message.places.map(formatPlace).join(', ')}\n  shown first ${leading.slice(0, 3).map(formatPlace).join(', ')}`,
      )
  for (const half of ['A', 'B'] as const) {
    const those = answers.filter(({ message }) => halfOf(message._id) === half)
    for (const figure of figuresOf(those)) {
      const { task, measure, estimate } = sumUp(figure)
      console.log(
        `${half}  ${task}  ${measure.padEnd(14)} ${estimate.mean.toFixed(3)} [${estimate.low.toFixed(3)}, ${estimate.high.toFixed(3)}] ${estimate.queries}`,
      )
    }
    if (those.length > 0)
      console.log(
        `${half}  mean tokens ${(those.reduce((sum, one) => sum + one.tokens, 0) / those.length).toFixed(0)}`,
      )
  }
}
