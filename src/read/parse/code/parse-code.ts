// What is in a code file? Its definitions as chunks that tile it, the names each uses, and the names it offers.

import type { Artifact, ArtifactKind, ParsedDocument } from '../../../model/artifact.ts'
import type { CodeMetadata, Format } from '../../../model/code.ts'
import { largest } from '../../../model/largest.ts'
import type { Mention, MentionForm } from '../../../model/reference.ts'
import { getOrAdd } from '../../../model/remember.ts'
import { checkSections } from '../bound-rows.ts'
import { findLines, offsetOf, type TextLines } from '../find-lines.ts'
import { idSearchFor, type MentionOptions } from '../markdown/find-mentions.ts'
import { emptyValues } from '../markdown/read-simple-lines.ts'
import { fileName, type ParsableFile } from '../parsable-file.ts'
import { type Block, type Cut, splitPieces } from '../split-pieces.ts'
import { parseGeneric } from '../text/parse-text.ts'
import { type BoundUse, bindNames } from './bind-names.ts'
import type { CodeReader, CodeScan, CodeSpan, StatementStart } from './code-scan.ts'
import { cutChunks } from './cut-chunks.ts'
import { findCitations } from './find-citations.ts'
import { type Chunk, type Layout, layoutChunks, makeLineOf } from './layout-chunks.ts'
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
    : new CodeSource(file, tool, scan).parse(options)
}

class CodeSource {
  readonly #file: ParsableFile
  readonly #format: Format
  readonly #scan: CodeScan
  readonly #lines: TextLines
  readonly #lineOf: (offset: number) => number
  #layout: Layout
  readonly #names: readonly ChunkName[]
  readonly #placeOf: (at: number) => number
  readonly #members = new Map<number, string[]>()
  readonly #modules = new Map<number, string[]>()
  readonly #scripts = new Map<number, string[]>()
  /** Dotted names of all chunks. */
  readonly #definitions: ReadonlySet<string>

  constructor(file: ParsableFile, { format }: CodeTool, scan: CodeScan) {
    this.#file = file
    this.#format = format
    this.#scan =
      format.flat_functions === true ? { ...scan, definitions: repairFunctions(file.text, scan) } : scan
    this.#lines = findLines(file.text)
    this.#lineOf = makeLineOf(this.#lines)
    this.#layout = layoutChunks(this.#lines, this.#scan)
    this.#layout = cutChunks(this.#layout, { lines: this.#lines, piecesOf: (chunk) => this.#pieces(chunk) })
    checkSections(this.#layout.chunks.length, file.text.length)
    this.#placeOf = makePlaceOf(this.#layout.chunks, this.#lineOf)
    this.#names = nameChunks(this.#layout, this.#scan, this.#placeOf)
    this.#gatherFacts()
    this.#definitions = new Set(this.#names.map(({ headings }) => headings.join('.')))
  }

  #gatherFacts(): void {
    const add = (to: Map<number, string[]>, index: number, name: string): void =>
      void getOrAdd(to, index, () => []).push(name)
    const classes = new Map(this.#names.map(({ shape, id }, index) => [shape === 'class' ? id : '', index]))
    for (const [index, { shape, name, headings }] of this.#names.entries()) {
      if (shape !== 'class_function') continue
      const parent = this.#layout.chunks[index]?.parent ?? 0
      // A Go method is outside its type.
      const owner = parent > 0 ? parent : classes.get(headings.slice(0, -1).join('.'))
      if (owner !== undefined) add(this.#members, owner, name)
    }
    for (const { start, module } of this.#scan.imports)
      if (module !== '') add(this.#modules, this.#placeOf(start), module)
    for (const { name, at } of this.#scan.scripts) add(this.#scripts, this.#placeOf(at), name)
  }

  parse(options: Partial<MentionOptions>): ParsedDocument {
    const { path, language } = this.#file
    const outline = makeOutline(this.#scan, this.#layout, this.#names)
    const defined = outline.symbols.map(({ name }) => name)
    const known = new Set([...defined, ...outline.imports.map(({ local }) => local)])
    const byName = outline.imports.filter(({ name }) => name !== null && name !== '*' && name !== 'default')
    const { builtins, self, bare_members } = this.#format
    const uses = bindNames(this.#scan, this.#layout.chunks, this.#placeOf, {
      builtins: new Set(builtins),
      self: new Set(self),
      bareMembers: bare_members === true,
      known,
      values: new Set([...defined, ...byName.map(({ local }) => local)]),
      nested: (index, name) => this.#nested(index, name),
    })
    const artifacts = this.#names.map((name, index) => this.#artifact(name, index, uses.get(index) ?? []))
    const facts = { title: fileName(path), status: null, frontmatter: emptyValues() }
    return { path, language, facts, artifacts, mentions: this.#mentions(artifacts, uses, options), outline }
  }

  #nested(index: number, name: string): string | undefined {
    for (let at = index, up = 0; at > 0 && up < maxNesting; at = this.#layout.chunks[at]?.parent ?? 0, up++) {
      if (this.#layout.chunks[at]?.shape !== 'function') continue
      const dotted = `${this.#names[at]?.headings.join('.')}.${name}`
      if (this.#definitions.has(dotted)) return dotted
    }
    return undefined
  }

  #artifact(name: ChunkName, index: number, uses: readonly BoundUse[]): Artifact {
    const chunk = this.#layout.chunks[index] as Chunk
    const { path, language } = this.#file
    const parent = chunk.parent < 0 ? null : this.#idOf(chunk.parent)
    const isEmpty = chunk.end <= chunk.start
    const last = Math.max(chunk.start + 1, chunk.lastEnd)
    return {
      id: this.#idOf(index),
      kind: this.#kindOf(name),
      path,
      name: index === 0 ? fileName(path) : name.name,
      anchor: index === 0 ? null : name.id,
      language,
      headings: name.headings,
      level: index === 0 ? 0 : this.#level(chunk),
      lines: { start: chunk.start + 1, end: last },
      ownLines: isEmpty ? null : { start: chunk.start + 1, end: chunk.end },
      text: this.#lines.text.slice(offsetOf(this.#lines, chunk.start), offsetOf(this.#lines, chunk.end)),
      pieces: isEmpty ? [] : this.#pieces(chunk),
      parent,
      metadata: pickFields(this.#metadata(name, index, uses), this.#kindOf(name), this.#format),
    }
  }

  /** An HTML page is a document; any other file is a module. */
  #kindOf({ shape }: ChunkName): ArtifactKind {
    const { language } = this.#file
    const page = `${language}_document`
    const isPage = shape === 'module' && Object.hasOwn(this.#format.chunk_types, page)
    return (isPage ? page : `${language}_${shape}`) as ArtifactKind
  }

  #level(chunk: Chunk): number {
    let level = 0
    for (let at: Chunk | undefined = chunk; at !== undefined && at.parent >= 0; level++)
      at = this.#layout.chunks[at.parent]
    return level
  }

  #idOf(index: number): string {
    const { id } = this.#names[index] as ChunkName
    return id === '' ? this.#file.path : `${this.#file.path}#${id}`
  }

  /** The signature with its documentation first, then the body; long parts are cut between statements. */
  #pieces(chunk: Chunk): Artifact['pieces'] {
    const blocks: Block[] = [{ line: chunk.start }]
    const { start, end } = chunk
    const body = this.#bodyLine(chunk)
    const length = offsetOf(this.#lines, end) - offsetOf(this.#lines, start)
    if (length > signatureApart && body > start && body < end) blocks.push({ line: body })
    return splitPieces(this.#lines, { start, end, blocks, cutsOf: () => this.#cuts(chunk) })
  }

  #bodyLine({ definition }: Chunk): number {
    if (definition === null || definition.body === null) return 0
    if (definition.doc !== null) return this.#lineOf(definition.doc.end - 1) + 1
    return this.#lineOf(Math.max(definition.start, definition.body - 1)) + 1
  }

  /** Lines that start with a statement; the comments above it belong to it. */
  #cuts(chunk: Chunk): Cut[] {
    const cuts = new Map<number, number>()
    const { statements } = this.#scan
    const to = offsetOf(this.#lines, chunk.end)
    const isComment = (line: number): boolean => line > chunk.start && this.#layout.comments.has(line)
    let [own, first, line] = [-1, -1, -1]
    for (let at = this.#firstStatement(offsetOf(this.#lines, chunk.start)); at < statements.length; at++) {
      const statement = statements[at] as StatementStart
      if (statement.at >= to) break
      if (statement.at !== first) {
        line = this.#lineOf(statement.at)
        if (line === own) continue
        own = line
        first = -1
        if (isComment(line) && isComment(line - 1)) continue
        if (this.#lines.text.slice(offsetOf(this.#lines, line), statement.at).trim() !== '') continue
        first = statement.at
        while (isComment(line - 1)) line--
      }
      cuts.set(line, Math.min(statement.level, cuts.get(line) ?? statement.level))
    }
    return [...cuts].map(([line, level]) => ({ line, level })).sort((a, b) => a.line - b.line)
  }

  /** Index of the first statement behind an offset. */
  #firstStatement(offset: number): number {
    const { statements } = this.#scan
    return largest(statements.length, (count) => (statements[count - 1] as StatementStart).at <= offset)
  }

  #metadata(name: ChunkName, index: number, uses: readonly BoundUse[]): CodeMetadata {
    const owner = name.shape === 'class_function' ? name.headings.slice(0, -1).join('.') : ''
    const modules = name.shape === 'import' ? (this.#modules.get(index) ?? []) : []
    const scripts = index === 0 ? this.#scan.scripts.map((script) => script.name) : this.#scripts.get(index)
    return {
      identifier: index === 0 ? this.#file.path : name.headings.join('.'),
      uses: uses.map(({ text }) => text),
      member_functions: this.#members.get(index) ?? [],
      ...(owner === '' ? {} : { class_name: owner }),
      imports: [...new Set(modules)],
      external_scripts: scripts ?? [],
    }
  }

  #mentions(
    artifacts: readonly Artifact[],
    uses: ReadonlyMap<number, readonly BoundUse[]>,
    options: Partial<MentionOptions>,
  ): Mention[] {
    const mentions: Mention[] = []
    const add = (form: MentionForm, at: number, text: string, target: string): void => {
      const origin = (artifacts[this.#placeOf(at)] as Artifact).id
      mentions.push({ origin, form, text, target, line: this.#lineOf(at) + 1 })
    }
    for (const found of uses.values()) for (const { at, text, target } of found) add('uses', at, text, target)
    const modules = new Set<string>()
    for (const { start, module } of this.#scan.imports) {
      if (module === '' || modules.has(module)) continue
      modules.add(module)
      add('import', start, module, module)
    }
    let last = 0
    for (const { module } of this.#scan.exports) {
      if (module === null || modules.has(module)) continue
      modules.add(module)
      // With many names, each search starts after the last match, so that time stays linear.
      last = Math.max(0, this.#file.text.indexOf(module, modules.size > manyModules ? last : 0))
      add('import', last, module, module)
    }
    for (const { name, at } of this.#scan.scripts) add('script', at, name, name)
    for (const { owner, nameStart } of this.#scan.definitions)
      if (owner !== null && owner !== '') add('class', nameStart, owner, owner)
    const parts = [...this.#scan.comments, ...this.#docs()]
    const search = idSearchFor(this.#file.text, options)
    for (const { form, target, at } of findCitations(this.#file.text, parts, search))
      add(form, at, target, target)
    return mentions.sort((a, b) => a.line - b.line)
  }

  #docs(): CodeSpan[] {
    const { moduleDoc, definitions, comments } = this.#scan
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
