// How does qmd answer? Its BM25 mode: pages, each with the line that it shows; here also read as the section of that line.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { listFiles, splitSections } from '../bare-engine.ts'
import { answerAll, type Place, readCall } from './peer.ts'

interface QmdHit {
  readonly displayPath: string
  readonly body?: string
}
interface QmdStore {
  update(): Promise<unknown>
  searchLex(query: string, options: { limit: number }): Promise<QmdHit[]>
}
interface Qmd {
  createStore(options: object): Promise<QmdStore>
  extractSnippet(body: string, query: string): { readonly line: number }
}

const { root, work, questions } = readCall()
const entry = join(work, 'node_modules/@tobilu/qmd/dist/index.js')
const { createStore, extractSnippet } = (await import(pathToFileURL(entry).href)) as Qmd
const dbPath = join(work, 'pages.sqlite')
for (const suffix of ['', '-wal', '-shm']) rmSync(dbPath + suffix, { force: true })
const collections = { docs: { path: root, pattern: '**/*.md' } }
const started = performance.now()
const store = await createStore({ dbPath, config: { collections } })
await store.update()
const indexMs = performance.now() - started

// qmd stores paths in a form of its own: they are compared by their letters and digits.
const plain = (path: string): string => path.toLowerCase().replace(/[^a-z0-9]+/g, '')
const paths = new Map(listFiles(root).map((path) => [plain(path), path]))
const sectionsOf = new Map<string, Place[]>()

function sectionAt(path: string, line: number): Place | null {
  let sections = sectionsOf.get(path)
  if (sections === undefined) {
    sections = splitSections(path, readFileSync(join(root, path), 'utf8'))
    sectionsOf.set(path, sections)
  }
  const found = sections.find(({ start, end }) => start <= line && line <= end)
  return found === undefined ? null : { path, start: found.start, end: found.end }
}

const hits = new Map<string, QmdHit[]>()
const answer = async (question: string): Promise<Place[]> => {
  const found = await store.searchLex(question, { limit: 100 })
  hits.set(question, found)
  return found.map(({ displayPath }) => ({ path: displayPath, start: 1, end: 1 }))
}
const pathOf = ({ displayPath }: QmdHit): string => paths.get(plain(displayPath.slice('docs/'.length))) ?? ''
const result = await answerAll({ indexMs, indexBytes: statSync(dbPath).size, answer }, questions)
const asPages = questions.map((question) =>
  (hits.get(question) ?? []).map((hit) => ({
    path: pathOf(hit),
    start: 1,
    end: (hit.body ?? '').split('\n').length,
  })),
)
const asSections = questions.map((question) =>
  (hits.get(question) ?? [])
    .map((hit) => sectionAt(pathOf(hit), extractSnippet(hit.body ?? '', question).line))
    .filter((place) => place !== null),
)
console.log(JSON.stringify({ ...result, answers: asPages, asSections }))
