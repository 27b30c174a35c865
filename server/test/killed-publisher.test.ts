import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { editDatabase, hashFile, makeTestFolder } from './support/versions.ts'

/** `YORE_SLOW=1` kills more often. */
const kills = process.env['YORE_SLOW'] === undefined ? 15 : 200

/** Starts the process and kills it, as a loss of power would, so long after it began; how long a round took, if it did. */
async function runAndKill(folder: string, states: readonly string[], ms: number | null): Promise<number> {
  const script = path.join(import.meta.dirname, 'publishing-process.ts')
  const child = spawn(process.execPath, [script, folder, ...states], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const said = async (): Promise<unknown> => Promise.race([once(child.stdout, 'data'), ended])
  await said()
  const began = performance.now()
  if (ms === null) await said()
  else await pause(ms)
  const took = performance.now() - began
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  return took
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

it('leaves nothing half under a name that anybody opens, killed at any moment', async () => {
  const folder = makeTestFolder()
  const whole = path.join(folder, 'state.db')
  const states: string[] = []
  for (let seed = 0; seed < 4; seed++) {
    editDatabase(whole, [{ kind: 'insert', rows: seed === 0 ? 20_000 : 40, seed }], 4096)
    states.push(path.join(folder, `state-${seed}.db`))
    copyFileSync(whole, states[seed]!)
  }
  const right = new Set(states.map(hashFile))
  const round = await runAndKill(folder, states, null)
  let [versions, objects, unfinished] = [0, 0, 0]
  for (let kill = 0; kill < kills; kill++) {
    await runAndKill(folder, states, (round * kill) / kills)
    for (const file of [
      ...filesBelow(path.join(folder, 'worker')),
      ...filesBelow(path.join(folder, 'node')),
    ]) {
      if (!file.endsWith('.db')) {
        unfinished++
        continue
      }
      expect(right).toContain(hashFile(file))
      versions++
    }
    for (const file of filesBelow(path.join(folder, 'objects', 'corpora'))) {
      const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
      expect(path.basename(file)).toBe(`${sha256}.pages`)
      objects++
    }
  }
  // The kills came while something was there, and while something was being written.
  expect(versions).toBeGreaterThan(0)
  expect(objects).toBeGreaterThan(0)
  expect(unfinished).toBeGreaterThan(0)
})
