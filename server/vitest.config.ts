import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // One PostgreSQL for the run, each test file with a database of its own; S3 only for who asks.
    setupFiles: ['../test/prepare-tests.ts'],
    globalSetup: ['test/start-servers.ts'],
    fileParallelism: process.env['CI'] === undefined,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
})
