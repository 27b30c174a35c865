import { randomInt } from 'node:crypto'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** Random inputs are new in every run; the line below says how to repeat them. */
const seed = process.env['YORE_SEED'] ?? String(randomInt(2 ** 31))
console.log(`seed of the random inputs: YORE_SEED=${seed}`)

export default defineConfig({
  test: {
    // scripts/test-mutations.ts chooses the tests of one room.
    include: process.env['MUTATION_TESTS']?.split(',') ?? ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/prepare-tests.ts'],
    // Programs that tests start from the sources: their types are stripped once, not at every start.
    env: {
      YORE_SEED: seed,
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/compiled'),
    },
    // Two files at a time, and none again: tests that measure time count that of the processor.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
})
