// How is document text shown to an LLM as data? Every line with its number and a bar, so that no line can be the frame.

import type { ContextSection } from '../../model/conversation.ts'
import type { Excerpt } from '../../model/digest.ts'
import type { PlacedOffer } from '../../model/expansion.ts'
import { describeGap } from '../../model/format-numbers.ts'
import { largest } from '../../model/largest.ts'
import { clip, markInvisible } from '../../model/mark-invisible.ts'
import { sourceLines } from '../assemble/escape-text.ts'

/** Maximum number of offers shown with a section; a denial names more. */
const shownOffers = 6
/** Ids are shown whole or not at all: a shortened one could not be asked for. */
const longestOffer = 300

/** The lines of an excerpt with their numbers. Where its lines include the heading, the text lacks the first ones. */
export function numberLines({ lines, text }: Excerpt): { readonly number: number; readonly text: string }[] {
  const texts = sourceLines(text)
  const first = Math.max(1, lines.end - texts.length + 1)
  return texts.map((line, at) => ({ number: first + at, text: line }))
}

/** The section under its handle: a header, the marked lines, and what may be asked for from here. */
export function frameSection(handle: string, section: ContextSection): string {
  const { path, name, kind, excerpts } = section
  const places = excerpts.map(({ lines }) => `${lines.start}-${lines.end}`).join(',')
  const blocks = [`[${handle}] ${quote(path)} lines ${places}, ${quote(name)}, ${kind}`]
  excerpts.forEach((excerpt, at) => {
    const before = excerpts[at - 1]
    if (before !== undefined) blocks.push(`(${describeGap(before.lines, excerpt.lines)} omitted)`)
    const lines = numberLines(excerpt).map(({ number, text }) => `${number}| ${markInvisible(text)}`)
    blocks.push(lines.join('\n'))
  })
  if (section.truncated) blocks.push('(lines omitted here to fit the token budget)')
  blocks.push(...frameOffers(handle, section.offers))
  return blocks.join('\n')
}

function frameOffers(handle: string, offers: readonly PlacedOffer[]): string[] {
  const lines = offers
    .map(({ via, target, cost }) => {
      const request = { action: 'expand', from: handle, via, target_identifier: target }
      return `${JSON.stringify(request)} (cost ${cost})`
    })
    .filter((line) => line.length <= longestOffer)
    .slice(0, shownOffers)
  return lines.length === 0 ? [] : [`Possible requests from ${handle}:`, ...lines]
}

/** Names of documents are document text too: quoted, on one line, and not too long. */
const quote = (text: string): string => JSON.stringify(clip(text, 200))

/** As much of the section as fits; null when not even its first lines do. */
export function fitSection(section: ContextSection, fits: (section: ContextSection) => boolean) {
  if (fits(section)) return section
  const total = section.excerpts.reduce((sum, excerpt) => sum + sourceLines(excerpt.text).length, 0)
  const most = largest(total - 1, (count) => fits(keepLines(section, count)))
  return most === 0 ? null : keepLines(section, most)
}

function keepLines(section: ContextSection, count: number): ContextSection {
  const excerpts: Excerpt[] = []
  let left = count
  for (const excerpt of section.excerpts) {
    const kept = numberLines(excerpt).slice(0, left)
    const last = kept.at(-1)
    if (last === undefined) break
    left -= kept.length
    const lines = { start: excerpt.lines.start, end: last.number }
    excerpts.push({ lines, text: kept.map(({ text }) => text).join('\n') })
  }
  return { ...section, excerpts, truncated: true }
}
