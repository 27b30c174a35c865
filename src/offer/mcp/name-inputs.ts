// Which input does an agent mean by another name? Models call the same thing query, q or max_tokens; the schema lists one name.
import type { Input } from '../operations/check-input.ts'
import type { OperationSpec } from '../operations/operation.ts'

const lower = (key: string): string => key.toLowerCase().replaceAll('_', '')

/** Other names of an input that models try, in lower case and without underscores. */
const otherNames = new Map(
  Object.entries({
    question: 'query q prompt task text input search',
    query: 'question q prompt task text input search pattern',
    words: 'keywords',
    maxTokens: 'tokens tokenbudget budget',
    limit: 'maxresults numresults topk k n',
    path: 'paths file filepath filename folder directory glob include',
    place:
      'places path paths file files filepath filename location handle id uri symbol identifier function name',
    name: 'symbol identifier function query q place path file filepath handle id',
    from: 'place location handle id uri path file filepath source origin',
    via: 'relation',
    target: 'to',
    since: 'ref base commit',
    lang: 'language',
    kind: 'type',
  }).map(([input, names]) => [input, [lower(input), ...names.split(' ')]]),
)

/** The inputs under the names of the tool. An unknown name stays as it is, for the check to refuse. */
export function nameInputs(operation: OperationSpec, given: Input): Input {
  const inputs = Object.keys({ ...operation.arguments, ...operation.options })
  const named = new Map(Object.entries(given).filter(([key]) => inputs.includes(key)))
  for (const [key, value] of Object.entries(given)) {
    if (named.has(key)) continue
    const meant = inputs.find((input) => !named.has(input) && otherNames.get(input)?.includes(lower(key)))
    named.set(meant ?? key, value)
  }
  const paths = named.get('path')
  if (Array.isArray(paths)) named.set('path', paths.join(','))
  return Object.fromEntries(nameLines(named))
}

/** `{ path, start_line, end_line }` is a place, too. */
function nameLines(named: Map<string, unknown>): Map<string, unknown> {
  const keyOf = (name: string): string => [...named.keys()].find((key) => lower(key) === name) ?? ''
  const [from, to] = [keyOf('startline'), keyOf('endline')]
  const [place, start, end] = ['place', from, to].map((key) => named.get(key))
  if (typeof place !== 'string' || typeof start !== 'number') return named
  named.set('place', `${place}:${start}${typeof end === 'number' ? `-${end}` : ''}`)
  for (const key of [from, to]) named.delete(key)
  return named
}
