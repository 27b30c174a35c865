// Where may a text of the reader lead? To files and sections of this name or text, and to the question that it may be.
import type { FileKind } from '../../model/file-kind.ts'
import type { CorpusEngine, FoundName } from '../engine/engine.ts'
import { addressOf, documentAddress, html, type Markup } from './html.ts'

/** Files and sections of each text. */
const FOUND = 6
const isQuestion = /\?$|^(?:how|why|what|when|where|which|who|can|does|do|is|are|should)\s/i

export interface Destination {
  readonly name: string
  readonly place: string
  readonly href: string
}

/** Names before what is about them, and tests after both unless they are asked for. */
export async function findDestinations(engine: CorpusEngine, text: string): Promise<readonly Destination[]> {
  const wanted = text.replace(/\(\)?$/, '')
  if (wanted === '') return []
  const [{ nodes }, names, { hits }] = await Promise.all([
    engine.documentGraph({ text: wanted, limit: FOUND, refresh: 'never' }),
    engine.findNames(wanted, 3 * FOUND),
    engine.search(text, { limit: 3 * FOUND, mode: 'lexical', allSections: true, refresh: 'never' }),
  ])
  const isLast = (kind: FileKind): boolean => kind === 'tests' && !/test|spec|fixture/i.test(text)
  const same = wanted.toLowerCase()
  const rankOf = (name: string, otherwise: number): number =>
    name.replace(/^.*(?:\.| › )/, '').toLowerCase() === same ? 0 : otherwise
  const files = nodes.map(({ path, title, kind }) => ({
    ...{ name: title, place: path, href: documentAddress(path), rank: isLast(kind) ? 4 : 1 },
  }))
  // A long definition, and one with overloads, is several sections: it begins at the first.
  const whole = <T extends Pick<FoundName, 'name' | 'path' | 'lines'>>(all: readonly T[]): T[] =>
    [...Map.groupBy(all, ({ path, name }) => `${path} ${name}`).values()].map((parts) =>
      parts.reduce((first, one) => (one.lines.start < first.lines.start ? one : first)),
    )
  const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank
  const named = whole(names).map((one) => ({ ...one, rank: rankOf(one.name, isLast(one.kind) ? 4 : 2) }))
  const about = whole(hits).map((one) => ({ ...one, rank: rankOf(one.name, 3) }))
  const sections = [...named.slice(0, FOUND), ...about.sort(byRank).slice(0, FOUND)].map((one) => {
    const { name, path, lines, rank } = one
    return { name, place: `${path}:${lines.start}`, href: documentAddress(path, lines), rank }
  })
  const once = sections.filter(({ place }, at) => sections.findIndex((one) => one.place === place) === at)
  const found = [...files, ...once].sort(byRank).slice(0, 2 * FOUND)
  if (!/\s/.test(text)) return found
  const href = addressOf('/ask', { q: text })
  const question = { name: `Ask “${text}”`, place: 'the passages that answer', href }
  return isQuestion.test(text) ? [question, ...found] : [...found, question]
}

export const listDestinations = (found: readonly Destination[]): Markup =>
  html`<ul class="plain">${found.map(({ name, place, href }) => html`<li><a href="${href}">${name}</a> <span class="mono soft">${place}</span></li>`)}</ul>`
