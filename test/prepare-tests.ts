// What holds for every test? Random inputs come from the seed of the run, and nothing is left in the user's state folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll } from 'vitest'

const seed = process.env['YORE_SEED']
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
// A mutant that survives the first moments of a property mostly survives all of it, and nobody reads its counterexample.
if (process.env['MUTATION_TESTS'] !== undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 60_000, endOnFailure: true })

const state = mkdtempSync(path.join(tmpdir(), 'yore-state-'))
process.env['XDG_STATE_HOME'] = state
afterAll(() => rmSync(state, { recursive: true, force: true }))
