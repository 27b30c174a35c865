// How does a report become a result? Its first line says how fresh the index is and what to do next.

import {
  describeCompared,
  describeFailed,
  describeIncomplete,
} from '../../corpus/indexing/describe-freshness.ts'
import type { Report } from '../../explore/fit-report.ts'
import { clip } from '../../model/mark-invisible.ts'
import type { Freshness } from '../../model/report.ts'
import { fitLines, type ToolResult, textResult } from './fit-result.ts'
import { limitTokens, type Serving } from './tool.ts'

/** Tokens that a report leaves for its first line. */
const headTokens = 40
/** Maximum length of an error message of the system. */
const longestTold = 240

export function freshnessLine(freshness: Freshness): string {
  const { state, changedFiles, compared } = freshness
  const told = describeFailed(freshness) ?? describeIncomplete(freshness)
  if (told !== null) return clip(`${told.charAt(0).toUpperCase()}${told.slice(1)}`, longestTold)
  if (state === 'unchecked') return 'Index not compared with the files'
  if (state === 'fresh' && compared !== undefined) return `Index fresh: ${describeCompared(compared)}`
  return state === 'stale' ? `Index stale, ${changedFiles} changed` : `Index ${state}`
}

/** `make` gets the tokens that the first lines leave. */
export async function reportResult(
  asked: { readonly maxTokens: number },
  { countTokens }: Pick<Serving, 'countTokens'>,
  report: {
    readonly next: string
    /** A second line. */
    readonly about?: string
    readonly make: (maxTokens: number) => Promise<Report<unknown>>
  },
): Promise<ToolResult> {
  const { next, about = '', make } = report
  const maxTokens = limitTokens(asked.maxTokens)
  const { output, freshness } = await make(Math.max(1, maxTokens - headTokens - countTokens(about)))
  const head = [`${freshnessLine(freshness)}. ${next}`, ...(about === '' ? [] : [about])].join('\n')
  const whole = (body: string): ToolResult => textResult(`${head}\n\n${body.trimEnd()}`)
  return fitLines(output, whole, { maxTokens, countTokens })
}
