// What does a section say first, and in which words beside its name? The stuff that proposed questions are made of.
import { analyzeQuery } from '../retrieve/analyze-query.ts'

const LEAST_CHARACTERS = 25
const MOST_CHARACTERS = 400
/** Lines before the string that documents a piece of code: its decorators and its head. */
const HEAD_LINES = 6

/** A paragraph starts with a word; lists, tables, fences, quotes, tags and directives do not. */
const startsParagraph = /^(?:[`*_"'(]{0,3}\p{L}|\[\p{L})/u
const fence = /^\s{0,8}(?:```|~~~)/
const comment = /^\s{0,40}(?:\/\/[/!]?|\/\*\*?|\*(?!\/)|#(?![!a-z])|--)\s{0,4}(.{0,300})/
const docstring = /(?:"""|''')\s{0,4}(.{1,300})/
/** Tags of documentation, and lines that are for programs. */
const noWords = /^@|^(?:eslint|biome|tslint|prettier|noqa|type:|pylint|copyright|spdx|license|todo|fixme)/i

/** The first sentence of prose, without markup; null when a section opens with something else. */
export function openingOfProse(body: string): string | null {
  let fenced = false
  const paragraph: string[] = []
  for (const line of body.split('\n')) {
    if (fence.test(line)) fenced = !fenced
    else if (fenced) continue
    else if (line.trim() === '' && paragraph.length > 0) break
    else if (paragraph.length > 0 || startsParagraph.test(line.trim())) paragraph.push(line.trim())
  }
  return firstSentence(paragraph.join(' '))
}

/** The first sentence of the comment above a piece of code, or of the string that documents it. */
export function openingOfCode(text: string): string | null {
  const words: string[] = []
  const lines = text.split('\n', 40)
  for (const [at, line] of lines.entries()) {
    const above =
      words.length > 0 || at === 0 || lines[0]?.trim() === '/**' ? comment.exec(line)?.[1] : undefined
    const found = above ?? (words.length === 0 ? docstring.exec(line)?.[1] : undefined)
    const said = found?.replace(/\s{0,9}(?:\*\/|"""|''').{0,300}$/, '').trim()
    if (said === undefined) {
      if (words.length > 0 || at >= HEAD_LINES) break
      continue
    }
    if (noWords.test(said)) break
    if (said === '' && words.length > 0) break
    if (said !== '') words.push(said)
  }
  return firstSentence(words.join(' '))
}

function firstSentence(text: string): string | null {
  const plain = text
    .slice(0, 2000)
    .replaceAll(/!?\[([^[\]]{0,200})\](?:\([^()]{0,300}\)|\[[^[\]]{0,100}\])?/g, '$1')
    .replaceAll(/<[^<>]{0,200}>|[*_`]{1,3}/g, '')
  const end = /[.!?:;](?=\s|$)/.exec(plain)
  const sentence = plain.slice(0, end === null ? undefined : end.index).trim()
  const fits = sentence.length >= LEAST_CHARACTERS && sentence.length <= MOST_CHARACTERS
  // Prose has words that say nothing; lists of names have none.
  return fits && analyzeQuery(sentence).ignored.length > 0 ? sentence : null
}

/** Marks around a word; `.` and `/` inside belong to it. */
const edges = /^[^\p{L}\p{N}@/.-]{1,9}|[^\p{L}\p{N}]{1,9}$/gu

export interface WordOptions {
  readonly limit: number
  /** Terms that give the place away by themselves; their words are left out. */
  readonly isTelling?: (term: string) => boolean
}

/** The words of a text that carry meaning and that none of the names has, in their order. */
export function wordsBeside(
  text: string,
  names: readonly string[],
  { limit, isTelling = () => false }: WordOptions,
): readonly string[] {
  const known = new Set(names.flatMap((name) => termsOf(name).map(({ term }) => term)))
  const terms = termsOf(text)
  const named = new Set(
    terms.filter(({ term }) => known.has(term) || isTelling(term)).map(({ word }) => word),
  )
  const words = terms.filter(({ word }) => !named.has(word)).map(({ word }) => word.replace(edges, ''))
  return [...new Set(words)].filter((word) => word !== '').slice(0, limit)
}

function termsOf(text: string): readonly { readonly term: string; readonly word: string }[] {
  return analyzeQuery(text, { pairWeight: 0 }).terms
}
