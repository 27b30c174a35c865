import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests that compare times or shares of the machine: one file at a time. */
const alone = ['neighbours', 'networks', 'operation', 'restarts', 'soak', 'warm-questions'].map(
  (name) => `test/${name}.test.ts`,
)

const shared = {
  root: import.meta.dirname,
  setupFiles: ['../test/prepare-tests.ts'],
  // Nodes that tests start from the sources: their types are stripped once, not at every start.
  env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/compiled') },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
}

export default defineConfig({
  test: {
    // One PostgreSQL for the run, each test file with a database of its own; S3 only for who asks.
    globalSetup: ['test/start-servers.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: alone,
          // Much of their time is waiting.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...shared, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
})
