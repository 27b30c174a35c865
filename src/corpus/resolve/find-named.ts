// Which document does a name mean? Hugo's `ref`, a term of the glossary, a wiki page.
import { folderOf, lastSegment } from '../../model/paths.ts'
import { objectMark } from '../../read/parse/text/marked-text.ts'
import { type Catalogue, pathsUnder } from './catalogue.ts'
import {
  findAbsolute,
  findAt,
  findRelative,
  findStem,
  findSuffix,
  type Match,
  nearestOf,
  type WantedPage,
} from './find-page.ts'
import { normalizeSegments, pageOf } from './page-keys.ts'
import { patterns } from './patterns.ts'

/** Hugo's `ref` and `relref`: from the content's root, from the page's folder, or a name that only one page has. */
export function findRef(catalogue: Catalogue, { path, origin }: WantedPage): Match | null {
  if (path.startsWith('/')) return findAbsolute(catalogue, { path, origin })
  const slash = path.endsWith('/')
  const here = normalizeSegments(`${folderOf(origin)}/${path}`)
  const atHere = here === null ? null : findAt(catalogue, here, slash)
  if (atHere !== null) return atHere
  const named = findSuffix(catalogue, { path, origin }, 0.9, 'ref') ?? findStem(catalogue, path)
  if (named === null) return null
  return { ...nearestOf(named, origin), method: 'ref' }
}

/** A term's file: `glossary/<term>.md` anywhere, by its name or by its frontmatter `id`. */
export function findGlossaryTerm(catalogue: Catalogue, term: string, origin: string): Match | null {
  const inGlossary = (path: string): boolean =>
    lastSegment(folderOf(pageOf(path))).toLowerCase() === 'glossary'
  const wanted = term.trim().toLowerCase()
  for (const names of ['stems', 'ids'] as const) {
    const paths = pathsUnder(catalogue[names], wanted).filter(inGlossary)
    if (paths.length === 0) continue
    const named = paths.every((path) => lastSegment(pageOf(path)).toLowerCase() === wanted)
    return nearestOf({ paths, confidence: named ? 0.95 : 0.9, method: 'glossary' }, origin)
  }
  return null
}

/** `[[Page]]`: a path, a file's name with blanks or dashes, or a title. */
export function findWikiPage(catalogue: Catalogue, { path, origin }: WantedPage): Match | null {
  if (path.includes('/'))
    return findAbsolute(catalogue, { path, origin }) ?? findRelative(catalogue, { path, origin })
  const lower = pageOf(path).toLowerCase()
  for (const key of [lower, lower.replace(patterns.blank, '-'), lower.replace(patterns.blank, '_')]) {
    const paths = pathsUnder(catalogue.stems, key)
    if (paths.length > 0) return nearestOf({ paths, confidence: 0.9, method: 'wiki' }, origin)
  }
  const titled = pathsUnder(catalogue.titles, path.trim().toLowerCase())
  return titled.length === 0 ? null : { paths: titled, confidence: 0.85, method: 'title' }
}

/** Nothing has this name; each part of a name is looked up. */
const maxLabelChars = 300

/**
 * The document that gives a place this name: a label, or an object under its full name or a shorter one, as
 * `jinja2.Environment.loader` may be described as `Environment.loader`. The origin's own label comes first.
 */
export function findLabel(
  catalogue: Catalogue,
  label: string,
  origin: string,
): (Match & { readonly label: string }) | null {
  if (label.length > maxLabelChars) return null
  let key = label
  for (;;) {
    const paths = pathsUnder(catalogue.labels, key)
    if (paths.length > 0) {
      const match = { paths: paths.includes(origin) ? [origin] : paths, confidence: 0.95, method: 'label' }
      return { ...nearestOf(match, origin), label: key }
    }
    // `:setting:debug` is also `:debug`, and `:app.Task.run` also `:Task.run`; but `run` alone may be anything.
    const colon = key.startsWith(objectMark) ? key.indexOf(objectMark, 1) : -1
    const end = colon === -1 && key.startsWith(objectMark) ? key.indexOf('.') : colon
    if (end === -1 || (end !== colon && !key.includes('.', end + 1))) return null
    key = objectMark + key.slice(end + 1)
  }
}
