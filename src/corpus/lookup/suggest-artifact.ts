// What does an unknown name probably mean? Similar paths, sections of the same file, names of code.
import { nearestName } from '../../model/config/nearest-name.ts'
import { endsWith, htmlExtensions, markdownExtensions, savedExtensions } from '../../model/file-extensions.ts'
import { lastSegment } from '../../model/paths.ts'
import type { ArtifactRow } from '../../model/section.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { definitionsCalled, listSome, namePartsOf, sectionsWith } from './find-definition.ts'

const documentName = endsWith([...markdownExtensions, ...htmlExtensions, ...savedExtensions, 'txt', 'rst'])

/** Names of code to compare; all start with the same letter. */
const mostNames = 20_000
/** Sections to read for the places of a word. */
const mostRead = 50

/** A hint for an unknown name. */
export function suggestArtifact(reader: CorpusReader, wanted: string): string {
  const paths = reader.files().map(({ path }) => path)
  const near = nearPaths(paths, wanted)
  if (near !== null) return askAbout(near)
  const meant = isFileName(paths, wanted) ? null : nearCode(reader, wanted)
  if (meant?.isExact) return askAbout(meant.ids)
  // A function inside another is written, but no definition.
  const places = /^[\p{L}_$][\p{L}\p{N}_$]+$/u.test(wanted) ? placesOf(reader, wanted) : []
  if (places.length > 0) return `nothing defines this name; it occurs in ${listSome(places)}`
  if (meant !== null) return askAbout(meant.ids)
  return 'name a path, a section as path#anchor, some lines as path:12-40, a function or class, or a decision id such as ADR-013'
}

/** A hint for an unknown anchor. */
export function suggestSection(rows: readonly ArtifactRow[], anchor: string): string {
  const sections = rows.filter(({ level }) => level > 0)
  const called = sections.filter(({ name }) => name.toLowerCase() === anchor.toLowerCase())
  if (called.length > 0) return askAbout(called.map(({ id }) => id))
  const names = sections.flatMap((row) => [row.anchor ?? '', row.name])
  const near = nearestName(anchor, names)
  const row = near === null ? undefined : sections.find((one) => one.anchor === near || one.name === near)
  if (row !== undefined) return askAbout([row.id])
  return sections.length === 0 ? 'it has no sections' : `it has ${listSome(sections.map(({ id }) => id))}`
}

const askAbout = (ids: readonly string[]): string =>
  ids.length === 1 ? `did you mean ${ids[0]}?` : `did you mean one of ${listSome(ids)}?`

/** The same name in another folder, otherwise a similar path or file name. */
function nearPaths(paths: readonly string[], wanted: string): readonly string[] | null {
  const called = (name: string): string[] =>
    paths.filter((path) => lastSegment(path) === name || path.endsWith(`/${name}`))
  const ending = [...called(wanted), ...paths.filter((path) => lastSegment(path).startsWith(`${wanted}.`))]
  if (ending.length > 0) return ending
  const near = nearestName(wanted, paths)
  if (near !== null || !isFileName(paths, wanted)) return near === null ? null : [near]
  const name = nearestName(lastSegment(wanted), paths.map(lastSegment))
  return name === null ? null : called(name)
}

/** A document's name, or `render.ts` in a corpus with such files: neither means a function `ts`. */
function isFileName(paths: readonly string[], wanted: string): boolean {
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(wanted)?.[0]
  return (
    extension !== undefined && (documentName.test(wanted) || paths.some((path) => path.endsWith(extension)))
  )
}

/** Definitions whose last name is the same, otherwise similar. */
function nearCode(reader: CorpusReader, wanted: string) {
  const last = namePartsOf(wanted).at(-1) ?? ''
  const [first = ''] = last
  if (first === '') return null
  const starts = new Set([first.toLowerCase(), first.toUpperCase()])
  const rows = [...starts].flatMap((start) => reader.references().codeRows(start, mostNames))
  const names = [...new Set(rows.map(({ name }) => name))]
  const near = names.includes(last) ? last : nearestName(last, names)
  const ids = near === null ? [] : definitionsCalled(reader, near).map(({ id }) => id)
  return ids.length === 0 ? null : { ids, isExact: near === last }
}

/** Lines with this word in a few of the sections that contain it. */
function placesOf(reader: CorpusReader, word: string): readonly string[] {
  const found: string[] = []
  for (const rowId of sectionsWith(reader, word).slice(0, mostRead)) {
    const row = reader.artifact(rowId)
    const first = (row.ownLines ?? row.lines).start
    for (const [at, line] of reader.text(rowId).text.split('\n').entries())
      if (line.split(/[^\p{L}\p{N}_$]+/u).includes(word))
        found.push(`${reader.file(row.file).path}:${first + at}`)
  }
  return found
}
