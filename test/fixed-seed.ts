// Which random inputs do the property tests try? The same ones on every run, so that a red test is about the change; YORE_SLOW=1 tries new ones.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll } from 'vitest'

if (process.env['YORE_SLOW'] !== '1') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_115 })
// A mutant that survives the first moments of a property mostly survives all of it, and nobody reads its counterexample.
if (process.env['MUTATION_TESTS'] !== undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 10_000, endOnFailure: true })

// The tests leave nothing in the state folder of whoever runs them.
const state = mkdtempSync(path.join(tmpdir(), 'yore-state-'))
process.env['XDG_STATE_HOME'] = state
afterAll(() => rmSync(state, { recursive: true, force: true }))
