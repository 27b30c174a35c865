// Does the model help to find code? The first sentence of a comment asks for its function, which has lost that comment.
//
// Run: node lab/training/score-code.ts [NAME=FOLDER ...]. Scored are Python modules that training left out, and mathjs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defaultSettings } from '../../src/model/config/settings.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { estimate, ndcg, pairedChange } from '../eval/measures.ts'
import { rankPages, searchLimits } from '../eval/score-ranking.ts'
import { findPlaces, isHeldOut } from './prepare.ts'
import { readCode } from './read-code.ts'
import type { Section } from './section.ts'

const now = Date.parse('2026-11-15T00:00:00Z')

interface CodeQuestion {
  readonly path: string
  readonly text: string
}

/** One file per function, as plain text: what is measured is the words and the model, not a parser. */
function writeFunctions(sections: readonly Section[], root: string): CodeQuestion[] {
  return sections.map(({ title, document, heading, body }, at) => {
    const folder = document.replace(/\.[a-z]+$/, '')
    mkdirSync(join(root, folder), { recursive: true })
    const path = `${folder}/${String(at).padStart(4, '0')}.txt`
    writeFileSync(join(root, path), `${heading}\n\n${body}\n`)
    return { path, text: title }
  })
}

async function scoreQuestions(
  root: string,
  questions: readonly CodeQuestion[],
  folder: string | null,
): Promise<Map<string, number>> {
  const indexDir = mkdtempSync(join(tmpdir(), 'yore-code-'))
  const settings = { ...defaultSettings, 'embedding.model': folder ?? '', refresh: 'never' as const }
  const engine = openEngine({ root, indexDir, settings, now })
  await engine.index()
  const values = new Map<string, number>()
  for (const { path, text } of questions) {
    const mode = folder === null ? 'lexical' : 'hybrid'
    const pages = await rankPages(engine, text, { mode, limit: searchLimits.few })
    values.set(path, ndcg(pages, new Map([[path, 1]]), 10))
  }
  engine.close()
  rmSync(indexDir, { recursive: true })
  return values
}

/** Every n-th, so that at most this many functions are asked for. */
const mostQuestions = 400

const { python, packages } = findPlaces()
const sets: Readonly<Record<string, readonly Section[]>> = {
  'python, left out': python === '' ? [] : readCode(python, 'python').filter(isHeldOut),
  mathjs: readCode(join(packages, 'mathjs/lib/esm'), 'mathjs'),
}
const contenders = process.argv.slice(2).map((text) => text.split('=') as [string, string])
console.log('| functions | model | nDCG@10 | change |\n|---|---|---|---|')
for (const [name, sections] of Object.entries(sets)) {
  const root = mkdtempSync(join(tmpdir(), 'yore-functions-'))
  const all = writeFunctions(sections, root)
  const step = Math.ceil(all.length / mostQuestions)
  const questions = all.filter((_, at) => at % step === 0)
  const words = await scoreQuestions(root, questions, null)
  const base = estimate([...words.values()])
  console.log(`| ${name} (${questions.length} of ${all.length}) | words | ${base.mean.toFixed(4)} | |`)
  for (const [model, folder] of contenders) {
    const values = await scoreQuestions(root, questions, resolve(folder))
    const { mean, low, high } = pairedChange(words, values)
    const own = estimate([...values.values()]).mean.toFixed(4)
    console.log(`| | ${model} | ${own} | ${mean.toFixed(4)} [${low.toFixed(3)}, ${high.toFixed(3)}] |`)
  }
  rmSync(root, { recursive: true })
}
