// Which document is ADR-013? An index of decision ids from file names, titles and frontmatter, anywhere in the corpus.

import { folderOf, lastSegment } from '../../model/paths.ts'
import { getOrAdd } from '../../model/remember.ts'
import { knownFamilies } from '../../read/parse/find-ids.ts'
import { fileName } from '../../read/parse/parsable-file.ts'
import { isFixturePath } from './code/code-roles.ts'
import { matchesGlob } from './matches-glob.ts'
import { pageOf } from './page-keys.ts'
import { patterns } from './patterns.ts'

/** A family of decision ids as configured: `{ prefix: 'EIP', aliases: ['ERC'], paths: 'EIPS/**' }`. */
export interface IdFamily {
  readonly prefix: string
  /** Other prefixes of the same numbers. */
  readonly aliases?: readonly string[]
  /** Globs of the documents with these ids; inside them the first number of a file name counts without the prefix. */
  readonly paths?: string | readonly string[]
}

export interface NumberedDocument {
  readonly path: string
  readonly title: string
  readonly frontmatter: Readonly<Record<string, unknown>>
}

/** Where an id is declared: a file name or frontmatter is stronger evidence than a title. */
type IdEvidence = 'name' | 'title'

/** A document's number in a family. */
type Carrier = readonly [family: string, number: number, evidence: IdEvidence]

interface FamilyEntry {
  readonly configured: boolean
  readonly paths: readonly string[]
  /** By number, then by path. */
  readonly carriers: Map<number, Map<string, Set<IdEvidence>>>
  /** Number of documents by each kind of evidence; of names, also those in a folder of the family. */
  readonly counts: Record<IdEvidence | 'inFolder', number>
}

export interface DecisionIds {
  /** Lower-case prefix or alias → lower-case family. */
  readonly prefixes: Map<string, string>
  readonly families: Map<string, FamilyEntry>
}

type IdLookup =
  | { readonly kind: 'found'; readonly path: string; readonly evidence: IdEvidence | 'main' }
  | { readonly kind: 'ambiguous'; readonly paths: readonly string[] }
  /** The corpus has documents of the family, but none with this number. */
  | { readonly kind: 'missing' }
  /** No such family in this corpus, a number of a public series, or an unknown one-digit number. */
  | { readonly kind: 'foreign' }

/** Folders in which a number alone names a decision. */
const numberedFolders: ReadonlyMap<string, string> = new Map([
  ['decisions', 'adr'],
  ['architecture', 'adr'],
  ...knownFamilies
    .map((family) => family.toLowerCase())
    .flatMap((name) => ['', 's'].map((end): [string, string] => [name + end, name])),
])

/** Starts an empty index with the known families and the configured ones. */
export function makeDecisionIds(configured: readonly IdFamily[] = []): DecisionIds {
  const prefixes = new Map<string, string>()
  const families = new Map<string, FamilyEntry>()
  const add = (family: IdFamily, isConfigured: boolean): void => {
    const name = family.prefix.toLowerCase()
    const paths = family.paths === undefined ? [] : [family.paths].flat()
    families.set(name, {
      configured: isConfigured,
      paths,
      carriers: new Map(),
      counts: { name: 0, title: 0, inFolder: 0 },
    })
    for (const prefix of [family.prefix, ...(family.aliases ?? [])]) prefixes.set(prefix.toLowerCase(), name)
  }
  for (const prefix of knownFamilies) add({ prefix }, false)
  for (const family of configured) add(family, true)
  return { prefixes, families }
}

export function addIds(ids: DecisionIds, document: NumberedDocument): void {
  for (const carrier of listCarriers(ids, document)) addCarrier(ids, document.path, carrier)
}

function addCarrier(ids: DecisionIds, path: string, [family, number, evidence]: Carrier): void {
  const { carriers, counts } = ids.families.get(family)!
  const paths = getOrAdd(carriers, number, () => new Map())
  const said = getOrAdd(paths, path, () => new Set())
  if (!said.has(evidence)) counts[evidence]++
  if (evidence === 'name' && isInFolder(family, path)) counts.inFolder++
  said.add(evidence)
}

/** `docs/adr/0013-retries.md`, `decisions/ADR-013.md`: folder and file name together show that it is a decision. */
function isInFolder(family: string, path: string): boolean {
  const page = pageOf(path)
  const folder = lastSegment(folderOf(page)).toLowerCase()
  return (
    numberedFolders.get(folder) === family &&
    (folder.startsWith(family) || lastSegment(page).toLowerCase().startsWith(family))
  )
}

/** Looks an id up as written: `ADR-013`, `adr 13` and `ADR_0013` are the same. */
export function findDecision(ids: DecisionIds, written: string): IdLookup {
  const parts = patterns.wholeId.exec(written)
  const name = parts === null ? undefined : ids.prefixes.get(parts[1]!.toLowerCase())
  const entry = name === undefined ? undefined : ids.families.get(name)
  if (parts === null || entry === undefined || !exists(entry)) return { kind: 'foreign' }
  const digits = parts[2]!
  const carriers = entry.carriers.get(Number(digits))
  // RFC 2119 is public, even where a team numbers its own RFCs; ADRs and configured families are never public.
  if (carriers === undefined)
    return { kind: digits.length > 1 && (entry.configured || name! === 'adr') ? 'missing' : 'foreign' }
  const strong = [...carriers].filter(([, said]) => said.has('name')).map(([path]) => path)
  const named = (strong.length > 0 ? strong : [...carriers.keys()]).sort()
  // `ADR-13-limits.md` is ADR-13 rather than `ADR-13b.md`.
  const whole = named.filter((path) => !patterns.leadingFileId.test(lastSegment(pageOf(path))))
  const paths = whole.length > 0 ? whole : named
  if (paths.length === 1)
    return { kind: 'found', path: paths[0]!, evidence: strong.length > 0 ? 'name' : 'title' }
  const main = mainOf(paths)
  return main === null ? { kind: 'ambiguous', paths } : { kind: 'found', path: main, evidence: 'main' }
}

/** The document whose page name is a prefix of all others: `adr-050-x` among `adr-050-x-annex1` and `adr-050-x-annex2`. */
function mainOf(paths: readonly string[]): string | null {
  const pages = paths.map((path) => pageOf(path))
  const main = pages.findIndex((page) =>
    pages.every((other) => other === page || other.startsWith(`${page}-`)),
  )
  return main === -1 || pages.indexOf(pages[main]!) !== pages.lastIndexOf(pages[main]!) ? null : paths[main]!
}

/** A family that is not configured needs two file names, one in a folder of its decisions, or one title. */
const exists = ({ configured, counts }: FamilyEntry): boolean =>
  configured || counts.name >= 2 || counts.inFolder >= 1 || counts.title >= 1

function listCarriers(ids: DecisionIds, { path, title, frontmatter }: NumberedDocument): Carrier[] {
  // Fixtures of tests have arbitrary numbers.
  if (isFixturePath(path)) return []
  const page = pageOf(path)
  const name = lastSegment(page)
  const carriers: Carrier[] = []
  const add = (parts: RegExpExecArray | null, evidence: IdEvidence): void => {
    const family = parts === null ? undefined : ids.prefixes.get(parts[1]!.toLowerCase())
    if (family === undefined || !coversPath(ids.families.get(family)!, path)) return
    carriers.push([family, Number(parts![2]), evidence])
  }
  add(patterns.leadingId.exec(name) ?? patterns.leadingFileId.exec(name), 'name')
  addNumbered(ids, { path, page, name }, carriers)
  addDeclared(ids, frontmatter, add)
  // Without a title, the title is the file's name, which was read above.
  if (title !== fileName(path)) add(patterns.leadingId.exec(title), 'title')
  return carriers
}

const coversPath = (entry: FamilyEntry, path: string): boolean =>
  entry.paths.length === 0 || entry.paths.some((glob) => matchesGlob(path, glob))

/** `decisions/0033-x.md`, and file names inside the configured paths of a family. */
function addNumbered(
  ids: DecisionIds,
  { path, page, name }: { path: string; page: string; name: string },
  carriers: Carrier[],
): void {
  const folder = numberedFolders.get(lastSegment(folderOf(page)).toLowerCase())
  const leading = patterns.leadingNumber.exec(name)
  if (folder !== undefined && leading !== null) carriers.push([folder, Number(leading[1]), 'name'])
  for (const [family, entry] of ids.families) {
    if (entry.paths.length === 0 || !coversPath(entry, path)) continue
    const first = patterns.firstNumber.exec(name)
    if (first !== null) carriers.push([family, Number(first[0]), 'name'])
  }
}

/** Frontmatter `adr: 13`, `eip: 1559`, or `id: ADR-013`. */
function addDeclared(
  ids: DecisionIds,
  frontmatter: Readonly<Record<string, unknown>>,
  add: (parts: RegExpExecArray | null, evidence: IdEvidence) => void,
): void {
  for (const [key, value] of Object.entries(frontmatter)) {
    const isFamily = ids.prefixes.has(key.toLowerCase())
    if (isFamily && (typeof value === 'number' || typeof value === 'string'))
      add(patterns.wholeId.exec(`${key}-${value}`) ?? patterns.wholeId.exec(String(value)), 'name')
    else if (key === 'id' && typeof value === 'string') add(patterns.wholeId.exec(value), 'name')
  }
}

function startsWithLetter(text: string): boolean {
  const first = text.charAt(0).toLowerCase()
  return first >= 'a' && first <= 'z'
}

/** Families as in the settings: `EIP=ERC,ERCS:EIPS/**`, aliases and paths optional; invalid entries are ignored. */
export function parseIdFamilies(written: readonly string[]): IdFamily[] {
  return written.flatMap((text): IdFamily[] => {
    const [names = '', ...rest] = text.split(':')
    const [prefix = '', others] = names.split('=').map((part) => part.trim())
    const aliases = (others ?? '').split(',').flatMap((part) => part.trim() || [])
    const paths = rest.join(':').trim()
    if (!startsWithLetter(prefix) || (others !== undefined && aliases.length === 0)) return []
    return [{ prefix, aliases, ...(paths === '' ? {} : { paths }) }]
  })
}
