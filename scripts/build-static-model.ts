// Where does a folder that openStaticModel reads quickly come from? The three source files, and the packed vocabulary.
//
// Run: node scripts/build-static-model.ts SOURCE [TARGET]. TARGET is assets/model when it is not named.

import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStaticModel } from '../src/corpus/embed/static-embedder.ts'
import { packedVocabularyName, readModelFacts } from '../src/corpus/embed/static-model.ts'
import { packVocabulary } from './pack-vocabulary.ts'

/** Copies a model and packs its vocabulary; gives the id of the model, whose table was checked against its hash. */
export function buildStaticModel(source: string, target: string): string {
  const { tableName, vocabName } = readModelFacts(source)
  mkdirSync(target, { recursive: true })
  // Renamed into place, so that a build that runs beside tests never shows them half a file.
  const place = (name: string, write: (draft: string) => void): void => {
    const draft = path.join(target, `${name}.${process.pid}`)
    write(draft)
    renameSync(draft, path.join(target, name))
  }
  if (path.resolve(source) !== path.resolve(target)) {
    for (const name of ['model.json', tableName, vocabName]) {
      place(name, (draft) => copyFileSync(path.join(source, name), draft))
    }
  }
  const packed = packVocabulary(readFileSync(path.join(target, vocabName)))
  place(packedVocabularyName, (draft) => writeFileSync(draft, packed))
  const model = openStaticModel(target, { rows: 'all' })
  model.close()
  return model.id
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [source, target = fileURLToPath(new URL('../assets/model', import.meta.url))] = process.argv.slice(2)
  if (source === undefined) throw new Error('usage: node scripts/build-static-model.ts SOURCE [TARGET]')
  process.stderr.write(`${target}: ${buildStaticModel(source, target)}\n`)
}
