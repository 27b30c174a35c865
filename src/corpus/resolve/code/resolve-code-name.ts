// Which definition does inline code of a document name? A path, a qualified name, or a name with one definition.
import { lastSegment } from '../../../model/paths.ts'
import type { Mention, Resolution } from '../../../model/reference.ts'
import { normalizeSegments, placeOf, placesAround } from '../page-keys.ts'
import { readResource, readTarget } from '../read-target.ts'
import type { CodeCatalogue, NamedDefinition } from './code-catalogue.ts'
import { isTestPath, isVendoredPath } from './code-roles.ts'

const maxCandidates = 20
const unresolved: Resolution = { outcome: 'external', candidates: [] }

/** `:class:Environment`: markup that declares a name as code. */
export const readCodeRole = (written: string): string | null =>
  /^:[a-z]{2,12}:(?=.)/.test(written) ? written.slice(written.indexOf(':', 1) + 1) : null

/** Resolves inline code. A word that is neither a path nor a typical name of code resolves to nothing without a role. */
export function resolveCodeName(written: string, origin: string, catalogue: CodeCatalogue): Resolution {
  const role = readCodeRole(written)
  const text = role === null ? written.trim() : `${role}()`
  const byPath = findPath(text, catalogue)
  if (byPath !== null) return byPath
  const name = readCodeName(text)
  if (name === null) return unresolved
  const remaining = preferred(definitionsOf(name.parts, catalogue.definitionsNamed), isTestPath(origin))
  const [only] = remaining
  if (only === undefined) return unresolved
  if (remaining.length > 1)
    return { outcome: 'ambiguous', candidates: remaining.map(({ id }) => id).slice(0, maxCandidates) }
  const confidence = name.parts.length > 1 ? 0.95 : 0.9
  const section = only.id === only.path ? null : only.id
  const anchor = name.parts.join('.')
  return { outcome: 'resolved', path: only.path, section, anchor, confidence, method: 'code' }
}

/** Definitions that match a dotted name: `Task.cancel`, also with its module in front. */
export function definitionsOf(
  parts: readonly string[],
  definitionsNamed: CodeCatalogue['definitionsNamed'],
): readonly NamedDefinition[] {
  return definitionsNamed(parts.at(-1) ?? '').filter((definition) => fits(definition, parts))
}

/**
 * Reads `retry()`, `Server.start`, `get_user`, `getUser`, `HTTPServer` and `crate::util::run`; null for a word without
 * a dot, a call, an underscore or an inner capital, which may be an ordinary word.
 */
function readCodeName(text: string): { readonly parts: readonly string[] } | null {
  const called = /^([\p{L}_$][\p{L}\p{N}_$.:#]*)\((?:\)|[^()]{0,200}\)$)/u.exec(text)
  const bare = called?.[1] ?? text
  if (bare.length > 200 || !/^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(bare))
    return null
  const parts = bare.split(/\.|::|#/)
  if (parts.length > 1 || (called !== null && bare.length > 2)) return { parts }
  const isCompound = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Lu}\p{Lu}\p{Ll}/u.test(bare)
  return isCompound && bare.length > 4 ? { parts } : null
}

/** Do the parts before the name match the classes and the path around the definition? */
function fits({ headings, path }: NamedDefinition, parts: readonly string[]): boolean {
  const names = headings.flatMap((heading) => heading.split('.'))
  const segments = path
    .replace(/\.[^./]*$/, '')
    .split('/')
    .filter((segment) => segment !== '__init__' && segment !== 'index')
  const full = [...segments, ...names]
  if (parts.length > full.length) return false
  return parts.every((part, index) => full[full.length - parts.length + index] === part)
}

/** Neither a test nor vendored. */
export const isOwnCode = ({ path }: { readonly path: string }): boolean =>
  !isTestPath(path) && !isVendoredPath(path)

/** Own code, or everything if there is only other code. */
export function ownOf<T>(all: readonly T[], fileOf: (one: T) => { readonly path: string }): readonly T[] {
  const own = all.filter((one) => isOwnCode(fileOf(one)))
  return own.length > 0 ? own : all
}

/** Definitions before declarations and variables, then own code, tests only for tests; of a class in several parts the first. */
function preferred(definitions: readonly NamedDefinition[], isInTest: boolean): readonly NamedDefinition[] {
  const whole = definitions.filter(({ kind }) => !kind.endsWith('_block'))
  const isFirst = ({ id, kind }: NamedDefinition): boolean =>
    !kind.endsWith('_class') ||
    !whole.some((other) => other.kind === kind && id.startsWith(`${other.id}-`) && /-\d+$/.test(id))
  const remaining = whole.length > 0 ? whole.filter(isFirst) : definitions
  const own = remaining.filter(isOwnCode)
  return own.length > 0 ? own : remaining.filter(({ path }) => isInTest || !isTestPath(path))
}

/** `src/app.py`, also with a line: this file, or the only one whose path ends so. */
function findPath(text: string, catalogue: CodeCatalogue): Resolution | null {
  const path = text.replace(/^\.\//, '').replace(/(?:#L\d{1,7}(?:-L?\d{1,7})?|:\d{1,7}(?:[:-]\d{1,7})?)$/, '')
  if (!/\.[A-Za-z]{1,4}$/.test(path) || /\s/.test(path)) return null
  if (catalogue.files.has(path)) return toFile(path, 1)
  const fits = (catalogue.names.get(lastSegment(path)) ?? []).filter((file) => file.endsWith(`/${path}`))
  if (fits.length === 0) return null
  if (fits.length > 1) return { outcome: 'ambiguous', candidates: fits.slice(0, maxCandidates) }
  return toFile(fits[0] as string, path.includes('/') ? 0.95 : 0.85)
}

function toFile(path: string, confidence: number): Resolution {
  return { outcome: 'resolved', path, section: null, anchor: null, confidence, method: 'path' }
}

/** The file, or null when the link means something else. */
export function resolveCodeLink(
  { form, origin, target }: Mention,
  paths: ReadonlySet<string>,
): Resolution | null {
  if (form !== 'link' || paths.size === 0) return null
  const hash = origin.lastIndexOf('#')
  const file = hash === -1 ? origin : origin.slice(0, hash)
  const { scheme, path } = readTarget(readResource(target, file))
  if ((scheme !== null && scheme !== 'doc') || path === '') return null
  const here = scheme === 'doc' ? placesAround(path, file) : [placeOf(path, file)]
  for (const key of [...here, normalizeSegments(path)])
    if (key !== null && paths.has(key))
      return { outcome: 'resolved', path: key, section: null, anchor: null, confidence: 1, method: 'path' }
  return null
}
