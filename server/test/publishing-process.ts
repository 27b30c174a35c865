// What does the test of killed processes kill? A process that publishes and materialises prepared states for ever.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { openDirectoryStore } from '../src/versions/directory-store.ts'
import { materialise } from '../src/versions/materialise-version.ts'
import { publishVersion } from '../src/versions/publish-version.ts'
import { extendManifest, type Manifest } from '../src/versions/version.ts'

const [folder = '', ...states] = process.argv.slice(2)
const store = await openDirectoryStore({ directory: path.join(folder, 'objects') })
const workingFile = path.join(folder, `work-${process.pid}.db`)
mkdirSync(path.join(folder, 'node'), { recursive: true })
process.stdout.write('ready\n')
for (;;) {
  let manifest: Manifest = []
  for (const state of states) {
    copyFileSync(state, workingFile)
    const directory = path.join(folder, 'worker')
    const part = await publishVersion({ corpus: 1, workingFile, manifest, store, directory })
    manifest = extendManifest(manifest, part)
    await materialise({ manifest, store, directory: path.join(folder, 'node') })
  }
  process.stdout.write('round\n')
  // Everything again from nothing.
  for (const name of ['worker', 'node', 'objects/corpora'])
    rmSync(path.join(folder, name), { recursive: true, force: true })
}
