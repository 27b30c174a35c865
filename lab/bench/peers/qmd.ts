// How does qmd answer? Its BM25 mode gives pages, each with the line it shows: read as whole pages and as that line's section.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Place } from '../../eval/real-set.ts'
import { listTextFiles } from '../../eval/window-floor.ts'
import { listFiles, splitSections } from '../bare-engine.ts'
import { askAll, cpuTimed, keywordsOf, readCall, type Variant } from './peer.ts'

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

const { root, work, questions, everyFile } = readCall()
const entry = join(work, 'node_modules/@tobilu/qmd/dist/index.js')
const { createStore, extractSnippet } = (await import(pathToFileURL(entry).href)) as Qmd
const dbPath = join(work, 'pages.sqlite')
for (const suffix of ['', '-wal', '-shm']) rmSync(dbPath + suffix, { force: true })
const collections = { docs: { path: root, pattern: everyFile ? '**/*' : '**/*.md' } }
const { value: store, cpuMs } = await cpuTimed(async () => {
  const opened = await createStore({ dbPath, config: { collections } })
  await opened.update()
  return opened
})

// qmd may store paths in a form of its own: they are compared by their letters and digits.
const plain = (path: string): string => path.toLowerCase().replace(/[^a-z0-9]+/g, '')
const paths = new Map((everyFile ? listTextFiles(root) : listFiles(root)).map((path) => [plain(path), path]))
const sectionsOf = new Map<string, Place[]>()

/** Of a file that is not Markdown, the lines around the shown one. */
const AROUND = 20

function sectionAt(path: string, line: number): Place[] {
  if (!path.endsWith('.md')) return [{ path, start: Math.max(1, line - AROUND), end: line + AROUND }]
  let sections = sectionsOf.get(path)
  if (sections === undefined) {
    sections = splitSections(path, readFileSync(join(root, path), 'utf8'))
    sectionsOf.set(path, sections)
  }
  const found = sections.find(({ start, end }) => start <= line && line <= end)
  return found === undefined ? [] : [{ path, start: found.start, end: found.end }]
}

async function askBoth(rewrite: (question: string) => string): Promise<[Variant, Variant]> {
  const sections: Place[][] = []
  const kept = new Map<string, QmdHit[]>()
  const pages = await askAll(questions, async (question) => {
    const hits = await store.searchLex(rewrite(question), { limit: 100 })
    kept.set(question, hits)
    return hits.map(({ displayPath, body = '' }) => {
      const path = paths.get(plain(displayPath.slice('docs/'.length)))
      if (path === undefined) throw new Error(`no file for ${displayPath}`)
      return { path, start: 1, end: body.split('\n').length }
    })
  })
  for (const [index, question] of questions.entries()) {
    const hits = kept.get(question) ?? []
    const found = (pages.answers[index] ?? []).flatMap(({ path }, at) =>
      sectionAt(path, extractSnippet(hits[at]?.body ?? '', rewrite(question)).line),
    )
    sections.push(found)
  }
  return [pages, { ...pages, answers: sections }]
}

const [typedPages, typedSections] = await askBoth((question) => question)
const [keywordPages, keywordSections] = await askBoth(keywordsOf)
const variants = {
  'as typed, whole pages': typedPages,
  'as typed, section of the shown line': typedSections,
  'without question words, whole pages': keywordPages,
  'without question words, section of the shown line': keywordSections,
}
console.log(JSON.stringify({ indexCpuMs: cpuMs, indexBytes: statSync(dbPath).size, variants }))
