// Which families of decision ids do the settings name?
import type { IdFamily } from './decision-ids.ts'

/** Families as written in the settings: `EIP=ERC,ERCS:EIPS/**`, aliases and paths optional. */
export function parseIdFamilies(written: readonly string[]): IdFamily[] {
  return written.flatMap((text): IdFamily[] => {
    const match = /^\s*([A-Za-z][\w-]{0,31})(?:=([\w,\s-]{1,200}))?(?::(\S{1,200}))?\s*$/.exec(text)
    if (match === null) return []
    const [, prefix, aliases, paths] = match
    const names =
      aliases === undefined
        ? []
        : aliases
            .split(',')
            .map((alias) => alias.trim())
            .filter((alias) => alias !== '')
    return [{ prefix: prefix as string, aliases: names, ...(paths === undefined ? {} : { paths }) }]
  })
}
