// How are chunks of code identified? By dotted names below their file; definitions choose first, and all ids of a file differ.
import type { CodeShape, OutlineSymbol } from '../../../model/code.ts'
import { maxNameChars } from '../bound-rows.ts'
import { cutText, type TakenNames, takeName } from '../slug.ts'
import { idPart, unquote } from './code-names.ts'
import type { CodeScan, PlacedName } from './code-scan.ts'
import type { Chunk, Layout } from './layout-chunks.ts'

/** Its name is the last part of the dotted one; the id of the module is empty. */
export interface ChunkName extends Pick<OutlineSymbol, 'shape' | 'id' | 'name'> {
  /** From the outermost class to this one. */
  readonly headings: readonly string[]
  /** Variables that a block binds. */
  readonly variables: readonly string[]
}

const unnamed: Readonly<Record<string, string>> = {
  import: 'imports',
  docstring: 'docstring',
  block: 'block',
  script: 'script',
}
/** Limit on the variables in the name of a block. */
const shownVariables = 3

/** A name as other files use it: `exports.run` is `run`, `Server.prototype.start` is `Server.start`. */
export function normalName(written: string): string {
  const bare = unquote(written.trim()).replaceAll('?.', '.')
  const parts = bare.split('.').filter((part) => part !== 'prototype' && part !== '')
  if (parts[0] === 'module' && parts[1] === 'exports') parts.splice(0, 2)
  else if (parts[0] === 'exports' || (parts[0] === 'this' && parts.length > 1)) parts.shift()
  return parts.length === 0 ? 'default' : parts.join('.')
}

/** Names every chunk of a file, in order. Ids are unique over the whole file. */
export function nameChunks(layout: Layout, scan: CodeScan, placeOf: (at: number) => number): ChunkName[] {
  const { chunks } = layout
  const variables = variablesByChunk(scan.variables, chunks, placeOf)
  const written = chunks.map((chunk, index) => writtenName(chunk, variables.get(index) ?? []))
  const ids = takeIds(chunks, written)
  const names: ChunkName[] = []
  // Parents come before their children.
  for (const [index, chunk] of chunks.entries()) {
    const bound = variables.get(index) ?? []
    const isBound = chunk.definition === null && bound.length > 0
    const id = ids[index] as string
    if (chunk.part !== undefined && !isBound) {
      const { name, headings, shape } = names[chunk.part.of] as ChunkName
      names.push({ shape: shape === 'test' ? shape : 'block', id, name, headings, variables: [] })
      continue
    }
    const shown = isBound ? bound.slice(0, shownVariables).join(', ') : (written[index] as string)
    const own = cutText(shown, 2 * maxNameChars)
      .split('.')
      .map((part) => cutText(part, maxNameChars))
    const headings = index === 0 ? [] : [...(names[chunk.parent]?.headings ?? []), ...own]
    const shape = index === 0 ? 'module' : shapeOf(chunk, chunks)
    names.push({ shape, id, name: headings.at(-1) ?? '', headings, variables: bound })
  }
  return names
}

/** The name of a chunk in the text; dotted for a member outside its class. */
function writtenName({ shape, definition, part }: Chunk, variables: readonly string[]): string {
  if (definition === null) return variables[0] ?? part?.name ?? unnamed[shape] ?? ''
  const name = normalName(definition.name)
  return definition.owner === null || definition.owner === '' ? name : `${definition.owner}.${name}`
}

/**
 * Assigns ids in three passes, each in the order of the text: the first definition of a name keeps it; later ones are
 * numbered so that no other name of the file results; everything else takes a free name.
 */
function takeIds(chunks: readonly Chunk[], written: readonly string[]): readonly string[] {
  const ids: (string | undefined)[] = chunks.map((_, index) => (index === 0 ? '' : undefined))
  const taken: TakenNames = new Map()
  const wanted = (index: number): string | null => {
    const parentId = ids[(chunks[index] as Chunk).parent]
    if (parentId === undefined) return null
    const part = idPart(written[index] as string)
    return parentId === '' ? part : `${parentId}.${part}`
  }
  for (const [index, { definition }] of chunks.entries()) {
    const id = index === 0 || definition === null ? null : wanted(index)
    if (id === null || taken.has(id)) continue
    ids[index] = takeName(taken, id)
  }
  for (const isDefinition of [true, false])
    for (const [index, { definition }] of chunks.entries())
      if (ids[index] === undefined && (definition !== null) === isDefinition)
        ids[index] = takeName(taken, wanted(index) as string)
  return ids as string[]
}

function shapeOf(chunk: Chunk, chunks: readonly Chunk[]): CodeShape {
  for (let at: Chunk | undefined = chunk; at !== undefined; at = chunks[at.parent])
    if (at.definition?.isTest === true) return 'test'
  if (chunk.shape !== 'function') return chunk.shape
  const isMember = chunks[chunk.parent]?.shape === 'class' || (chunk.definition?.owner ?? '') !== ''
  return isMember || normalName(chunk.definition?.name ?? '').includes('.') ? 'class_function' : 'function'
}

function variablesByChunk(
  variables: readonly PlacedName[],
  chunks: readonly Chunk[],
  placeOf: (at: number) => number,
): Map<number, string[]> {
  const byChunk = new Map<number, string[]>()
  for (const { name, at } of variables) {
    const index = placeOf(at)
    const shape = chunks[chunks[index]?.part?.of ?? index]?.shape
    if (shape !== 'block' && shape !== 'module') continue
    const known = byChunk.get(index) ?? []
    if (!known.includes(name)) byChunk.set(index, [...known, name])
  }
  return byChunk
}
