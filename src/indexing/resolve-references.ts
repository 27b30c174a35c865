// Where do the corpus's references lead after this run? Those in doubt are resolved again; then standing is counted anew.
import { hash } from 'node:crypto'
import { readFormat } from '../config/read-formats.ts'
import { makeGraph, rankDocuments } from '../graph/rank-documents.ts'
import type { Mention, Resolution } from '../model/reference.ts'
import type { CodeLanguage } from '../model/source-file.ts'
import { labelsKey, objectMark } from '../parse/marked-text.ts'
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
import { isCodeFile } from '../source/language-of.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { CorpusWriter } from '../store/corpus-writer.ts'
import { type CatalogueRow, mentionOf, type ReferenceRow } from '../store/reference-reader.ts'
import { damaged } from '../store/row-sum.ts'
import { type ReadText, readModuleSettings } from './read-module-settings.ts'

interface ResolveScope {
  /** Every document of the index is new: resolve everything. */
  readonly everything: boolean
  /** Documents that were added, changed or removed. */
  readonly changedPaths: readonly string[]
  readonly families: readonly IdFamily[]
  /** Package files say how modules are named. */
  readonly readText: ReadText
}

/** Frontmatter that names a document's successor. */
const successorKeys = 'superseded_by superseded-by supersededBy replaced_by replaced-by replacedBy'.split(' ')

interface Store {
  readonly reader: CorpusReader
  readonly writer: CorpusWriter
}

/** What the store says of a document, with its frontmatter read. */
interface Document extends CatalogueRow {
  readonly facts: Readonly<Record<string, unknown>>
}

function linksByDocument(reader: CorpusReader): ReadonlyMap<string, readonly string[]> {
  const links = new Map<string, string[]>()
  for (const [link, path] of reader.otherNames()) links.set(path, [...(links.get(path) ?? []), link])
  return links
}

/** What is read of a document only when an anchor asks for it. */
interface Texts {
  readonly sectionsOf: (
    file: number,
  ) => readonly { readonly id: string; readonly name: string; readonly anchor: string | null }[]
  readonly textsOf: (file: number) => readonly { readonly id: string | null; readonly text: string }[]
}

function makeCorpusCatalogue(
  documents: readonly Document[],
  {
    families,
    links,
    codePaths,
  }: {
    readonly families: readonly IdFamily[]
    readonly links: ReadonlyMap<string, readonly string[]>
    readonly codePaths: ReadonlySet<string>
  },
  texts: Texts,
): Catalogue {
  const entries = documents.map(({ file, path, title, facts }): CatalogueDocument => {
    let sections: CatalogueSection[] | null = null
    let ownAnchors: CatalogueDocument['ownAnchors'] | null = null
    return {
      path,
      title,
      frontmatter: facts,
      otherNames: links.get(path) ?? [],
      labels: readLabels(facts),
      // Few documents are linked to by anchor, and reading the headings of all costs more than resolving does.
      get sections() {
        sections ??= texts
          .sectionsOf(file)
          .map(({ id, name, anchor }) => ({ id, name, anchor: anchor ?? '' }))
        return sections
      },
      get ownAnchors() {
        ownAnchors ??= listOwnAnchors(texts.textsOf(file))
        return ownAnchors
      },
    }
  })
  return makeCatalogue(entries, { families, isCode: isCodeFile, codePaths })
}

const noLabels: ReadonlyMap<string, number> = new Map()

function readLabels(facts: Document['facts']): ReadonlyMap<string, number> {
  const labels = facts[labelsKey]
  return Array.isArray(labels) ? new Map(labels as [string, number][]) : noLabels
}

/** Everything that a mention's meaning depends on beside its target's headings: which documents there are, and their names. */
function namesOf(rows: readonly CatalogueRow[]): string {
  const lines = rows.map(
    ({ path, title, frontmatter, isCode }) => `${path}\0${title}\0${frontmatter}\0${isCode}\0`,
  )
  return hash('sha256', lines.join(''))
}

/** A comment that names a file without its folder is prose: it means a document of the corpus, or any file at all. */
const noReference: Resolution = { outcome: 'external', candidates: [] }

function isBareName({ form, target }: Mention): boolean {
  return form === 'link' && !target.includes('/')
}

/** Does a row say already what was found? */
function isSame(row: ReferenceRow, found: Resolution): boolean {
  if (found.outcome !== 'resolved')
    return row.outcome === found.outcome && row.candidates.join('\0') === found.candidates.join('\0')
  return (
    row.outcome === 'resolved' &&
    row.path === found.path &&
    row.section === found.section &&
    row.anchor === found.anchor &&
    row.confidence === found.confidence &&
    row.method === found.method
  )
}

/** Resolves what may have changed; says how many mentions that were. Runs inside the writer's transaction. */
export function resolveReferences(store: Store, scope: ResolveScope): number {
  const references = store.reader.references()
  const rows = references.catalogue()
  const names = namesOf(rows)
  const renamed = names !== store.reader.meta('names')
  const documents = rows.map((row) => ({
    ...row,
    facts: JSON.parse(row.frontmatter) as Record<string, unknown>,
  }))
  const codePaths = new Set(rows.flatMap(({ path, isCode }) => (isCode === 1 ? [path] : [])))
  const texts = codePaths.size === 0 ? documents : documents.filter(({ isCode }) => isCode === 0)
  const catalogue = makeCorpusCatalogue(
    texts,
    { families: scope.families, links: linksByDocument(store.reader), codePaths },
    {
      sectionsOf: (file) => references.sectionsOf(file),
      textsOf: (file) =>
        store.reader.artifactsOf(file).map(({ rowId, id, level }) => ({
          id: level === 0 ? null : id,
          text: store.reader.text(rowId).text,
        })),
    },
  )
  const doubtful = scope.everything
    ? references.everything()
    : renamed
      ? references.inDoubt(scope.changedPaths)
      : references.concerning(scope.changedPaths)
  const touched = new Set(scope.changedPaths)
  const settle = (row: ReferenceRow, found: Resolution): void => {
    if (isSame(row, found)) return
    store.writer.resolveMention(row, found)
    touched.add(row.originPath)
  }
  let count = 0
  for (const row of doubtful) {
    count++
    const mention = mentionOf(row)
    const inText = resolveMention(mention, catalogue)
    const found =
      inText.outcome === 'resolved'
        ? inText
        : codePaths.has(row.originPath) && isBareName(mention)
          ? noReference
          : (resolveCodeLink(mention, codePaths) ?? inText)
    settle(row, found)
  }
  const inCode = resolveCode(store, scope, { catalogue, renamed, settle })
  store.writer.setMeta('names', names)
  const successors = new Map(documents.map((row) => [row.path, successorOf(row, catalogue)]))
  setLeads(store, scope.everything ? null : touched)
  setStandings(store, successors)
  return count + inCode
}

/** What these documents refer to now, or all of them. */
function setLeads({ reader, writer }: Store, paths: ReadonlySet<string> | null): void {
  const leadsOf = reader.references().openLeads()
  for (const { id, path } of reader.fileIds(paths ?? undefined)) writer.setLeads(id, leadsOf(id, path))
}

/** Inbound references, rank and successor of every document. */
function setStandings({ reader, writer }: Store, successors: ReadonlyMap<string, string | null>): void {
  const references = reader.references()
  // By path, not by row: sums must not depend on the history of the index.
  const rows = references.standings()
  const places = new Map(rows.map(({ path }, place) => [path, place]))
  const placeOf = new Map(rows.map(({ file }, place) => [file, place]))
  const leads: Int32Array[] = []
  for (const { file, targets } of references.leads()) {
    const known = targets.flatMap((path) => places.get(path) ?? [])
    leads[placeOf.get(file) as number] = Int32Array.from(known).sort()
  }
  if (leads.length !== rows.length || leads.includes(undefined as never))
    throw damaged('what documents refer to')
  const edges = leads.reduce((sum, { length }) => sum + length, 0)
  const [from, to] = [new Int32Array(edges), new Int32Array(edges)]
  const inbound = new Int32Array(rows.length)
  let at = 0
  for (const [place, targets] of leads.entries()) {
    from.fill(place, at, at + targets.length)
    to.set(targets, at)
    at += targets.length
    for (const target of targets) inbound[target] = (inbound[target] as number) + 1
  }
  const ranks = rankDocuments(makeGraph(rows.length, from, to))
  for (const [place, row] of rows.entries()) {
    const standing = {
      inbound: inbound[place] as number,
      rank: ranks[place] as number,
      successor: successors.get(row.path) ?? null,
    }
    if (
      row.inbound !== standing.inbound ||
      row.rank !== standing.rank ||
      row.successor !== standing.successor
    )
      writer.setStanding(row.file, standing)
  }
}

function successorOf(row: Document, catalogue: Catalogue): string | null {
  const named = successorKeys
    .map((key) => row.facts[key])
    .find((value) => value !== undefined && value !== null)
  const value = Array.isArray(named) ? named[0] : named
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const target = String(value).trim()
  for (const form of ['id', 'link'] as const) {
    const found = resolveMention({ origin: row.path, form, text: target, target, line: 1 }, catalogue)
    if (found.outcome === 'resolved' && found.path !== row.path) return found.path
  }
  return null
}

function rulesByLanguage(): (language: string) => LanguageRules {
  const known = new Map<string, LanguageRules>()
  return (language) => {
    let rules = known.get(language)
    if (rules === undefined) {
      const { modules, self, bare_members } = readFormat(language as CodeLanguage)
      rules = { modules, self: new Set(self), bareMembers: bare_members === true }
      known.set(language, rules)
    }
    return rules
  }
}

/** Says how many names were looked up. When the last code has gone, the names that led to it lead nowhere. */
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
  const entries = references.outlines()
  const paths = entries.map(({ path }) => path)
  const settings = readModuleSettings(scope.readText, paths)
  const outlines = hash(
    'sha256',
    JSON.stringify([settings, entries.map(({ path, language, outline }) => [path, language, outline])]),
  )
  const everything = scope.everything || outlines !== reader.meta('outlines')
  const catalogue: CodeCatalogue = makeCodeCatalogue({
    entries,
    settings,
    rulesOf: rulesByLanguage(),
    definitionsNamed: (name) => references.definitionsNamed(name),
  })
  const rows = references.inCode(everything ? 'all' : texts.renamed ? 'pending or by role' : 'pending')
  let count = 0
  for (const row of rows) {
    count++
    const mention = mentionOf(row)
    const found =
      row.form === 'code' ? resolveMark(mention, catalogue, texts.catalogue) : resolveUse(mention, catalogue)
    texts.settle(row, found)
  }
  writer.setMeta('outlines', outlines)
  return count
}

/** What a role names is the code itself, else the place where a document describes it. */
function resolveMark(mention: Mention, catalogue: CodeCatalogue, texts: Catalogue): Resolution {
  const inCode = resolveCodeName(mention.target, catalogue)
  const name = inCode.outcome === 'resolved' ? null : readCodeRole(mention.target)
  if (name === null) return inCode
  const target = `role:${objectMark}${name.toLowerCase()}`
  const described = resolveMention({ ...mention, form: 'link', target }, texts)
  return described.outcome === 'external' ? inCode : described
}
