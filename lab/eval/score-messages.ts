// How often does a digest show the line of a pasted message? In the first passage, and anywhere within its tokens.
import { loadTokenizer } from '../../src/read/assets/load-tokenizer.ts'
import { type Figure, type Half, pickQuestions, Tally } from './figures.ts'
import { drawMessages, type PastedMessage } from './message-set.ts'
import { type Place, type RealPackage, readReal } from './real-set.ts'
import { isEnough, openReal, placesOf, shareShown, smallPackage } from './score-real.ts'

const BUDGET = 4000

export interface MessageAnswer {
  readonly message: PastedMessage
  readonly first: boolean
  readonly shown: boolean
  readonly tokens: number
  readonly leading: readonly Place[]
}

/** The messages of one package, each answered by a digest. */
async function askMessages(one: RealPackage, messages: readonly PastedMessage[]): Promise<MessageAnswer[]> {
  if (messages.length === 0) return []
  const countTokens = loadTokenizer()
  const { engine } = await openReal(one)
  const answers: MessageAnswer[] = []
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

/** Both measures, for each kind of message. */
export function messageFigures(answers: readonly MessageAnswer[]): Figure[] {
  return (['production', 'test'] as const).flatMap((kind) => {
    const tally = new Tally({ set: 'messages', mode: 'hybrid', task: `${kind}, digest 4k` })
    for (const { message, first, shown } of answers)
      if (message.kind === kind)
        tally.add(message._id, { 'first passage': Number(first), 'in the digest': Number(shown) })
    return tally.figures()
  })
}

/** The messages of the half, of one package or of all; a sample is fixed by hash. */
export async function askPackages(
  packages: readonly RealPackage[],
  { half, sample, only }: { half: Half; sample: number | null; only: string | null },
): Promise<MessageAnswer[]> {
  const messages = pickQuestions(drawMessages(packages), { half, sample })
  const answers: MessageAnswer[] = []
  for (const one of packages) {
    if (only !== null && one.name !== only) continue
    const started = performance.now()
    answers.push(
      ...(await askMessages(
        one,
        messages.filter((message) => message.package === one.name),
      )),
    )
    console.error(`messages ${one.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
  return answers
}

/** Messages of the small run. */
const SMALL = 40

/** The rows of the suite's table: all messages of the half, or a sample of those of one package. */
export async function scoreMessages(choice: { half: Half; small: boolean }): Promise<Figure[]> {
  const { half, small } = choice
  const packages = readReal({ half: 'all', only: small ? smallPackage : null })
  return messageFigures(await askPackages(packages, { half, sample: small ? SMALL : null, only: null }))
}
