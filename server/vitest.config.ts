import path from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // One PostgreSQL for the run, each test file with a database of its own; S3 only for who asks.
    setupFiles: ['../test/prepare-tests.ts'],
    // Nodes that tests start from the sources: their types are stripped once, not at every start.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/compiled') },
    globalSetup: ['test/start-servers.ts'],
    fileParallelism: process.env['CI'] === undefined,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
})
