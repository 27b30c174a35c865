// What may follow from a section, and what does it bring? `yore expand` asks the judge as an agent does; a denial is an answer.
import type { ExpandResult } from '../../../explore/request-expansion.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { noteFreshness, show } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    ...operations.expand,
    details: [
      'Without --via and --target it lists what is allowed; with one of them, the matching part of that list. On the command line each call has the full budget; an agent has one budget per question.',
      'Name a section by its canonical id or as path#anchor, a document by its path, lines as path:12-40, and code by a unique name such as Task.cancel.',
    ],
    options: { ...operations.expand.options, refresh, ...corpusOptions, json },
    examples: [
      'yore expand docs/guide.md#retries',
      'yore expand docs/guide.md#retries --via cites --target ADR-013',
    ],
  },
  async ({ input, now, useAt }) => {
    const { renderRequests } = await import('../../../explore/render-results.ts')
    const result = await useAt(input.from, (engine, from) => engine.expand({ ...input, from }))
    show(input, result, () => printExpand(result, input, renderRequests))
    noteFreshness(result.freshness, now)
    return 0
  },
)

function printExpand(
  { output, outcome, offers, left }: ExpandResult,
  { via, target }: { readonly via?: string; readonly target?: string },
  renderRequests: (about: string, offers: ExpandResult['offers']) => string,
): string {
  const title = outcome === null || outcome.allowed ? 'Can be followed' : 'Possible instead'
  const isFiltered = outcome === null && (via !== undefined || target !== undefined)
  const nothing = isFiltered
    ? 'No such reference can be followed; without --via and --target all are listed.'
    : 'No more references can be followed.'
  const allowed = offers.length === 0 ? nothing : renderRequests(`${title}:`, offers)
  const { budgetLeft, maxDepth } = left
  const budget = `The budget of one question allows ${budgetLeft} more, at most ${formatQuantity(maxDepth, 'reference')} away from it.`
  return `${[...(output === '' ? [] : [output]), allowed, budget].join('\n\n')}\n`
}
