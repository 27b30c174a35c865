import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'eval/**/*.test.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    // Tests that measure time share the machine with whatever else runs there.
    retry: process.env['CI'] === undefined ? 0 : 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
