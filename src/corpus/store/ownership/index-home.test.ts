import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { claimIndex } from './index-home.ts'

/** A user with this many tokens of indexes in the given folder, and a function that claims new indexes. */
function makeUser(tokens: number, folder: string): { readonly indexes: string; claim(count: number): void } {
  const base = mkdtempSync(path.join(tmpdir(), 'yore-home-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const indexes = path.join(base, 'yore', 'indexes')
  mkdirSync(indexes, { recursive: true })
  for (let token = 0; token < tokens; token++)
    writeFileSync(path.join(indexes, `token-${token}`), path.join(base, folder))
  let claimed = 0
  return {
    indexes,
    claim: (count) => {
      for (const last = claimed + count; claimed < last; claimed++) {
        const home = path.join(base, `index-${claimed}`)
        mkdirSync(home)
        claimIndex(path.join(home, 'index.db'), { XDG_STATE_HOME: base })
      }
    },
  }
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

it('creates an index without looking at all others of the user', () => {
  const user = makeUser(5000, '.')
  user.claim(10)
  const all = processorMs(() => {
    for (const name of readdirSync(user.indexes)) readFileSync(path.join(user.indexes, name))
  })
  expect(processorMs(() => user.claim(60))).toBeLessThan(20 * all)
})

it('forgets indexes that are gone, when there are many', () => {
  const user = makeUser(1000, 'gone')
  // Each has one chance in 256.
  for (let round = 0; round < 100 && readdirSync(user.indexes).includes('token-0'); round++) user.claim(50)
  expect(readdirSync(user.indexes).filter((name) => name.startsWith('token-'))).toEqual([])
})
