// How does bare FTS5 answer? The best hundred sections.
import { join } from 'node:path'
import { BareIndex, indexBare } from '../bare-engine.ts'
import { askAll, cpuTimed, readCall } from './peer.ts'

const { root, work, questions } = readCall()
const database = join(work, 'sections.db')
const { value, cpuMs } = await cpuTimed(() => indexBare(root, database))
const index = new BareIndex(database)
const sections = await askAll(questions, (question) =>
  index.query(question, 100).map(({ path, start, end }) => ({ path, start, end })),
)
console.log(JSON.stringify({ indexCpuMs: cpuMs, indexBytes: value.indexBytes, variants: { sections } }))
