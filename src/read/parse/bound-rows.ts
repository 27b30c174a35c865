// How much of the index may one file take? Its rows are limited by its size, whatever it contains (T36).
import type { ParsedDocument } from '../../model/artifact.ts'
import type { Mention } from '../../model/reference.ts'
import type { Heading } from './name-sections.ts'
import { cutText } from './slug.ts'

/** Longer names and titles are cut: every section below repeats them. */
export const maxNameChars = 200
/** A longer target names no document, and each use of a link definition would repeat it. */
const maxTargetChars = 2_000

/** Measured bytes of a section's rows without its names: artifact, fragment, relation, postings, vector. */
const sectionBytes = 700
/** Measured bytes of a resolved mention's row without its words: the target's path, twice, section and anchor. */
const mentionBytes = 300
/**
 * Limit in bytes per character of a file for sections and for mentions, so that an index stays below 20 times its
 * source. Of 14,695 real files (curl, git, hugo and others) one exceeds it: a man page that lists 1,200 symbols.
 */
const sectionShare = 11
const mentionShare = 8
/** Allowance for every file: short files may consist of links. */
const freeBytes = 64 * 1024
/** The same for headings and definitions: each of about a thousand short ones is a section. */
const freeSectionBytes = 768 * 1024

/** How often a name repeats below it: twice in ids, and in heading paths with their postings. */
const nameBytes = (name: string): number =>
  2 * Math.min(name.length, 120) + 3 * Math.min(name.length, maxNameChars)

interface Place extends Heading {
  readonly line: number
}

/**
 * The headings that become sections: all, unless their rows exceed the limit. Then a heading becomes a section
 * if the text since the last one allows it; the others stay in the text of the section before.
 */
export function boundHeads<Head extends Place>(
  heads: readonly Head[],
  file: {
    readonly path: string
    readonly title: string
    readonly starts: ArrayLike<number>
    readonly chars: number
  },
): readonly Head[] {
  const cut = heads.map((head) =>
    head.name.length > maxNameChars ? { ...head, name: cutText(head.name, maxNameChars) } : head,
  )
  const perSection = sectionBytes + 4 * file.path.length + 2 * Math.min(file.title.length, maxNameChars)
  const open: { level: number; bytes: number }[] = []
  const costOf = ({ level, name }: Head): number => {
    while (open.length > 0 && open[open.length - 1]!.level >= level) open.pop()
    const bytes = (open.at(-1)?.bytes ?? 0) + nameBytes(name)
    open.push({ level, bytes })
    return perSection + bytes
  }
  let total = 0
  for (const head of cut) total += costOf(head)
  if (total <= freeSectionBytes + sectionShare * file.chars) return cut
  open.length = 0
  let credit = freeSectionBytes
  let from = 0
  return cut.filter((head) => {
    const at = file.starts[head.line] ?? file.chars
    credit += sectionShare * (at - from)
    from = at
    const cost = costOf(head)
    const isPaid = cost <= credit
    if (isPaid) credit -= cost
    else open.pop()
    return isPaid
  })
}

/** The warning of a document whose headings did not all become sections. */
export function warnOfMerged(
  written: readonly unknown[],
  kept: readonly unknown[],
): Pick<ParsedDocument, 'warning'> {
  const merged = written.length - kept.length
  return merged === 0 ? {} : { warning: `${merged} headings over the limit of a file are not sections` }
}

/** Throws when the number of sections exceeds the limit of a file, before any is built. */
export function checkSections(count: number, chars: number): void {
  if (count * sectionBytes > freeSectionBytes + sectionShare * chars)
    throw new RangeError(`${count} sections in ${chars} characters`)
}

/** Do the rows of a parsed code file exceed its limit? Then it is not code that a person wrote. */
export function isOversized({ artifacts, outline }: ParsedDocument, chars: number): boolean {
  let bytes = lengthOf(outline)
  for (const { id, headings, metadata } of artifacts)
    bytes += sectionBytes + 2 * id.length + 2 * lengthOf(headings) + lengthOf(metadata)
  return bytes > freeSectionBytes + sectionShare * chars
}

/** Approximate size of the value as JSON. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 4
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + lengthOf(item), 2)
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + 4 + lengthOf(item), 2)
}

/**
 * The mentions to keep: all, unless their rows exceed the limit. Then the first mention of each target in a section
 * comes first, and others follow as the limit allows.
 */
export function boundMentions(mentions: readonly Mention[], chars: number): readonly Mention[] {
  const cut = mentions.some(({ target }) => target.length > maxTargetChars)
    ? mentions.map((mention) => ({ ...mention, target: cutText(mention.target, maxTargetChars) }))
    : mentions
  const costOf = ({ text, target }: Mention): number => mentionBytes + text.length + target.length
  const room = freeBytes + mentionShare * chars
  if (cut.reduce((sum, mention) => sum + costOf(mention), 0) <= room) return cut
  const kept = new Set<Mention>()
  let left = room
  const keep = (mention: Mention): void => {
    left -= costOf(mention)
    if (left >= 0) kept.add(mention)
  }
  const seen = new Set<string>()
  const again = cut.filter((mention) => {
    const key = `${mention.form}\0${mention.target}\0${mention.origin}`
    if (seen.has(key)) return true
    seen.add(key)
    keep(mention)
    return false
  })
  again.forEach(keep)
  return cut.filter((mention) => kept.has(mention))
}
