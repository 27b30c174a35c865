// Does a pasted message lead to the line that says it? 300 literals of the real packages, as errors and failing tests show them.
//
// node lab/eval/messages.ts [--half A|B|all] [--package NAME] [--misses] [--json]
import { parseArgs } from 'node:util'
import { type Half, sumUp } from './figures.ts'
import { halfOf } from './read-sets.ts'
import { type Place, readReal } from './real-set.ts'
import { askPackages, messageFigures } from './score-messages.ts'

const { values: options } = parseArgs({
  options: {
    half: { type: 'string', default: 'A' },
    package: { type: 'string' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const formatPlace = ({ path, start, end }: Place): string => `${path}:${start}-${end}`
// The draw takes turns over all packages: the messages of one package are the same when it is asked alone.
const answers = await askPackages(readReal({ half: 'all', only: null }), {
  half: options.half as Half,
  sample: null,
  only: options.package ?? null,
})
if (options.json) console.log(JSON.stringify(answers))
else {
  if (options.misses)
    for (const { message, first, shown, leading } of answers.filter((one) => !one.first))
      console.log(
        `${message._id} ${message.kind} ${first ? '' : 'not first'}${shown ? '' : ', not shown'}: ${JSON.stringify(message.text)}\n  at ${message.places.map(formatPlace).join(', ')}\n  shown first ${leading.slice(0, 3).map(formatPlace).join(', ')}`,
      )
  for (const half of ['A', 'B'] as const) {
    const those = answers.filter(({ message }) => halfOf(message._id) === half)
    for (const figure of messageFigures(those)) {
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
