// Where may a text of the reader lead? To files and sections of this name or text, and to the question that it may be.
import type { CorpusEngine } from '../engine/engine.ts'
import { addressOf, documentAddress, html, type Markup } from './html.ts'

/** Files and sections of each text. */
const FOUND = 6
const isQuestion = /\?$|^(?:how|why|what|when|where|which|who|can|does|do|is|are|should)\s/i

export interface Destination {
  readonly name: string
  readonly place: string
  readonly href: string
}

export async function findDestinations(engine: CorpusEngine, text: string): Promise<readonly Destination[]> {
  if (text === '') return []
  const [{ nodes }, { hits }] = await Promise.all([
    engine.documentGraph({ text, limit: FOUND, refresh: 'never' }),
    engine.search(text, { limit: 3 * FOUND, mode: 'lexical', allSections: true, refresh: 'never' }),
  ])
  const files = nodes.map(({ path, title }) => ({ name: title, place: path, href: documentAddress(path) }))
  // A long definition is several sections: it begins at the first.
  const whole = [...Map.groupBy(hits, ({ path, name }) => `${path} ${name}`).values()].map((parts) =>
    parts.reduce((first, one) => (one.lines.start < first.lines.start ? one : first)),
  )
  const sections = whole.slice(0, FOUND).map(({ name, path, lines }) => ({
    ...{ name, place: `${path}:${lines.start}` },
    href: documentAddress(path, lines),
  }))
  const found = [...files, ...sections]
  if (!/\s/.test(text)) return found
  const href = addressOf('/ask', { q: text })
  const question = { name: `Ask “${text}”`, place: 'the passages that answer', href }
  return isQuestion.test(text) ? [question, ...found] : [...found, question]
}

export const listDestinations = (found: readonly Destination[]): Markup =>
  html`<ul class="plain">${found.map(({ name, place, href }) => html`<li><a href="${href}">${name}</a> <span class="mono soft">${place}</span></li>`)}</ul>`
