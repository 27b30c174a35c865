// What does a target say as written? Scheme, path and anchor of a link; the lines of `path:12-40`. Nothing is looked up here.
import type { Lines } from '../../model/artifact.ts'
import { patterns } from './patterns.ts'

export interface LinkTarget {
  /** Lower case, without the colon; null when there is none, `//` for an address without one. */
  readonly scheme: string | null
  /** Decoded, `/` between segments, without the query; empty for a bare anchor. */
  readonly path: string
  readonly anchor: string | null
}

/** Reads a target as written: `readTarget('../a%20b.md?x#c')` has the path `../a b.md` and the anchor `c`. */
export function readTarget(written: string): LinkTarget {
  const target = written.trim()
  const hash = target.indexOf('#')
  const beforeHash = hash === -1 ? target : target.slice(0, hash)
  const anchor = hash === -1 ? null : readAnchor(target.slice(hash + 1))
  const named = patterns.scheme.exec(beforeHash)?.[0].slice(0, -1).toLowerCase() ?? null
  const scheme = beforeHash.startsWith('//') ? '//' : named
  const rest = scheme === null || scheme === '//' ? beforeHash : beforeHash.slice(scheme.length + 1)
  const query = rest.indexOf('?')
  const path = decodePercent(query === -1 ? rest : rest.slice(0, query)).replaceAll('\\', '/')
  return { scheme, path, anchor }
}

/**
 * The target of `[version@][component:][module:][family$]path` from a file of an Antora module, as a path from the root:
 * pages by default (`partial$` means the folder `partials`), and an address `antora:…` for another component. Any other target stays as it is.
 *
 * @example readResource('cli:index.adoc#x', 'docs/modules/api/nav.adoc') // '/docs/modules/cli/pages/index.adoc#x'
 */
export function readResource(written: string, origin: string): string {
  const [, root, own] = patterns.antoraOrigin.exec(origin) ?? []
  const [, version, component, module, family, path = ''] = patterns.antoraResource.exec(written) ?? []
  const isPath = path === '' || ['/', './', '../'].some((start) => path.startsWith(start))
  if (root === undefined || isPath || (family === undefined && !path.includes('.adoc'))) return written
  if (component !== undefined || version !== undefined) return `antora:${written}`
  return `/${root}modules/${module ?? own}/${family ?? 'page'}s/${path}`
}

/** A text fragment (`:~:text=…`) is not an anchor. */
function readAnchor(written: string): string | null {
  const directive = written.indexOf(':~:')
  const anchor = directive === -1 ? written : written.slice(0, directive)
  return anchor === '' ? null : anchor
}

/** Percent-decodes a text; one with a broken escape is unchanged. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `docs/guide.md:12-40` or `docs/guide.md:12`; null for another name. */
export function readPlace(named: string): { readonly path: string; readonly lines: Lines } | null {
  const [, path, first, last] = patterns.place.exec(named) ?? []
  if (path === undefined || first === undefined) return null
  const start = Math.max(1, Number(first))
  return { path, lines: { start, end: Math.max(1, Number(last ?? first)) } }
}
