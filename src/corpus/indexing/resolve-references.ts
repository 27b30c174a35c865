// Where do references lead after a run? Uncertain ones are resolved again; then the authority of documents is computed.

import { createHash } from 'node:crypto'
import type { CodeLanguage } from '../../model/code-languages.ts'
import { readFormat } from '../../model/config/read-formats.ts'
import type { Mention, Resolution } from '../../model/reference.ts'
import { getOrAdd, remember } from '../../model/remember.ts'
import { labelsKey, objectMark } from '../../read/parse/text/marked-text.ts'
import { isCodeFile } from '../../read/source/language-of.ts'
import { makeGraph, rankDocuments } from '../graph/rank-documents.ts'
import {
  type Catalogue,
  type CatalogueDocument,
  type CatalogueSection,
  makeCatalogue,
} from '../resolve/catalogue.ts'
import { type CodeCatalogue, type LanguageRules, makeCodeCatalogue } from '../resolve/code/code-catalogue.ts'
import { readCodeRole, resolveCodeLink, resolveCodeName } from '../resolve/code/resolve-code-name.ts'
import { resolveUse } from '../resolve/code/resolve-use.ts'
import type { IdFamily } from '../resolve/decision-ids.ts'
import { listOwnAnchors } from '../resolve/find-section.ts'
import { resolveMention } from '../resolve/resolve-mention.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { CorpusWriter } from '../store/corpus-writer.ts'
import { damaged } from '../store/rows/checksum.ts'
import { type CatalogueRow, mentionOf, type ReferenceRow } from '../store/rows/reference-reader.ts'
import { type ReadText, readModuleSettings } from './read-module-settings.ts'

interface ResolveScope {
  readonly everything: boolean
  /** Documents that were added, changed or removed. */
  readonly changedPaths: readonly string[]
  readonly changesModules: boolean
  readonly families: readonly IdFamily[]
  /** Reads package files, which declare module names. */
  readonly readText: ReadText
  /** Called for each mention and each document: a large corpus takes minutes. */
  readonly onStep?: () => void
}

/** Frontmatter keys that name a document's successor. */
const successorKeys = 'superseded_by superseded-by supersededBy replaced_by replaced-by replacedBy'.split(' ')

interface Store {
  readonly reader: CorpusReader
  readonly writer: CorpusWriter
}

function linksByDocument(reader: CorpusReader): ReadonlyMap<string, readonly string[]> {
  const links = new Map<string, string[]>()
  for (const [link, path] of reader.otherNames()) getOrAdd(links, path, () => []).push(link)
  return links
}

const noLabels: ReadonlyMap<string, number> = new Map()

class CorpusDocument implements CatalogueDocument {
  readonly path: string
  readonly #file: number
  readonly #corpus: CorpusNames
  #sections: readonly CatalogueSection[] | null = null
  #ownAnchors: ReadonlyMap<string, string | null> | null = null

  constructor(corpus: CorpusNames, { id, path }: { readonly id: number; readonly path: string }) {
    this.#corpus = corpus
    this.#file = id
    this.path = path
  }

  get title(): string {
    return this.#corpus.rowOf(this.path).title
  }

  /** Not cached, because it would take more memory than the rest of the resolver. */
  get frontmatter(): Readonly<Record<string, unknown>> {
    return readFrontmatter(this.#corpus.rowOf(this.path))
  }

  get otherNames(): readonly string[] {
    return this.#corpus.links.get(this.path) ?? []
  }

  get labels(): ReadonlyMap<string, number> {
    const { frontmatter } = this.#corpus.rowOf(this.path)
    if (!frontmatter.includes(labelsKey)) return noLabels
    const labels = this.frontmatter[labelsKey]
    return Array.isArray(labels) ? new Map(labels as [string, number][]) : noLabels
  }

  /** Read on demand: few documents are linked by anchor. */
  get sections(): readonly CatalogueSection[] {
    this.#sections ??= this.#corpus.reader
      .artifactsOf(this.#file)
      .filter(({ level }) => level > 0)
      .map(({ id, name, anchor }) => ({ id, name, anchor: anchor ?? '' }))
    return this.#sections
  }

  get ownAnchors(): ReadonlyMap<string, string | null> {
    const { reader } = this.#corpus
    this.#ownAnchors ??= listOwnAnchors(
      reader.artifactsOf(this.#file).map(({ rowId, id, level }) => ({
        id: level === 0 ? null : id,
        text: reader.text(rowId).text,
      })),
    )
    return this.#ownAnchors
  }
}

const readFrontmatter = ({ frontmatter }: CatalogueRow): Readonly<Record<string, unknown>> =>
  JSON.parse(frontmatter) as Record<string, unknown>

/** The names of all documents; rows are read on demand. */
class CorpusNames {
  readonly reader: CorpusReader
  readonly links: ReadonlyMap<string, readonly string[]>
  readonly codePaths: ReadonlySet<string>
  readonly catalogue: Catalogue
  #rows: ReadonlyMap<string, CatalogueRow> | null = null

  constructor(reader: CorpusReader, families: readonly IdFamily[]) {
    this.reader = reader
    this.links = linksByDocument(reader)
    this.codePaths = new Set(reader.references().codePaths())
    const texts = reader.fileIds().filter(({ path }) => !this.codePaths.has(path))
    const documents = texts.map((file) => new CorpusDocument(this, file))
    this.catalogue = makeCatalogue(documents, { families, isCode: isCodeFile, codePaths: this.codePaths })
  }

  get rows(): ReadonlyMap<string, CatalogueRow> {
    const read = () => this.reader.references().catalogue()
    this.#rows ??= new Map(read().map((row) => [row.path, row]))
    return this.#rows
  }

  rowOf(path: string): CatalogueRow {
    const row = this.rows.get(path)
    if (row === undefined) throw damaged(`the path of ${path}`)
    return row
  }
}

/** A hash of all names of documents, on which resolution depends besides the headings of a target. */
function namesOf(rows: Iterable<CatalogueRow>): string {
  const sum = createHash('sha256')
  for (const { path, title, frontmatter, isCode } of rows)
    sum.update(`${path}\0${title}\0${frontmatter}\0${isCode}\0`)
  return sum.digest('hex')
}

/** A bare file name in a comment is prose: it means a document of the corpus, or no reference. */
const noReference: Resolution = { outcome: 'external', candidates: [] }

/** Is the resolution stored already? */
function isSame(row: ReferenceRow, found: Resolution): boolean {
  if (found.outcome !== 'resolved')
    return row.outcome === found.outcome && row.candidates.join('\0') === found.candidates.join('\0')
  const stored = ['outcome', 'path', 'section', 'anchor', 'confidence', 'method'] as const
  return stored.every((key) => row[key] === found[key])
}

/** Resolves what may have changed; returns the number of mentions. Runs inside the writer's transaction. */
export function resolveReferences(store: Store, scope: ResolveScope): number {
  const references = store.reader.references()
  const corpus = new CorpusNames(store.reader, scope.families)
  const { catalogue, codePaths } = corpus
  // Documents that keep their names do not change the names of the corpus.
  const names = scope.everything || store.writer.changes === 'names' ? namesOf(corpus.rows.values()) : null
  const renamed = names !== null && names !== store.reader.meta('names')
  const stale = scope.everything ? references.everything() : references.stale(scope.changedPaths, renamed)
  const settle = (row: ReferenceRow, found: Resolution): void => {
    scope.onStep?.()
    if (!isSame(row, found)) store.writer.resolveMention(row, found)
  }
  let count = 0
  for (const row of stale) {
    count++
    const mention = mentionOf(row)
    const inText = resolveMention(mention, catalogue)
    const found =
      inText.outcome === 'resolved'
        ? inText
        : codePaths.has(row.originPath) && mention.form === 'link' && !mention.target.includes('/')
          ? noReference
          : (resolveCodeLink(mention, codePaths) ?? inText)
    settle(row, found)
  }
  const inCode = resolveCode(store, scope, { catalogue, renamed, settle })
  if (names === null) setAuthorities(store, null)
  else {
    store.writer.setMeta('names', names)
    setAuthorities(store, (path) => successorOf(corpus.rowOf(path), catalogue))
  }
  return count + inCode
}

/**
 * Computes inbound references, rank and successor of every document. Successors depend on names only: without
 * `nameSuccessor` they are unchanged.
 */
function setAuthorities({ reader, writer }: Store, nameSuccessor: ((path: string) => string | null) | null) {
  const references = reader.references()
  // By path, not by row: sums must not depend on the history of the index.
  const rows = references.authorities()
  const places = new Map(rows.map(({ path }, place) => [path, place]))
  const cited = references.cited()
  const [from, to]: [number[], number[]] = [[], []]
  const inbound = new Int32Array(rows.length)
  for (const [place, { id }] of rows.entries()) {
    const known = [...(cited.get(id) ?? [])].flatMap((target) => places.get(target) ?? [])
    for (const target of known.filter((one) => one !== place).sort((a, b) => a - b)) {
      from.push(place)
      to.push(target)
      inbound[target] = (inbound[target] as number) + 1
    }
  }
  const ranks = rankDocuments(makeGraph(rows.length, Int32Array.from(from), Int32Array.from(to)))
  for (const [place, row] of rows.entries()) {
    const successor = nameSuccessor === null ? row.successor : nameSuccessor(row.path)
    const authority = { inbound: inbound[place] as number, rank: ranks[place] as number, successor }
    if ((['inbound', 'rank', 'successor'] as const).some((key) => row[key] !== authority[key]))
      writer.setAuthority(row.id, authority)
  }
}

function successorOf(row: CatalogueRow, catalogue: Catalogue): string | null {
  if (!/supersede|replaced/.test(row.frontmatter)) return null
  const facts = readFrontmatter(row)
  const named = successorKeys.map((key) => facts[key]).find((value) => value !== undefined && value !== null)
  const value = Array.isArray(named) ? named[0] : named
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const target = String(value).trim()
  for (const form of ['id', 'link'] as const) {
    const found = resolveMention({ origin: row.path, form, text: target, target, line: 1 }, catalogue)
    if (found.outcome === 'resolved' && found.path !== row.path) return found.path
  }
  return null
}

const rulesByLanguage = (): ((language: string) => LanguageRules) =>
  remember((language) => {
    const { modules, self, bare_members } = readFormat(language as CodeLanguage)
    return { modules, self: new Set(self), bareMembers: bare_members === true }
  })

/** Returns the number of resolved names. Without code, names that led to code get no target. */
function resolveCode(
  { reader, writer }: Store,
  scope: ResolveScope,
  texts: {
    readonly catalogue: Catalogue
    readonly renamed: boolean
    readonly settle: (row: ReferenceRow, found: Resolution) => void
  },
): number {
  const references = reader.references()
  const open = (): { readonly catalogue: CodeCatalogue; readonly outlines: string } => {
    const entries = [...references.outlines()]
    const paths = entries.map(({ path }) => path)
    const settings = readModuleSettings(scope.readText, paths)
    const rulesOf = rulesByLanguage()
    const definitionsNamed = references.definitionsNamed.bind(references)
    const catalogue = makeCodeCatalogue({ entries, settings, rulesOf, definitionsNamed })
    const sum = createHash('sha256').update(JSON.stringify(settings))
    for (const { path, language, outline } of entries) sum.update(`\0${path}\0${language}\0${outline}`)
    return { catalogue, outlines: sum.digest('hex') }
  }
  // Definitions of code are read only if they may have changed or are needed.
  const isAsBefore = writer.changes !== 'names' && !scope.everything && !scope.changesModules
  let opened = isAsBefore ? null : open()
  const everything = scope.everything || (opened !== null && opened.outlines !== reader.meta('outlines'))
  const rows = references.inCode(everything ? 'all' : texts.renamed ? 'pending or by role' : 'pending')
  let count = 0
  for (const row of rows) {
    count++
    const mention = mentionOf(row)
    opened ??= open()
    const { catalogue } = opened
    const found =
      row.form === 'code' ? resolveMark(mention, catalogue, texts.catalogue) : resolveUse(mention, catalogue)
    texts.settle(row, found)
  }
  if (opened !== null) writer.setMeta('outlines', opened.outlines)
  return count
}

/** A role names code, or the place where a document describes it. */
function resolveMark(mention: Mention, catalogue: CodeCatalogue, texts: Catalogue): Resolution {
  const inCode = resolveCodeName(mention.target, mention.origin, catalogue)
  const name = inCode.outcome === 'resolved' ? null : readCodeRole(mention.target)
  if (name === null) return inCode
  const target = `role:${objectMark}${name.toLowerCase()}`
  const described = resolveMention({ ...mention, form: 'link', target }, texts)
  return described.outcome === 'external' ? inCode : described
}
