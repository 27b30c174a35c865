// Is the right function found? The first sentence of its documentation as the question, the function without it as the answer.
//
// npm run eval:code-search -- [--corpus NAME] [--half A|B] [--words]     with the built-in model, as a user has it, or by words alone
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { stopWords } from '../../src/answer/retrieve/stop-words.ts'
import type { ParsedDocument } from '../../src/model/artifact.ts'
import type { Language } from '../../src/model/source-file.ts'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { openTools } from '../../src/read/assets/load-grammars.ts'
import type { CodeSpan } from '../../src/read/parse/code/code-scan.ts'
import type { FindTool } from '../../src/read/parse/code/parse-code.ts'
import { parseDocument } from '../../src/read/parse/parse-document.ts'
import { languageOf } from '../../src/read/source/language-of.ts'
import { openIndexed, prepareCode } from './code-corpora.ts'
import { halfOf } from './read-sets.ts'
import { lineStarts } from './score-spans.ts'

interface Question {
  readonly id: string
  readonly text: string
}

function listFiles(root: string, below = ''): string[] {
  return readdirSync(path.join(root, below)).flatMap((name) => {
    const file = below === '' ? name : `${below}/${name}`
    if (name === '.yore') return []
    return statSync(path.join(root, file)).isDirectory() ? listFiles(root, file) : [file]
  })
}

/** The first sentence, without marks of comments and tags. */
function firstSentence(doc: string): string {
  const plain = doc
    .replace(/^[rbuRBU]{0,2}(?:"""|'''|"|')|(?:"""|'''|"|')$/g, '')
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*|\/\/+|#)\s?/, '').trim())
    .join('\n')
    .trim()
  const paragraph = (plain.split(/\n\s*\n|\n@/)[0] ?? '').replace(/\s+/g, ' ').trim()
  return (/^.*?[.!?](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph).slice(0, 300)
}

/** Documentation of each definition: inside the body, or the comment above it. */
function docsOf(
  text: string,
  toolFor: FindTool,
  file: string,
): { parsed: ParsedDocument; docs: Map<string, CodeSpan>; all: CodeSpan[] } | null {
  const language = languageOf(file)
  if (language === null || language === 'markdown' || language === 'text') return null
  const source = { path: file, language, text }
  const tool = toolFor(source)
  const scan = tool?.read(text) ?? null
  if (tool === null || scan === null) return null
  const parsed = parseDocument(source, {}, toolFor)
  const all: CodeSpan[] = []
  const docs = new Map<string, CodeSpan>()
  const starts = lineStarts(text)
  const byLine = (line: number): number => starts[line - 1] ?? text.length
  for (const { kind, id, ownLines, text: own } of parsed.artifacts) {
    if (ownLines === null) continue
    const from = byLine(ownLines.start)
    const inside = scan.definitions.find(
      ({ doc, start, end }) => doc !== null && start >= from && end <= from + own.length + 1,
    )?.doc
    const above = /^\s*\/\*\*[\s\S]*?\*\//.exec(own)
    const span = inside ?? (above === null ? null : { start: from, end: from + above[0].length })
    if (span === null) continue
    all.push(span)
    if (/_(?:class_)?function$/.test(kind)) docs.set(id, span)
  }
  if (scan.moduleDoc !== null) all.push(scan.moduleDoc)
  return { parsed, docs, all }
}

function without(text: string, spans: readonly CodeSpan[]): string {
  let kept = ''
  let at = 0
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start < at) continue
    const isString = /^[rbuRBU]{0,2}["']/.test(text.slice(start, start + 4))
    // An empty body is no Python.
    kept += text.slice(at, start) + (isString ? 'pass' : '')
    at = end
  }
  return kept + text.slice(at)
}

function withLanguages(files: readonly string[]): { path: string; language: Language }[] {
  return files.flatMap((file) => {
    const language = languageOf(file)
    return language === null ? [] : [{ path: file, language }]
  })
}

async function makeCorpus(name: string): Promise<{ root: string; questions: Question[] } | null> {
  const { root } = prepareCode(name)
  if (root === null) return null
  const bare = `${root}-without-docs`
  rmSync(bare, { recursive: true, force: true })
  const files = listFiles(root)
  const toolFor = await openTools(withLanguages(files))
  const questions: Question[] = []
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8')
    const target = path.join(bare, file)
    mkdirSync(path.dirname(target), { recursive: true })
    const found = docsOf(text, toolFor, file)
    if (found === null) {
      if (languageOf(file) !== null) cpSync(path.join(root, file), target)
      continue
    }
    writeFileSync(target, without(text, found.all))
    for (const [id, { start, end }] of found.docs) {
      const sentence = firstSentence(text.slice(start, end))
      if (sentence.split(' ').length >= 4 && sentence.length >= 20) questions.push({ id, text: sentence })
    }
  }
  return { root: bare, questions }
}

/** The same chunks in one FTS5 table; any of the words, as SQLite ranks them. */
function openBare(documents: readonly ParsedDocument[]): (question: string) => string[] {
  const db = new DatabaseSync(':memory:')
  db.exec("CREATE VIRTUAL TABLE chunks USING fts5(id UNINDEXED, body, tokenize = 'porter unicode61')")
  const insert = db.prepare('INSERT INTO chunks VALUES (?, ?)')
  db.exec('BEGIN')
  for (const { artifacts } of documents)
    for (const { id, text } of artifacts) if (text.trim() !== '') insert.run(id, text)
  db.exec('COMMIT')
  const select = db.prepare('SELECT id FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT 10')
  return (question) => {
    const words = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
    const kept = words.filter((word) => !stopWords.has(word))
    const query = (kept.length > 0 ? kept : words).map((word) => `"${word}"`).join(' OR ')
    return (select.all(query) as { id: string }[]).map(({ id }) => id)
  }
}

interface Score {
  reciprocal: number
  found: number
}

function addRank(score: Score, ranked: readonly string[], id: string): void {
  const at = ranked.indexOf(id)
  if (at < 0) return
  score.reciprocal += 1 / (at + 1)
  score.found++
}

/** The corpus without documentation, and the questions whose function is still there, in the order of their ids. */
export async function openWithoutDocs(
  name: string,
  embedder: 'builtin' | 'none' = 'builtin',
): Promise<{ engine: Engine; questions: Question[]; parsed: ParsedDocument[] } | null> {
  const corpus = await makeCorpus(name)
  if (corpus === null) return null
  const files = listFiles(corpus.root)
  const toolFor = await openTools(withLanguages(files))
  const parsed = files.flatMap((file) => {
    const language = languageOf(file)
    if (language === null) return []
    const text = readFileSync(path.join(corpus.root, file), 'utf8')
    return [parseDocument({ path: file, language, text }, {}, toolFor)]
  })
  const known = new Set(parsed.flatMap(({ artifacts }) => artifacts.map(({ id }) => id)))
  const questions = corpus.questions.filter(({ id }) => known.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1))
  return { engine: await openIndexed(corpus.root, embedder), questions, parsed }
}

async function measure(name: string, options: { half: string; words: boolean }): Promise<void> {
  const found = await openWithoutDocs(name, options.words ? 'none' : 'builtin')
  if (found === null) {
    console.log(`${name}: not on this machine, skipped`)
    return
  }
  const { engine, questions, parsed } = found
  const asked = questions.filter(({ id }) => halfOf(id) === options.half)
  const bare = openBare(parsed)
  const own: Score = { reciprocal: 0, found: 0 }
  const floor: Score = { reciprocal: 0, found: 0 }
  for (const { id, text } of asked) {
    const { hits } = await engine.search(text, { limit: 10, allSections: true, refresh: 'never' })
    const ids = hits.map(({ artifact }) => artifact)
    addRank(own, ids, id)
    addRank(floor, bare(text), id)
  }
  const show = ({ reciprocal, found: held }: Score): string =>
    `MRR@10 ${(reciprocal / asked.length).toFixed(3)}, recall@10 ${(held / asked.length).toFixed(3)}`
  const chunks = parsed.reduce((sum, { artifacts }) => sum + artifacts.length, 0)
  console.log(
    `${name}: ${chunks} chunks, ${questions.length} functions with documentation, ${asked.length} asked of half ${options.half}`,
  )
  console.log(`  yore        ${show(own)}`)
  console.log(`  bare FTS5   ${show(floor)}`)
  engine.close()
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string' },
      half: { type: 'string', default: 'B' },
      words: { type: 'boolean', default: false },
    },
  })
  for (const name of values.corpus === undefined ? ['python', 'ai'] : [values.corpus])
    await measure(name, values)
}
