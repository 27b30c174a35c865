// How does minisearch answer? Sections as documents with their title and headings weighted, with and without stop words.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Place } from '../../eval/real-set.ts'
import { type BareSection, listFiles, splitSections } from '../bare-engine.ts'
import { askAll, cpuTimed, keywordsOf, readCall } from './peer.ts'

interface MiniSearchLike {
  addAll(documents: readonly object[]): void
  search(query: string, options: object): { readonly id: number }[]
}
type MiniSearchClass = new (options: object) => MiniSearchLike

const { root, work, questions } = readCall()
const load = createRequire(join(work, 'package.json'))
const loaded = load('minisearch') as MiniSearchClass & { readonly default?: MiniSearchClass }
const MiniSearch = loaded.default ?? loaded

const index = new MiniSearch({ fields: ['title', 'headings', 'body'], storeFields: [] })
const { value: sections, cpuMs } = await cpuTimed((): BareSection[] => {
  const all = listFiles(root).flatMap((path) => splitSections(path, readFileSync(join(root, path), 'utf8')))
  index.addAll(all.map((section, id) => ({ id, ...section })))
  return all
})

function ask(question: string): Place[] {
  const hits = index.search(question, { boost: { title: 2, headings: 2 } }).slice(0, 100)
  return hits.map(({ id }) => {
    const { path, start, end } = sections[id] as BareSection
    return { path, start, end }
  })
}

const variants = {
  'question as typed': await askAll(questions, ask),
  'without question words': await askAll(questions, (question) => ask(keywordsOf(question))),
}
console.log(JSON.stringify({ indexCpuMs: cpuMs, indexBytes: JSON.stringify(index).length, variants }))
