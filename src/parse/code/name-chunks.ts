// How are chunks of code identified? By dotted names below their file; definitions choose first, the rest takes what is free.
import type { CodeShape } from '../../model/code.ts'
import { maxNameChars } from '../bound-rows.ts'
import { cutText, type TakenNames, takeName } from '../slug.ts'
import { idPart, unquote } from './code-names.ts'
import type { CodeScan, PlacedName } from './code-scan.ts'
import type { Chunk, Layout } from './layout-chunks.ts'

export interface ChunkName {
  readonly shape: CodeShape
  /** What stands behind `path#`; empty for the module. */
  readonly id: string
  /** The last part of the dotted name. */
  readonly name: string
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
/** A block is called by so many of its variables. */
const shownVariables = 3

/** A name as others use it: `exports.run` is `run`, `Server.prototype.start` is `Server.start`. */
export function normalName(written: string): string {
  const bare = unquote(written.trim()).replaceAll('?.', '.')
  const parts = bare.split('.').filter((part) => part !== 'prototype' && part !== '')
  if (parts[0] === 'module' && parts[1] === 'exports') parts.splice(0, 2)
  else if (parts[0] === 'exports' || (parts[0] === 'this' && parts.length > 1)) parts.shift()
  return parts.length === 0 ? 'default' : parts.join('.')
}

/** Names every chunk of a file, in order. */
export function nameChunks(layout: Layout, scan: CodeScan, placeOf: (at: number) => number): ChunkName[] {
  const { chunks } = layout
  const variables = variablesByChunk(scan.variables, chunks, placeOf)
  const names: (ChunkName | null)[] = chunks.map(() => null)
  const taken = new Map<string, TakenNames>()
  const take = (parentId: string, name: string): string => {
    let siblings = taken.get(parentId)
    if (siblings === undefined) {
      siblings = new Map()
      taken.set(parentId, siblings)
    }
    return takeName(siblings, idPart(name))
  }
  const nameOne = (index: number, wanted: string, shown: string): void => {
    const chunk = chunks[index] as Chunk
    const parent = names[chunk.parent]
    const parentId = parent?.id ?? ''
    const own = take(parentId, wanted)
    const id = parentId === '' ? own : `${parentId}.${own}`
    const headings = [
      ...(parent?.headings ?? []),
      ...cutText(shown, 2 * maxNameChars)
        .split('.')
        .map((part) => cutText(part, maxNameChars)),
    ]
    const shape = shapeOf(chunk, chunks)
    names[index] = { shape, id, name: headings.at(-1) ?? '', headings, variables: variables.get(index) ?? [] }
  }
  if (chunks.length > 0) names[0] = { shape: 'module', id: '', name: '', headings: [], variables: [] }
  // Parents come before their children, so that one pass over definitions names them all.
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.definition === null || index === 0) continue
    const name = normalName(chunk.definition.name)
    const { owner } = chunk.definition
    const dotted = owner === null || owner === '' ? name : `${owner}.${name}`
    nameOne(index, dotted, dotted)
  }
  for (const [index, chunk] of chunks.entries()) {
    if (names[index] !== null) continue
    const bound = variables.get(index) ?? []
    const wanted = bound[0] ?? (unnamed[chunk.shape] as string)
    const shown = bound.length === 0 ? wanted : bound.slice(0, shownVariables).join(', ')
    nameOne(index, wanted, shown)
  }
  return names as ChunkName[]
}

function shapeOf(chunk: Chunk, chunks: readonly Chunk[]): CodeShape {
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
    const shape = chunks[index]?.shape
    if (shape !== 'block' && shape !== 'module') continue
    const known = byChunk.get(index) ?? []
    if (!known.includes(name)) byChunk.set(index, [...known, name])
  }
  return byChunk
}
