// Which files does a question concern? What its scope names: paths, a kind, a language.

import { fileKindOf } from '../../corpus/lookup/kind-of-file.ts'
import { matchesGlob } from '../../corpus/resolve/matches-glob.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { nearestName } from '../../model/config/nearest-name.ts'
import { YoreError } from '../../model/errors.ts'
import type { FileKind } from '../../model/file-kind.ts'
import type { FileRow } from '../../model/section.ts'
import { languageOf } from '../../read/source/language-of.ts'

/** What a question is confined to; everything that is given must hold. */
export interface Scope {
  /** Files, folders or globs from the root, with commas. */
  readonly path?: string | undefined
  readonly kind?: FileKind | undefined
  /** A language as `status` counts it: markdown, python, generic. */
  readonly lang?: string | undefined
  /** A folder from the root whose sections get a small boost. */
  readonly near?: string | undefined
}

export interface ChosenScope {
  /** Ids of files; null for all. */
  readonly only: ReadonlySet<number> | null
  readonly near: string
  /** The scope in words, for the digest. */
  readonly notices: readonly string[]
}

export const wholeCorpus: ChosenScope = { only: null, near: '', notices: [] }

/** A file, a folder with all below it, or a glob. */
function isNamed(path: string, pattern: string): boolean {
  const plain = pattern.replace(/^\.\//, '').replace(/\/$/, '')
  if (plain === '' || plain === '.') return true
  if (!/[*?]/.test(plain)) return path === plain || path.startsWith(`${plain}/`)
  // As in ignore files, a glob without a slash means names at any depth.
  return matchesGlob(path, plain.includes('/') ? plain : `**/${plain}`)
}

/** Whether a file that is not indexed yet may be in the scope, by its path. */
export function isInScope(path: string, { path: patterns, kind }: Pick<Scope, 'path' | 'kind'>): boolean {
  const language = languageOf(path) ?? 'generic'
  return (
    (patterns?.split(',').some((pattern) => isNamed(path, pattern.trim())) ?? true) &&
    (kind === undefined || fileKindOf({ path, language }) === kind)
  )
}

function requireLanguage(files: readonly FileRow[], lang: string): void {
  const known = [...new Set(files.map(({ language }) => language))].sort()
  if (known.includes(lang)) return
  const near = nearestName(lang, known)
  throw new YoreError('BAD_INPUT', `nothing that is indexed is in ${JSON.stringify(lang)}`, {
    hint: `${near === null ? '' : `did you mean ${near}? `}there are ${known.join(', ')}`,
  })
}

/** Looks the scope up in one state of the index. Throws BAD_INPUT for a language that is not there. */
export function chooseScope(reader: CorpusReader, scope: Scope): ChosenScope {
  const { path, kind, lang, near = '' } = scope
  if (path === undefined && kind === undefined && lang === undefined)
    return near === '' ? wholeCorpus : { ...wholeCorpus, near }
  const all = reader.files()
  const wanted = lang?.toLowerCase()
  if (wanted !== undefined) requireLanguage(all, wanted)
  const patterns = path?.split(',').map((one) => one.trim())
  const files = all
    .filter((file) => patterns?.some((pattern) => isNamed(file.path, pattern)) ?? true)
    .filter((file) => kind === undefined || fileKindOf(file) === kind)
    .filter(({ language }) => wanted === undefined || language === wanted)
  const said = Object.entries({ path, kind, lang }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  )
  const notice =
    files.length === 0
      ? `No indexed file is in the scope (${said.join(', ')}).`
      : `Searched ${files.length} of ${all.length} files: ${said.join(', ')}.`
  return { only: new Set(files.map(({ id }) => id)), near, notices: [notice] }
}
