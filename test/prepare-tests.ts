// What holds for every test? Random inputs come from the seed of the run, and nothing is left behind: the temporary folder and
// the user's state folder are the test file's own, and go with it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll } from 'vitest'

const seed = process.env['YORE_SEED']
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
// A mutant that survives the first moments of a property mostly survives all of it, and nobody reads its counterexample.
if (process.env['MUTATION_TESTS'] !== undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 60_000, endOnFailure: true })

const temporary = mkdtempSync(path.join(tmpdir(), 'yore-tests-'))
// Some tests run yore as another user.
chmodSync(temporary, 0o755)
process.env['TMPDIR'] = temporary
process.env['XDG_STATE_HOME'] = mkdtempSync(path.join(temporary, 'state-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }), 600_000)
