// Which families of decision ids do the settings name?
import type { IdFamily } from './decision-ids.ts'

function trimmed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function startsWithLetter(text: string): boolean {
  const first = text.charAt(0).toLowerCase()
  return first >= 'a' && first <= 'z'
}

/** Families as written in the settings: `EIP=ERC,ERCS:EIPS/**`, aliases and paths optional; what is not written so is passed over. */
export function parseIdFamilies(written: readonly string[]): IdFamily[] {
  return written.flatMap((text): IdFamily[] => {
    const [names = '', ...rest] = text.split(':')
    const [prefix = '', others] = names.split('=').map((part) => part.trim())
    const aliases = trimmed(others ?? '')
    const paths = rest.join(':').trim()
    if (!startsWithLetter(prefix) || (others !== undefined && aliases.length === 0)) return []
    return [{ prefix, aliases, ...(paths === '' ? {} : { paths }) }]
  })
}
