// What of a passage does a person see first? The lines with the most words of the question, which are marked, without the markup of site generators.
import { findSignature } from '../answer/assemble/find-signature.ts'
import type { Lines } from '../model/artifact.ts'
import type { DigestDocument, Passage } from '../model/digest.ts'
import { configExtensions, endsWith } from '../model/file-extensions.ts'
import { isCodeKind } from '../read/parse/artifact-kinds.ts'

const word = /[\p{L}\p{N}]+/gu

/** Endings of a word after its stem: `probe` as `probes`, `work` as `working`, but not as `workload`. */
const ending =
  /^[a-z]?(?:s|d|e|ed|er|ers|es|ing|ings|ion|ions|ation|al|ly|able|ible|ment|ness|ity|ive|y|ies|ied|i[sz](?:e[ds]?|ers?|ing|ations?))?$/

/** Finds the stem of the question that a word is a form of; its terms are stems. */
function makeFindStem(terms: readonly string[]): (word: string) => string | undefined {
  const stems = terms.filter((term) => term.length > 1).map((term) => term.replace(/(?<=..)i$/, ''))
  return (word) => {
    const lower = word.toLowerCase()
    return stems.find((stem) => {
      const rest = lower.slice(stem.length)
      return lower.startsWith(stem) && (stem.length < 4 ? rest.length <= 1 : ending.test(rest))
    })
  }
}

/** Marks the words of the question and leaves the text between them. */
export function markAsked<Marked>(
  terms: readonly string[],
  mark: (asked: string) => Marked,
): (text: string) => (string | Marked)[] {
  const findStem = makeFindStem(terms)
  return (text) => {
    const parts: (string | Marked)[] = []
    let last = 0
    for (const { 0: whole, index } of text.matchAll(word)) {
      if (findStem(whole) === undefined) continue
      parts.push(text.slice(last, index), mark(whole))
      last = index + whole.length
    }
    return [...parts, text.slice(last)]
  }
}

/** Shortcodes of site generators show the text that they hold. */
const shortcode = /\{\{[<%]([^{}]{0,400})[>%]\}\}/g
const quotedText = (_: string, inside: string): string =>
  /(?:text=|^ *heading +)"([^"]*)"/.exec(inside)?.[1] ?? ''
/** The id of a heading: `{#id}`, or a comment of MDX. */
const headingEnd = / ?[\\%]?\{(?:#[\w-]{1,80}|\/\*[^*\n]{0,80}\*\/)\}%?$/gm

/** The name of a section as its reader sees it. */
export const plainName = (name: string): string =>
  name
    .replaceAll(shortcode, quotedText)
    .replaceAll(/(\*\*|``)(?=\S)([^*`]{1,200})\1/g, '$2')
    .trim() || name

/** As its reader knows it: a heading of one word, such as "Context", below the title of its document. */
export function fullName(
  { name, kind, path }: Pick<Passage, 'name' | 'kind' | 'path'>,
  documents: readonly Pick<DigestDocument, 'path' | 'title'>[],
): string {
  const plain = plainName(name)
  const { title = '' } = documents.find((one) => one.path === path) ?? {}
  return /\s/.test(plain) || isCodeKind(kind) || title === '' || title === plain
    ? plain
    : `${title} › ${plain}`
}

/** The text of a section as its reader sees it. */
export const plainText = (text: string): string =>
  text.replaceAll(shortcode, quotedText).replaceAll(headingEnd, '')

/** A line of badges, which say nothing about a question. */
export const badges =
  /^[ \t]*(?:\[?!\[[^\]\n]{0,200}\](?:\(<?https?:[^)\n]{0,500}\)|\[[^\]\n]{0,200}\])(?:\](?:\([^)\n]{0,500}\)|\[[^\]\n]{0,200}\]))?[ \t]*)+$/gm

/** Tags that only shape text. */
const shaping =
  /<\/?(?:a|abbr|b|br|center|code|details|div|em|h[1-6]|hr|i|img|kbd|li|ol|p|picture|s|small|source|span|strong|su[bp]|summary|t[dhr]|table|tbody|thead|u|ul)(?:\s[^<>]{0,2000})?\/?>/gi

/** Components of a site, which text cannot show but by their titles. Generic types have no attributes. */
const component = /<\/[A-Z][\w.]{0,60}>|<[A-Z][\w.]{0,60}(?:\s[^<>=]{0,200}=[^<>]{0,2000}|\s{0,9}\/)>/g
const titleOf = (tag: string): string => /\s(?:title|label|name|alt)="([^"]{1,300})"/.exec(tag)?.[1] ?? ''

/** The text of HTML; a picture by its description. */
export const withoutTags = (text: string): string =>
  text
    .replaceAll(/<img\s[^<>]{0,2000}?\balt="([^"<>]*)"/gi, '$1<img ')
    .replaceAll(shaping, '')
    .replaceAll(component, titleOf)

const dataFile = endsWith(Object.values(configExtensions).flat())

/** The lines of the signature of code, where they are quoted. */
export function signatureLines({ excerpts, kind, name, path }: Passage): Lines | null {
  if (!isCodeKind(kind) || dataFile.test(path)) return null
  const last = name.slice(name.lastIndexOf('.') + 1)
  for (const { text, lines } of excerpts) {
    const all = text.split(/\r\n|\n|\r/)
    const found = findSignature(text, last, lines.end - all.length + 1)
    // A line below others that names it is text about it.
    const margin = Math.min(...all.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
    if (found !== null && found.text.search(/\S/) === margin) return found.lines
  }
  return null
}

/** The name of what the next paragraph describes, such as a setting. */
const nameLine = /^[^.!?]{0,200} · (?:default|type|version ?added) /

/** The run of blocks within the lines that holds the most words of the question, from the first that has one; the first of several. */
export function chooseWindow(
  blocks: readonly { readonly lines: number; readonly text: string }[],
  most: number,
  terms: readonly string[],
): { readonly from: number; readonly to: number } {
  // A compound of two words of the question does not count as a third.
  const isCompound = (term: string): boolean =>
    terms.some((one) => {
      const rest = term.startsWith(one) ? term.slice(one.length) : ''
      return rest.length > 2 && terms.some((other) => other !== term && other.startsWith(rest))
    })
  const findStem = makeFindStem(terms.filter((term) => !isCompound(term)))
  const held = blocks.map(({ text }) => (text.match(word) ?? []).flatMap((one) => findStem(one) ?? []))
  const endOf = (from: number): number => {
    let [to, lines] = [from, 0]
    while (to < blocks.length && (to === from || lines + (blocks[to]?.lines ?? 0) <= most))
      lines += blocks[to++]?.lines ?? 0
    return to
  }
  let best = { from: 0, words: -1 }
  for (let from = 0; from < blocks.length; from++) {
    const to = endOf(from)
    const words = new Set(held.slice(from, to).flat()).size
    if (words > best.words) best = { from, words }
    if (to === blocks.length) break
  }
  const asked = held.findIndex((words, at) => at >= best.from && words.length > 0)
  const from = best.from === 0 ? 0 : asked - (nameLine.test(blocks[asked - 1]?.text ?? '') ? 1 : 0)
  return { from, to: endOf(from) }
}
