import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listGarbage } from './collect-versions.ts'
import { type Manifest, partKey, type VersionPart } from './version.ts'

const part = (minTxid: number, maxTxid: number, mark = 'a'): VersionPart => {
  const sha256 = mark.repeat(64)
  return {
    kind: minTxid === 1 ? 'base' : 'delta',
    key: partKey(3, { minTxid, maxTxid, sha256 }),
    sha256,
    size: 1,
    minTxid,
    maxTxid,
    checksum: '8000000000000000',
  }
}
const keysOf = (...manifests: Manifest[]): string[] => manifests.flat().map(({ key }) => key)

const old: Manifest = [part(1, 1), part(2, 2), part(3, 3)]
const current: Manifest = [part(1, 4), part(5, 5)]

it('collects what an older version alone needed, when no other release reads it', () => {
  const keys = keysOf(old, current)
  expect(listGarbage(keys, { current, former: [] })).toEqual(keysOf(old))
  expect(listGarbage(keys, { current, former: [old.slice(0, 2)] })).toEqual([old[2]!.key])
})

it('leaves a publication under way, and collects it once another took its transaction', () => {
  const [mine, theirs] = [part(6, 6, 'b'), part(6, 6, 'c')]
  const keys = [...keysOf(current), mine.key, theirs.key]
  expect(listGarbage(keys, { current, former: [] })).toEqual([])
  const next = [...current, theirs]
  expect(listGarbage(keys, { current: next, former: [] })).toEqual([mine.key])
})

it('leaves a base that may be about to take the place of deltas, until a later one is there', () => {
  const base = part(1, 5, 'b')
  const keys = [...keysOf(current), base.key]
  expect(listGarbage(keys, { current, former: [] })).toEqual([])
  expect(listGarbage(keys, { current: [...current, part(6, 6)], former: [] })).toEqual([])
  const later: Manifest = [part(1, 6, 'c')]
  expect(listGarbage([...keys, ...keysOf(later)], { current: later, former: [] })).toEqual(keys)
})

it('leaves what it does not know, and everything of a corpus without a version', () => {
  const keys = ['corpora/3/notes.txt', ...keysOf(old)]
  expect(listGarbage(keys, { current: [], former: [] })).toEqual([])
  expect(listGarbage(keys, { current: [], version: 3, former: [] })).toEqual(keysOf(old))
  expect(listGarbage(keys, { current, former: [] })).not.toContain('corpora/3/notes.txt')
})

it('never collects what the current version or a former one names, and nothing else stays of the past', () => {
  const history = Array.from({ length: 12 }, (_, at) => part(at % 5 === 0 ? 1 : at + 1, at + 1))
  const manifestAt = (at: number): Manifest => history.slice(at - (at % 5), at + 1)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 11 }),
      fc.array(fc.integer({ min: 0, max: 11 })),
      (at, versions) => {
        const standing = { current: manifestAt(at), former: versions.map(manifestAt) }
        const garbage = new Set(listGarbage(keysOf(history), standing))
        const live = new Set(keysOf(standing.current, ...standing.former))
        for (const { key, maxTxid } of history)
          expect(garbage.has(key)).toBe(!live.has(key) && maxTxid <= at + 1)
      },
    ),
  )
})
