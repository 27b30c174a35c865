// What do the candidates of a question say of each other? Pages whose sections match, code whose tests match, the newest release notes.

import { isTestPath, testedName } from '../../corpus/resolve/code/code-roles.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { compareVersions, type Version, versionIn } from './section-roles.ts'
import { DEEP_FOLDERS, MANY_SECTIONS } from './tuning.ts'

/** What is compared of a candidate. */
interface Compared {
  readonly kind: string
  readonly path: string
  readonly headings: readonly string[]
  readonly relevance: number
  readonly isSuperseded: boolean
}

const depthOf = (path: string): number => path.split('/').length

/** What the candidates of one file say together. */
export interface FileEvidence {
  /** How many of its sections match, on a logarithmic scale from 0 to 1. */
  readonly sections: number
  /** How far it lies below the shallowest candidate, 0 to 1. */
  readonly depth: number
}

export function findFileEvidence(inputs: readonly Compared[]): Map<string, FileEvidence> {
  const files = Map.groupBy(inputs, ({ path }) => path)
  const shallowest = [...files.keys()].reduce((least, path) => Math.min(least, depthOf(path)), Infinity)
  return new Map(
    [...files].map(([path, list]) => {
      const sections = Math.min(1, Math.log2(1 + list.length) / Math.log2(1 + MANY_SECTIONS))
      return [path, { sections, depth: Math.min(1, (depthOf(path) - shallowest) / DEEP_FOLDERS) }]
    }),
  )
}

/**
 * For code, how well the best test of the same name matches, else 0: a test often says in words what its subject does,
 * and the subject does not.
 */
export function findTestEvidence(inputs: readonly Compared[]): (input: Compared) => number {
  const best = new Map<string, number>()
  for (const { path, relevance } of inputs.filter(({ kind }) => isCodeKind(kind))) {
    if (!isTestPath(path)) continue
    const name = testedName(path)
    best.set(name, Math.max(best.get(name) ?? 0, relevance))
  }
  return ({ kind, path }) =>
    best.size > 0 && isCodeKind(kind) && !isTestPath(path) ? (best.get(testedName(path)) ?? 0) : 0
}

/** The newest version among the candidates, for each document of release notes. */
export function findNewestVersions<T extends Compared>(inputs: readonly T[]): ReadonlySet<T> {
  const newest = new Map<string, { version: Version; of: T[] }>()
  for (const input of inputs) {
    const version = input.headings.map(versionIn).find((one) => one !== null)
    if (version == null || input.isSuperseded || isCodeKind(input.kind)) continue
    const known = newest.get(input.path)
    const order = known === undefined ? 1 : compareVersions(version, known.version)
    if (order > 0) newest.set(input.path, { version, of: [input] })
    else if (order === 0) known?.of.push(input)
  }
  return new Set([...newest.values()].flatMap(({ of }) => of))
}
