// How does the service become a package of its own? Its chunks, and a manifest that needs the yore of the same version.
//
// npm run build:server   writes server/package/, ready for `npm pack`; needs nothing but the sources
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'tsdown'
import { readManifest } from './stamp-release.ts'

const root = path.join(import.meta.dirname, '..')
const server = path.join(root, 'server')
const target = path.join(server, 'package')

const shared = {
  config: false,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  outDir: path.join(target, 'dist'),
  cwd: server,
  logLevel: 'warn',
} as const

rmSync(target, { recursive: true, force: true })
await build({
  ...shared,
  entry: {
    main: 'src/main.ts',
    // Loaded by their addresses beside the chunks of killable-process.ts and ask-corpora.ts: all lie flat in dist/.
    'index-process': 'src/ingest/index-process.ts',
    'question-thread': 'src/http/question-thread.ts',
  },
  dts: false,
  clean: false,
  plugins: [
    {
      name: 'yore-is-a-package',
      resolveId: (id) => (/(?:^|\/)yore\.ts$/.test(id) ? { id: 'yore/server', external: true } : null),
    },
  ],
})
await build({ ...shared, entry: { client: 'client.ts' }, dts: true, clean: false })

const { version } = readManifest(root)
const { private: _, scripts, devDependencies, dependencies, ...manifest } = readManifest(server)
if (manifest.version !== version) throw new Error(`server/package.json is of another version than ${version}`)
const published = {
  ...manifest,
  bin: { 'yore-server': './bin/yore-server.js' },
  exports: { './client': { types: './dist/client.d.ts', default: './dist/client.js' } },
  // The door between both is no public API: only the same version fits.
  dependencies: { ...(dependencies as Readonly<Record<string, string>>), yore: version },
}
writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
mkdirSync(path.join(target, 'bin'))
writeFileSync(path.join(target, 'bin', 'yore-server.js'), "#!/usr/bin/env node\nimport '../dist/main.js'\n", {
  mode: 0o755,
})
for (const file of ['server/README.md', 'LICENSE', 'CHANGELOG.md'])
  cpSync(path.join(root, file), path.join(target, path.basename(file)))
