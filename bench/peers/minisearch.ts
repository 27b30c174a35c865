// How does minisearch answer? Sections as documents with their title and headings weighted, its own defaults otherwise.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type BareSection, listFiles, splitSections } from '../bare-engine.ts'
import { answerAll, readCall } from './peer.ts'

interface MiniSearchLike {
  addAll(documents: readonly object[]): void
  search(query: string, options: object): { readonly id: number }[]
}
type MiniSearchClass = new (options: object) => MiniSearchLike

const { root, work, questions } = readCall()
const load = createRequire(join(work, 'package.json'))
const loaded = load('minisearch') as MiniSearchClass & { readonly default?: MiniSearchClass }
const MiniSearch = loaded.default ?? loaded

const started = performance.now()
const sections: BareSection[] = listFiles(root).flatMap((path) =>
  splitSections(path, readFileSync(join(root, path), 'utf8')),
)
const index = new MiniSearch({ fields: ['title', 'headings', 'body'], storeFields: [] })
index.addAll(sections.map((section, id) => ({ id, ...section })))
const indexMs = performance.now() - started
const indexBytes = JSON.stringify(index).length

const answer = (question: string) =>
  index
    .search(question, { boost: { title: 2, headings: 2 } })
    .slice(0, 100)
    .map(({ id }) => {
      const { path, start, end } = sections[id] as BareSection
      return { path, start, end }
    })
console.log(JSON.stringify(await answerAll({ indexMs, indexBytes, answer }, questions)))
