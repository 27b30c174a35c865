import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** Random inputs are new in every run; the line below says how to repeat them. Each project reads this file again. */
if (process.env['YORE_SEED'] === undefined) {
  process.env['YORE_SEED'] = String(randomInt(2 ** 31))
  console.log(`seed of the random inputs: YORE_SEED=${process.env['YORE_SEED']}`)
}

/** Tests that start programs or a browser say so in their imports, and others read the clock; `*.speed.test.ts` compare times. */
const signs =
  /from '(?:node:child_process|playwright-core|[./]+\/(?:run-command-line|mcp-clients)\.ts)'|performance\.now\(/
const everyTest = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: import.meta.dirname })
const isSystem = (file: string): boolean =>
  file.endsWith('.speed.test.ts') || signs.test(readFileSync(path.join(import.meta.dirname, file), 'utf8'))
const { system = [], unit = [] } = Object.groupBy(everyTest.sort(), (file) =>
  isSystem(file) ? 'system' : 'unit',
)

const shared = {
  setupFiles: 'test/prepare-tests.ts',
  // Programs that tests start from the sources: their types are stripped once, not at every start.
  env: {
    // Properties run as often as they say in CI, and less often here.
    YORE_RUNS: process.env['YORE_RUNS'] ?? '0.05',
    NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/compiled'),
  },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  pool: 'forks',
  alias: { 'fast-check': path.join(import.meta.dirname, 'test/support/scaled-runs.ts') },
} as const

// scripts/test-mutations.ts chooses the tests of one room.
const chosen = process.env['MUTATION_TESTS']?.split(',')

export default defineConfig({
  test: chosen
    ? { ...shared, include: chosen }
    : {
        projects: [
          {
            test: { ...shared, name: 'unit', include: unit, maxWorkers: '100%', sequence: { groupOrder: 1 } },
          },
          // Two files at a time, after the others: they wait for processes, and some compare times.
          {
            test: { ...shared, name: 'system', include: system, maxWorkers: 2, sequence: { groupOrder: 2 } },
          },
        ],
      },
})
