// How sure is a reply, and what became of the caller's words? One sentence each, the same on every surface.
import type { CallerWordsUse, Confidence, Query } from './digest.ts'
import { formatQuantity } from './format-numbers.ts'

/** The verdict in one sentence: `Confidence low: no section has “LDAP”.` */
export const describeConfidence = ({ label, why }: Confidence): string => `Confidence ${label}: ${why}.`

/** What a digest may take: `2,500 tokens, the most for medium confidence`, or its whole budget. */
export function describeLimit({ maxTokens, tokenLimit }: Query, { label }: Confidence): string {
  const tokens = formatQuantity(tokenLimit, 'token')
  return tokenLimit < maxTokens ? `${tokens}, the most for ${label} confidence` : tokens
}

/** One short line: `Words: used timeout, abort; not found ferry; set aside zebra.` */
export function describeWords({ used, notFound, setAside }: CallerWordsUse): string {
  const lists = { used, 'not found': notFound, 'set aside': setAside }
  const parts = Object.entries(lists).filter(([, words]) => words.length > 0)
  return `Words: ${parts.map(([name, words]) => `${name} ${words.join(', ')}`).join('; ')}.`
}
