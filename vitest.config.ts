import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // scripts/test-mutations.ts chooses the tests of one room.
    include: process.env['MUTATION_TESTS']?.split(',') ?? [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'eval/**/*.test.ts',
      'training/*.test.ts',
    ],
    setupFiles: ['test/fixed-seed.ts'],
    // In CI one file at a time, and none again: tests that measure time count that of the processor.
    fileParallelism: process.env['CI'] === undefined,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
})
