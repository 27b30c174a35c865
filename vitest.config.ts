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
    // Tests that measure time share the machine with whatever else runs there: in CI one file at a time, and again.
    fileParallelism: process.env['CI'] === undefined,
    retry: process.env['CI'] === undefined ? 0 : 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
})
