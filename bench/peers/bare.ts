// How does bare FTS5 answer? The best hundred sections.
import { join } from 'node:path'
import { BareIndex, indexBare } from '../bare-engine.ts'
import { answerAll, readCall } from './peer.ts'

const { root, work, questions } = readCall()
const database = join(work, 'sections.db')
const { milliseconds, indexBytes } = indexBare(root, database)
const index = new BareIndex(database)
const answer = (question: string) =>
  index.query(question, 100).map(({ path, start, end }) => ({ path, start, end }))
console.log(JSON.stringify(await answerAll({ indexMs: milliseconds, indexBytes, answer }, questions)))
