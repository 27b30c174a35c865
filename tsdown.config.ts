import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    cli: 'src/surfaces/cli/main.ts',
    'parse-worker': 'src/engine/parse-worker.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node24',
  dts: { oxc: true },
  clean: true,
  outDir: 'dist',
})
