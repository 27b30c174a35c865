// Does a short section bring along the section that explains it, and only that? `YORE_UPDATE=1` writes the golden anew.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { overridesFile } from '../src/config/read-rulebooks.ts'
import type { Settings } from '../src/config/settings.ts'
import type { Engine } from '../src/engine/engine.ts'
import type { Digest, Passage } from '../src/model/digest.ts'
import { type Files, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const golden = path.join(import.meta.dirname, '../docs/examples/cross-references/family.md')

/** A reference page as many tools have it: what an entry means is said once, above all of them. */
const files: Files = {
  'docs/reference/limits.md': [
    '# Limits',
    'Every limit below holds for each tenant, per minute, and is counted at the edge. A call above it gets `429`.',
    '## Uploads',
    '40.',
    '## Downloads',
    '600.',
    '## Searches',
    '120, of which 20 may be slow ones.',
    '## How limits are raised',
    [
      'A tenant asks for more with a ticket that names the limit, the reason and the end of the need. The team on duty',
      'answers within a day. What is granted ends with the quarter, unless the ticket is renewed. Limits that were raised',
      'three times in a row are looked at again, because the default is then probably wrong for everybody. Nobody raises',
      'a limit during an incident, and nobody raises one for a tenant that is above two others.',
    ].join('\n'),
    '',
  ].join('\n\n'),
  'docs/guide.md': '# Guide\n\nStart here, and read the rest later.\n',
}

async function open(settings: Partial<Settings> = {}, more: Files = {}): Promise<Engine> {
  const root = makeFolder()
  const engine = openCorpus(root, { embedder: 'none', refresh: 'auto', ...settings })
  onTestFinished(() => {
    engine.close()
  })
  writeFiles(root, { ...files, ...more })
  await engine.index()
  return engine
}
const cameAlong = ({ expanded }: Digest): readonly Passage[] => expanded.flatMap(({ passages }) => passages)
const names = (digest: Digest): string[] => cameAlong(digest).map(({ name }) => name)
const question = 'How many searches may be slow?'

it('brings the parent of a short section, for the line of its heading', async () => {
  const { digest, output } = await (await open()).assemble(question, { sections: 1 })
  expect(digest.primary.map(({ name }) => name)).toEqual(['Searches'])
  expect(cameAlong(digest)).toMatchObject([
    {
      name: 'Limits',
      path: 'docs/reference/limits.md',
      origin: { kind: 'expansion', via: 'defines', depth: 1, because: 'parent of a short section' },
      referencedBy: [{ path: 'docs/reference/limits.md', line: 13 }],
    },
  ])
  expect(output).toContain('holds for each tenant, per minute')
})

it('is the golden example', async () => {
  const { output } = await (await open()).assemble(question, { sections: 1, maxTokens: 4000, layout: 'auto' })
  if (process.env['YORE_UPDATE']) writeFileSync(golden, output)
  expect(output).toBe(readFileSync(golden, 'utf8'))
})

describe('stays out', () => {
  it('when it is turned off, and at depth 0', async () => {
    const off = await open({ familyExpansion: 'off' })
    expect((await off.assemble(question, { sections: 1 })).digest.expanded).toEqual([])
    expect((await (await open()).assemble(question, { sections: 1, depth: 0 })).digest.expanded).toEqual([])
  })

  it('when the section says enough by itself', async () => {
    const { digest } = await (await open()).assemble('ticket to raise limits in an incident', { sections: 1 })
    expect(digest.primary.map(({ name }) => name)).toEqual(['How limits are raised'])
    expect(digest.expanded).toEqual([])
  })

  it('when the parent has no text of its own', async () => {
    const bare = { 'docs/reference/limits.md': '# Limits\n\n## Searches\n\n120, of which 20 may be slow.\n' }
    const { digest } = await (await open({}, bare)).assemble(question, { sections: 1 })
    expect(digest.expanded).toEqual([])
  })

  it('when the parent is in the digest already', async () => {
    const { digest } = await (await open()).assemble('limits of searches, uploads and downloads', {
      sections: 20,
    })
    const all = [...digest.primary, ...cameAlong(digest)].flatMap(({ artifacts }) => artifacts)
    expect(all).toEqual([...new Set(all)])
    expect(all).toContain('docs/reference/limits.md#limits')
  })

  it('when the rulebook of the repository does not allow it', async () => {
    const only = { via: 'links', direction: 'out', allowed_target_types: ['markdown_section'], cost: 1 }
    const override = { markdown: { chunk_rules: { markdown_section: { expansions: [only] } } } }
    const engine = await open({}, { [overridesFile]: JSON.stringify(override) })
    expect((await engine.assemble(question, { sections: 1 })).digest.expanded).toEqual([])
  })

  it('when nothing of the cost is left', async () => {
    const engine = await open({ digestExpansionBudget: 0 })
    expect((await engine.assemble(question, { sections: 1 })).digest.expanded).toEqual([])
  })
})

it('brings siblings only when two hops are asked for', async () => {
  const engine = await open()
  expect(names((await engine.assemble(question, { sections: 1, depth: 1 })).digest)).toEqual(['Limits'])
  expect(names((await engine.assemble(question, { sections: 1, depth: 2 })).digest)).toEqual([
    'Limits',
    'Uploads',
    'Downloads',
    'How limits are raised',
  ])
})

it('names every short section that a parent explains', async () => {
  const engine = await open({ relevanceThreshold: 0 })
  const { digest } = await engine.assemble('slow searches, uploads', { sections: 2 })
  const [parent] = cameAlong(digest)
  expect(parent?.name).toBe('Limits')
  expect(parent?.referencedBy).toHaveLength(2)
})

it('leaves the first place to references', async () => {
  const more = {
    'docs/reference/limits.md':
      '# Limits\n\nPer tenant.\n\n## Searches\n\n120, of which 20 may be slow. See ADR-007.\n',
    'docs/adr/ADR-007-slow.md': '# ADR-007: Slow\n\n## Decision\n\nWhat takes a second is slow.\n',
  }
  const engine = await open({ digestExpansionBudget: 1 }, more)
  const { digest } = await engine.assemble(question, { sections: 1 })
  expect(digest.expanded.map((document) => document.path)).toEqual(['docs/adr/ADR-007-slow.md'])
})
