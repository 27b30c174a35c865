// How is the built-in model made? Text, teachers, first table, training, rounding, and the folder that the product opens.
//
// Run: node lab/training/run.ts [--out FOLDER]. It needs `npm ci --ignore-scripts` in training/ and the training text;
// README.md beside it says where from. A run that was stopped goes on where it was.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openCheckpoint } from './checkpoint.ts'
import { contrastByRuntime } from './contrast.ts'
import { makeFirstTable } from './first-table.ts'
import { makePool, type TokenSection } from './make-pairs.ts'
import { askTeachers, findPlaces, hashFile, hashSections, readSections, vocabularySize } from './prepare.ts'
import {
  docsSha256,
  firstLineWeight,
  modelName,
  type TeacherSpec,
  tableDimensions,
  teachers,
  temperature,
  training,
} from './recipe.ts'
import type { Section } from './section.ts'
import { openTokenizer } from './teacher.ts'
import { trainTable } from './train-table.ts'
import { writeModel } from './write-model.ts'

const started = performance.now()
const report = (line: string): void => {
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}\n`)
}

function tokenizeSections(
  sections: readonly Section[],
  tokenize: (text: string) => Int32Array,
): TokenSection[] {
  return sections.map((section) => ({
    section,
    title: tokenize(section.title),
    heading: tokenize(section.heading),
    body: tokenize(section.body),
  }))
}

function countTokens(sections: readonly TokenSection[]): Float64Array {
  const counts = new Float64Array(vocabularySize)
  for (const { title, heading, body } of sections)
    for (const list of [title, heading, body]) for (const id of list) counts[id]!++
  return counts
}

/** How many sections of each group were read, for the model card. */
function countGroups(sections: readonly Section[]): Record<string, number> {
  const groups = Map.groupBy(sections, ({ group }) => group)
  return Object.fromEntries([...groups].map(([group, those]) => [group, those.length]))
}

const { values } = parseArgs({ options: { out: { type: 'string' } } })
const places = findPlaces()
const out = values.out ?? join(places.work, 'model')
mkdirSync(places.work, { recursive: true })
const sections = readSections(places)
const text = hashSections(sections)
report(`${sections.length} sections, ${text}`)
if (hashFile(places.docs) !== docsSha256) report('the documentation is not that of the shipped model')
const lessons = await askTeachers(sections, places, report)
const tokenized = tokenizeSections(sections, openTokenizer(places.packages, teachers[0] as TeacherSpec))
const counts = countTokens(tokenized)
const first = makeFirstTable(lessons, counts, tableDimensions)
report('the first table is made')
const contrast = await contrastByRuntime(temperature)
if (contrast === null) throw new Error('run `npm ci --ignore-scripts` in training/ first')
const key = createHash('sha256')
  .update(JSON.stringify([text, training, temperature, tableDimensions]))
  .digest('hex')
const checkpoint = openCheckpoint(places.work, key.slice(0, 16))
const rows = await trainTable(
  {
    rows: first.rows,
    dimensions: tableDimensions,
    taught: { lists: lessons.lists, targets: first.targets },
    pool: makePool(tokenized),
    contrast,
    report,
    checkpoint,
  },
  training,
)
const vocabulary = readFileSync(join(places.packages, (teachers[0] as TeacherSpec).folder, 'vocab.txt'))
const sha256 = writeModel(out, rows, vocabulary, {
  name: modelName,
  dimensions: tableDimensions,
  about: {
    first_line_weight: firstLineWeight,
    note: 'made by lab/training/run.ts; docs/explanation/built-in-model.md is its card',
    teachers: teachers.map(({ name, licence, sha256: weights }) => ({ name, licence, sha256: weights })),
    text_sha256: text,
  },
})
writeFileSync(join(places.work, 'groups.json'), `${JSON.stringify(countGroups(sections), null, 2)}\n`)
checkpoint.clear()
report(`${out}: ${sha256}`)
console.log(sha256)
