// What is in a code file? Its definitions as chunks that tile it, the names each uses, and the names it offers.

import type { Artifact, ArtifactKind, ParsedDocument } from '../../../model/artifact.ts'
import type { CodeMetadata, Format } from '../../../model/code.ts'
import { largest } from '../../../model/largest.ts'
import type { Mention, MentionForm } from '../../../model/reference.ts'
import { getOrAdd } from '../../../model/remember.ts'
import { checkSections } from '../bound-rows.ts'
import { findLines, offsetOf } from '../find-lines.ts'
import { idSearchFor, type MentionOptions } from '../markdown/find-mentions.ts'
import { emptyValues } from '../markdown/read-simple-lines.ts'
import { fileName, type ParsableFile } from '../parsable-file.ts'
import { type Block, type Cut, splitPieces } from '../split-pieces.ts'
import { parseGeneric } from '../text/parse-text.ts'
import { type BoundUse, bindNames } from './bind-names.ts'
import type { CodeReader, CodeScan, CodeSpan, StatementStart } from './code-scan.ts'
import { cutChunks } from './cut-chunks.ts'
import { findCitations } from './find-citations.ts'
import { type Chunk, layoutChunks, makeLineOf } from './layout-chunks.ts'
import { makeOutline } from './make-outline.ts'
import { type ChunkName, nameChunks } from './name-chunks.ts'
import { repairFunctions } from './repair-functions.ts'

/** The reader of a language: its grammar with query, and its format. */
export interface CodeTool {
  readonly read: CodeReader
  readonly format: Format
}

/** The tool for a code file; null if its grammar is not open. */
export type FindTool = (file: ParsableFile) => CodeTool | null

export const noTool: FindTool = () => null

/** Parses code; without a tool, or if the grammar gives up, the text becomes generic chunks. */
export function parseCode(file: ParsableFile, tool: CodeTool | null, options: Partial<MentionOptions> = {}) {
  const scan = tool === null ? null : tool.read(file.text)
  return tool === null || scan === null
    ? parseGeneric(file, options)
    : parseScan(file, tool.format, scan, options)
}

function parseScan(
  { path, language, text }: ParsableFile,
  format: Format,
  read: CodeScan,
  options: Partial<MentionOptions>,
): ParsedDocument {
  const isFlat = format.flat_functions === true
  const scan = isFlat ? { ...read, definitions: repairFunctions(text, read) } : read
  const lines = findLines(text)
  const lineOf = makeLineOf(lines)
  let layout = layoutChunks(lines, scan)
  layout = cutChunks(layout, { lines, piecesOf: piecesIn })
  checkSections(layout.chunks.length, text.length)
  const placeOf = makePlaceOf(layout.chunks, lineOf)
  const names = nameChunks(layout, scan, placeOf)
  const membersOf = new Map<number, string[]>()
  const modulesOf = new Map<number, string[]>()
  const scriptsOf = new Map<number, string[]>()
  gatherFacts()
  /** Dotted names of all chunks. */
  const dottedNames = new Set(names.map(({ headings }) => headings.join('.')))
  const outline = makeOutline(scan, layout, names)
  const defined = outline.symbols.map(({ name }) => name)
  const known = new Set([...defined, ...outline.imports.map(({ local }) => local)])
  const byName = outline.imports.filter(({ name }) => name !== null && name !== '*' && name !== 'default')
  const { builtins, self, bare_members } = format
  const uses = bindNames(scan, layout.chunks, placeOf, {
    builtins: new Set(builtins),
    self: new Set(self),
    bareMembers: bare_members === true,
    known,
    values: new Set([...defined, ...byName.map(({ local }) => local)]),
    nested: nestedName,
  })
  const artifacts = names.map((name, index) => makeArtifact(name, index, uses.get(index) ?? []))
  const facts = { title: fileName(path), status: null, frontmatter: emptyValues() }
  return { path, language, facts, artifacts, mentions: findMentions(artifacts, uses), outline }

  function gatherFacts(): void {
    const add = (to: Map<number, string[]>, index: number, name: string): void =>
      void getOrAdd(to, index, () => []).push(name)
    const classes = new Map(names.map(({ shape, id }, index) => [shape === 'class' ? id : '', index]))
    for (const [index, { shape, name, headings }] of names.entries()) {
      if (shape !== 'class_function') continue
      const parent = layout.chunks[index]?.parent ?? 0
      // A Go method is outside its type.
      const owner = parent > 0 ? parent : classes.get(headings.slice(0, -1).join('.'))
      if (owner !== undefined) add(membersOf, owner, name)
    }
    for (const { start, module } of scan.imports) if (module !== '') add(modulesOf, placeOf(start), module)
    for (const { name, at } of scan.scripts) add(scriptsOf, placeOf(at), name)
  }

  function nestedName(index: number, name: string): string | undefined {
    for (let at = index, up = 0; at > 0 && up < maxNesting; at = layout.chunks[at]?.parent ?? 0, up++) {
      if (layout.chunks[at]?.shape !== 'function') continue
      const dotted = `${names[at]?.headings.join('.')}.${name}`
      if (dottedNames.has(dotted)) return dotted
    }
    return undefined
  }

  function makeArtifact(name: ChunkName, index: number, uses: readonly BoundUse[]): Artifact {
    const chunk = layout.chunks[index] as Chunk
    const parent = chunk.parent < 0 ? null : idAt(chunk.parent)
    const isEmpty = chunk.end <= chunk.start
    const last = Math.max(chunk.start + 1, chunk.lastEnd)
    return {
      id: idAt(index),
      kind: kindOf(name),
      path,
      name: index === 0 ? fileName(path) : name.name,
      anchor: index === 0 ? null : name.id,
      language,
      headings: name.headings,
      level: index === 0 ? 0 : levelOf(chunk),
      lines: { start: chunk.start + 1, end: last },
      ownLines: isEmpty ? null : { start: chunk.start + 1, end: chunk.end },
      text: lines.text.slice(offsetOf(lines, chunk.start), offsetOf(lines, chunk.end)),
      pieces: isEmpty ? [] : piecesIn(chunk),
      parent,
      metadata: pickFields(metadataOf(name, index, uses), kindOf(name), format),
    }
  }

  /** An HTML page is a document; any other file is a module. */
  function kindOf({ shape }: ChunkName): ArtifactKind {
    const page = `${language}_document`
    const isPage = shape === 'module' && Object.hasOwn(format.chunk_types, page)
    return (isPage ? page : `${language}_${shape}`) as ArtifactKind
  }

  function levelOf(chunk: Chunk): number {
    let level = 0
    for (let at: Chunk | undefined = chunk; at !== undefined && at.parent >= 0; level++)
      at = layout.chunks[at.parent]
    return level
  }

  function idAt(index: number): string {
    const { id } = names[index] as ChunkName
    return id === '' ? path : `${path}#${id}`
  }

  /** The signature with its documentation first, then the body; long parts are cut between statements. */
  function piecesIn(chunk: Chunk): Artifact['pieces'] {
    const blocks: Block[] = [{ line: chunk.start }]
    const { start, end } = chunk
    const body = bodyLine(chunk)
    const length = offsetOf(lines, end) - offsetOf(lines, start)
    if (length > signatureApart && body > start && body < end) blocks.push({ line: body })
    return splitPieces(lines, { start, end, blocks, cutsOf: () => cutsIn(chunk) })
  }

  function bodyLine({ definition }: Chunk): number {
    if (definition === null || definition.body === null) return 0
    if (definition.doc !== null) return lineOf(definition.doc.end - 1) + 1
    return lineOf(Math.max(definition.start, definition.body - 1)) + 1
  }

  /** Lines that start with a statement; the comments above it belong to it. */
  function cutsIn(chunk: Chunk): Cut[] {
    const cuts = new Map<number, number>()
    const { statements } = scan
    const to = offsetOf(lines, chunk.end)
    const isComment = (line: number): boolean => line > chunk.start && layout.comments.has(line)
    let [own, first, line] = [-1, -1, -1]
    for (let at = firstStatement(offsetOf(lines, chunk.start)); at < statements.length; at++) {
      const statement = statements[at] as StatementStart
      if (statement.at >= to) break
      if (statement.at !== first) {
        line = lineOf(statement.at)
        if (line === own) continue
        own = line
        first = -1
        if (isComment(line) && isComment(line - 1)) continue
        if (lines.text.slice(offsetOf(lines, line), statement.at).trim() !== '') continue
        first = statement.at
        while (isComment(line - 1)) line--
      }
      cuts.set(line, Math.min(statement.level, cuts.get(line) ?? statement.level))
    }
    return [...cuts].map(([line, level]) => ({ line, level })).sort((a, b) => a.line - b.line)
  }

  /** Index of the first statement behind an offset. */
  function firstStatement(offset: number): number {
    const { statements } = scan
    return largest(statements.length, (count) => (statements[count - 1] as StatementStart).at <= offset)
  }

  function metadataOf(name: ChunkName, index: number, uses: readonly BoundUse[]): CodeMetadata {
    const owner = name.shape === 'class_function' ? name.headings.slice(0, -1).join('.') : ''
    const modules = name.shape === 'import' ? (modulesOf.get(index) ?? []) : []
    const scripts = index === 0 ? scan.scripts.map((script) => script.name) : scriptsOf.get(index)
    return {
      identifier: index === 0 ? path : name.headings.join('.'),
      uses: uses.map(({ text }) => text),
      member_functions: membersOf.get(index) ?? [],
      ...(owner === '' ? {} : { class_name: owner }),
      imports: [...new Set(modules)],
      external_scripts: scripts ?? [],
    }
  }

  function findMentions(
    artifacts: readonly Artifact[],
    uses: ReadonlyMap<number, readonly BoundUse[]>,
  ): Mention[] {
    const mentions: Mention[] = []
    const add = (form: MentionForm, at: number, text: string, target: string): void => {
      const origin = (artifacts[placeOf(at)] as Artifact).id
      mentions.push({ origin, form, text, target, line: lineOf(at) + 1 })
    }
    for (const found of uses.values()) for (const { at, text, target } of found) add('uses', at, text, target)
    const modules = new Set<string>()
    for (const { start, module } of scan.imports) {
      if (module === '' || modules.has(module)) continue
      modules.add(module)
      add('import', start, module, module)
    }
    let last = 0
    for (const { module } of scan.exports) {
      if (module === null || modules.has(module)) continue
      modules.add(module)
      // With many names, each search starts after the last match, so that time stays linear.
      last = Math.max(0, text.indexOf(module, modules.size > manyModules ? last : 0))
      add('import', last, module, module)
    }
    for (const { name, at } of scan.scripts) add('script', at, name, name)
    for (const { owner, nameStart } of scan.definitions)
      if (owner !== null && owner !== '') add('class', nameStart, owner, owner)
    const parts = [...scan.comments, ...docComments()]
    const search = idSearchFor(text, options)
    for (const { form, target, at } of findCitations(text, parts, search)) add(form, at, target, target)
    return mentions.sort((a, b) => a.line - b.line)
  }

  function docComments(): CodeSpan[] {
    const { moduleDoc, definitions, comments } = scan
    const docs = definitions.flatMap(({ doc }) => (doc === null ? [] : [doc]))
    const isComment = comments.some(({ start }) => start === moduleDoc?.start)
    return moduleDoc === null || isComment ? docs : [moduleDoc, ...docs]
  }
}

/** Maximum functions around a name that are searched for its definition. */
const maxNesting = 8

/** Limit on re-exported modules that are searched for in the whole file. */
const manyModules = 1_000

/** In a longer chunk the signature is a separate piece, so that part of the body can be shown below it. */
const signatureApart = 1_200

const makePlaceOf =
  (chunks: readonly Chunk[], lineOf: (offset: number) => number): ((at: number) => number) =>
  (at) => {
    const line = lineOf(at)
    return largest(chunks.length - 1, (index) => (chunks[index] as Chunk).start <= line)
  }

/** The metadata that the format allows. */
function pickFields(metadata: CodeMetadata, kind: string, format: Format): CodeMetadata {
  const fields = format.chunk_types[kind]?.fields ?? {}
  const kept = Object.entries(metadata).filter(
    ([name, value]) => Object.hasOwn(fields, name) && (typeof value === 'string' || value.length > 0),
  )
  return Object.fromEntries(kept)
}
