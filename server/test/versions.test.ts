import { rmSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { randomFiles } from '../../test/random-corpus.ts'
import { type Files, now, openCorpus, writeFiles } from '../../test/temporary-corpus.ts'
import { openDirectoryStore } from '../src/versions/directory-store.ts'
import { materialise } from '../src/versions/materialise-version.ts'
import { openStore } from '../src/versions/open-store.ts'
import { publishVersion } from '../src/versions/publish-version.ts'
import type { ObjectStore } from '../src/versions/store.ts'
import { extendManifest, type Manifest } from '../src/versions/version.ts'
import { type CorpusEngine, openCorpusFile } from '../src/yore.ts'
import { createBucket, hashFile, keys, makeTestFolder } from './support/versions.ts'

/** S3 where there is one. */
async function openStoreIn(directory: string): Promise<ObjectStore> {
  const endpoint = inject('s3Url')
  if (endpoint === null) return openDirectoryStore({ directory })
  const bucket = path.basename(path.dirname(directory)).toLowerCase()
  await createBucket({ endpoint, bucket })
  return await openStore(`s3:${endpoint}/${bucket}`, keys)
}

/** What is asked of both: enough to touch words, vectors and references. */
const question = 'How is a failed worker restarted, and what does the registry say about retries?'

async function assembleFrom(engine: CorpusEngine): Promise<string> {
  try {
    const result = await engine.assemble(question, { maxTokens: 2000 })
    return JSON.stringify({ ...result, freshness: null })
  } finally {
    await engine.close()
  }
}

it('moves real indexes through the store: equal files, equal digests, whatever changed', async () => {
  const changes = fc.array(fc.tuple(randomFiles, fc.array(fc.nat(20), { maxLength: 2 })), {
    minLength: 2,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(changes, async (rounds) => {
      const folder = makeTestFolder()
      const store = await openStoreIn(path.join(folder, 'objects'))
      const [root, indexDir] = [path.join(folder, 'corpus'), path.join(folder, 'index')]
      const workingFile = path.join(indexDir, 'index.db')
      let manifest: Manifest = []
      let files: Files = { 'README.md': '# Registry\n\nThe worker is restarted after a failure.\n' }
      for (const [written, removed] of rounds) {
        files = { ...files, ...written }
        writeFiles(root, files)
        const gone = removed.flatMap((at) => Object.keys(files)[at + 1] ?? [])
        for (const name of gone) rmSync(path.join(root, name), { force: true })
        files = Object.fromEntries(Object.entries(files).filter(([name]) => !gone.includes(name)))

        const worker = openCorpus(root, { refresh: 'auto' }, indexDir)
        await worker.index()
        const said = await assembleFrom(worker)
        manifest = extendManifest(
          manifest,
          await publishVersion({
            corpus: 1,
            workingFile,
            manifest,
            store,
            directory: path.join(folder, 'w'),
          }),
        )
        // A node that has the version before, and one that has nothing.
        for (const node of ['follower', `fresh-${manifest.at(-1)!.maxTxid}`]) {
          const corpusFile = await materialise({ manifest, store, directory: path.join(folder, node) })
          expect(hashFile(corpusFile)).toBe(hashFile(workingFile))
          const sha256 = hashFile(corpusFile)
          expect(await assembleFrom(openCorpusFile(corpusFile, { sha256, now }))).toBe(said)
        }
      }
    }),
    { numRuns: process.env['YORE_SLOW'] === undefined ? 4 : 40 },
  )
})
