// Does every rule of every rulebook apply? Each relation is followed on an indexed fixture, and its text arrives.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { sectionsSql } from '../src/corpus/store/schema.ts'
import { readShippedRulebook } from '../src/model/config/read-rulebooks.ts'
import { rulebookLanguages, viaNames } from '../src/model/config/rulebook-names.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { copyFixture, makeFolder, openCorpus, removeFolder } from './temporary-corpus.ts'

interface Origin {
  readonly id: string
  readonly kind: string
}

async function withFixture(
  name: string,
  use: (engine: Engine, root: string, artifacts: readonly Origin[]) => Promise<void>,
): Promise<void> {
  const root = makeFolder()
  copyFixture(`rules/${name}`, root)
  const engine = openCorpus(root, { 'embedding.provider': 'none', workers: 1 })
  try {
    await engine.index()
    using index = new DatabaseSync(path.join(root, '.yore', 'index.db'), { readOnly: true })
    const rows = index.prepare(`SELECT canonical_id AS id, kind FROM ${sectionsSql} ORDER BY id`).all()
    await use(engine, root, rows as unknown as Origin[])
  } finally {
    engine.close()
    removeFolder(root)
  }
}

/** Every rule of an artifact that grants something: `python_class uses out`. The granted text is checked against the file. */
async function grantedRules(engine: Engine, root: string, { id, kind }: Origin): Promise<string[]> {
  const start = async () => engine.startExpansion([{ id, depth: 0 }], { budget: 100, maxDepth: 1 })
  const granted: string[] = []
  for (const via of viaNames)
    for (const { target } of (await start()).offers(id, { via })) {
      const outcome = (await start()).expand({ from: id, via, target }, { maxTokens: 4000 })
      if (!outcome.allowed) throw new Error(`${id} ${via} ${target} was offered and denied`)
      const { path: file, lines, text } = outcome.brought
      const source = readFileSync(path.join(root, file), 'utf8').split('\n')
      expect(text.trim(), `${id} ${via} ${target}`).not.toBe('')
      expect(text).toBe(source.slice(lines.start - 1, lines.end).join('\n'))
      granted.push(`${kind} ${via} ${outcome.approval.direction}`)
    }
  return granted
}

describe.each(rulebookLanguages)('the rulebook of %s', (language) => {
  it('has no rule without a fixture in which it grants an expansion', async () => {
    await withFixture(language, async (engine, root, artifacts) => {
      const granted = new Set<string>()
      for (const artifact of artifacts)
        for (const rule of await grantedRules(engine, root, artifact)) granted.add(rule)
      const rules = Object.entries(readShippedRulebook(language).chunk_rules).flatMap(([kind, chunk]) =>
        chunk.expansions.map(({ via, direction }) => `${kind} ${via} ${direction}`),
      )
      expect(rules.length).toBeGreaterThan(0)
      expect(rules.filter((rule) => !granted.has(rule))).toEqual([])
    })
  })
})

describe('external_scripts', () => {
  it.each([
    ['index.html', 'js/head.js', 'head'],
    ['index.html', 'js/body.js', 'body'],
    ['index.html', 'js/main.js', 'main'],
    ['index.html', 'js/late.js', 'late'],
    ['index.html#head', 'js/head.js', 'head'],
    ['index.html#main', 'js/main.js', 'main'],
    ['index.html#head.script', 'js/head.js', 'head'],
    ['fragment.html', 'js/fragment.js', 'fragment'],
  ])('from %s lead to %s', async (from, target, name) => {
    await withFixture('html', async (engine) => {
      const { outcome } = await engine.expand({ from, via: 'external_scripts', target })
      if (outcome?.allowed !== true) throw new Error(JSON.stringify(outcome))
      expect(outcome.brought).toMatchObject({ path: target, text: `export const ${name} = 1` })
    })
  })
})
