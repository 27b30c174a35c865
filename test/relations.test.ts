// Is every relation complete? A parser finds each form of a mention, a rulebook allows each relation, and a graph shows it.
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { relations } from '../src/corpus/graph/neighbours.ts'
import { readShippedRulebook } from '../src/model/config/read-rulebooks.ts'
import { rulebookLanguages, viaNames } from '../src/model/config/rulebook-names.ts'
import { mentionForms } from '../src/model/reference.ts'
import { type Files, makeFolder, openCorpus, removeFolder, writeFiles } from './temporary-corpus.ts'

/** Every form of a mention and every relation, each at least once. */
const sample: Files = {
  'docs/guide.md':
    '# Guide\n\nSee [the plan](plan.md), [[Plan]], ADR-1, ![a picture](a.png) and `paint_zebra()`.\n\n## More\n\nText.\n',
  'docs/plan.md': '# Plan\n\nText.\n',
  'docs/adr/ADR-1-paint.md': '# ADR-1: Paint\n\nText.\n',
  'src/painter.py':
    '"""Paints."""\nfrom mixer import mix\n\n\nclass Brush:\n    """A brush."""\n\n    def dip(self):\n        return mix(1)\n\n\ndef paint_zebra():\n    # See docs/plan.md first.\n    return Brush().dip()\n',
  'src/mixer.py': 'def mix(coats):\n    return coats\n',
  'go/brush.go': 'package brush\n\ntype Brush struct{}\n',
  'go/paint.go': 'package brush\n\nfunc (b *Brush) Paint() int {\n\treturn 1\n}\n',
  'web/index.html': '<html><body><div id="x"></div><script src="app.js"></script></body></html>\n',
  'web/app.js': 'export function start() {\n  return 1\n}\n',
}

const root = makeFolder()
const engine = openCorpus(root, { 'embedding.provider': 'none', workers: 1, wikiLinks: 'on' })
const labels = new Set<string>()
let forms: ReadonlySet<unknown>
let resolved: ReadonlySet<unknown>

beforeAll(async () => {
  writeFiles(root, sample)
  await engine.index()
  for (const id of await engine.artifactIds())
    for (const { kind } of (await engine.graph(id)).graph.edges) labels.add(kind)
  using db = new DatabaseSync(`${root}/.yore/index.db`, { readOnly: true })
  const formsOf = (where: string): ReadonlySet<unknown> =>
    new Set(
      db
        .prepare(`SELECT DISTINCT form FROM mentions ${where}`)
        .all()
        .map(({ form }) => form),
    )
  forms = formsOf('')
  resolved = formsOf('WHERE path_id IS NOT NULL')
})
afterAll(() => {
  engine.close()
  removeFolder(root)
})

it.each(Object.keys(mentionForms))('a parser finds the form %s in the sample', (form) => {
  expect(forms).toContain(form)
})

// An image has no artifact as target.
it.each(Object.keys(mentionForms).filter((form) => form !== 'image'))('the form %s resolves', (form) => {
  expect(resolved).toContain(form)
})

it.each(viaNames)('a graph of the sample shows the relation %s', (via) => {
  expect(labels).toContain(relations[via as keyof typeof relations].label)
})

it.each(viaNames)('a shipped rulebook allows the relation %s', (via) => {
  const allowed = rulebookLanguages.flatMap((language) => JSON.stringify(readShippedRulebook(language)))
  expect(allowed.some((text) => text.includes(`"via":"${via}"`))).toBe(true)
})
