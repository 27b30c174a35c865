// Does a question that lands on a child section get its parent and siblings? `YORE_UPDATE=1` rewrites the golden.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DigestLimits, Settings } from '../src/model/config/settings.ts'
import type { Digest, Passage } from '../src/model/digest.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { serveStdio } from './mcp-clients.ts'
import { plainVariables, runYore } from './run-command-line.ts'
import { type Files, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const golden = path.join(import.meta.dirname, 'golden/cross-references/family.md')

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

async function open(settings: Partial<Settings & DigestLimits> = {}, more: Files = {}): Promise<Engine> {
  const root = makeFolder()
  const engine = openCorpus(root, { 'embedding.provider': 'none', refresh: 'auto', ...settings })
  onTestFinished(() => {
    engine.close()
  })
  writeFiles(root, { ...files, ...more })
  await engine.index()
  return engine
}
const surrounding = ({ expanded }: Digest): readonly Passage[] =>
  expanded.filter(({ type }) => type === 'family').flatMap(({ passages }) => passages)
const names = (digest: Digest): string[] => surrounding(digest).map(({ name }) => name)
const question = 'How many searches may be slow?'

/** Four sections of about 170 tokens; only the first answers. */
const big = [
  '# Animals',
  'Every animal below belongs to the zoo and is counted once a year by two keepers.',
  ...[
    ['First', 'hippopotamus'],
    ['Second', 'zebra'],
    ['Third', 'lion'],
    ['Fourth', 'giraffe'],
  ].flatMap(([name, animal]) => [
    `## ${name}`,
    ['north', 'south', 'east', 'west', 'upper', 'lower']
      .map(
        (side) =>
          `The ${animal} has a pen at the ${side} side. A keeper weighs it there each morning before noon.`,
      )
      .join('\n'),
  ]),
].join('\n\n')

function writeBig(): string {
  const root = makeFolder()
  writeFiles(root, { 'BIG.md': `${big}\n` })
  return root
}

/** Heading, label and opening lines of the parent and of each sibling. */
function expectFamily(output: string): void {
  const [found = '', around = ''] = output.split('\n## Surrounding Sections\n')
  expect(found).toContain('The hippopotamus has a pen at the north side.')
  expect(around).toContain('Every animal below belongs to the zoo')
  for (const animal of ['zebra', 'lion', 'giraffe'])
    expect(around).toContain(`The ${animal} has a pen at the south side.`)
  expect(around.split('**Same document as:** BIG.md:5\n')).toHaveLength(1 + 4)
  expect(output).not.toContain('Cross-Referenced')
  expect(output).not.toContain('Referenced by')
}

describe('a question that lands on a child section brings its parent and siblings (ADR-046, section 3)', () => {
  const asked = 'hippopotamus'

  it('by the command line', () => {
    const { status, stdout } = runYore(['assemble', asked, '--root', writeBig()], { env: plainVariables() })
    expect(status).toBe(0)
    expectFamily(stdout)
  })

  it('but not by MCP, where the caller can read what is around', async () => {
    const { client, close } = await serveStdio(writeBig(), 'legacy', { YORE_EMBEDDING_PROVIDER: 'builtin' })
    onTestFinished(close)
    const { content } = await client.callTool({ name: 'assemble_context', arguments: { question: asked } })
    const text = (content as { text: string }[]).map((one) => one.text).join('\n')
    expect(text).toContain('The hippopotamus has a pen at the north side.')
    expect(text).not.toContain('Surrounding Sections')
  })
})

it('brings the parent and the siblings, the nearest first where tokens are short', async () => {
  const engine = await open()
  const { digest, output } = await engine.assemble(question, { sections: 1 })
  expect(digest.primary.map(({ name }) => name)).toEqual(['Searches'])
  const common = { path: 'docs/reference/limits.md', referencedBy: [] }
  expect(surrounding(digest)).toMatchObject([
    {
      ...common,
      name: 'Limits',
      origin: { kind: 'expansion', via: 'defines', depth: 1, because: 'parent of a found section' },
      sameDocumentAs: [{ path: 'docs/reference/limits.md', line: 13 }],
    },
    { ...common, name: 'Uploads' },
    { ...common, name: 'Downloads' },
    { ...common, name: 'How limits are raised' },
  ])
  expect(output).toContain('holds for each tenant, per minute')
  const few = await engine.assemble(question, { sections: 1, maxTokens: 290 })
  expect(names(few.digest).slice(0, 2)).toEqual(['Limits', 'Downloads'])
  expect(names(few.digest)).not.toContain('Uploads')
})

it('is the golden example', async () => {
  const { output } = await (await open()).assemble(question, { sections: 1, maxTokens: 4000, layout: 'auto' })
  if (process.env['YORE_UPDATE']) writeFileSync(golden, output)
  expect(output).toBe(readFileSync(golden, 'utf8'))
})

it('shows a passage whole, or its opening lines of at least 60 tokens', async () => {
  const root = writeBig()
  using engine = openCorpus(root, { refresh: 'auto' })
  for (const maxTokens of [600, 900, 1300, 2000, 3000, 5000, 8000]) {
    const { digest } = await engine.assemble('hippopotamus', { maxTokens })
    for (const { excerpts, truncated } of surrounding(digest))
      expect(truncated ? (excerpts[0]?.text.split('\n').length ?? 0) : 5).toBeGreaterThanOrEqual(5)
  }
})

describe('is skipped', () => {
  it('when it is turned off, and at depth 0', async () => {
    const off = await open({ 'references.family': 'off' })
    expect((await off.assemble(question, { sections: 1 })).digest.expanded).toEqual([])
    expect((await (await open()).assemble(question, { sections: 1, depth: 0 })).digest.expanded).toEqual([])
  })

  it('where a member has no text of its own, or is a table of contents', async () => {
    const bare = {
      'docs/reference/limits.md':
        '# Limits\n\n## Contents\n\n- [a](#searches)\n- [b](#searches)\n- [c](#searches)\n- [d](#searches)\n\n## Searches\n\n120, of which 20 may be slow.\n\n## Empty\n',
    }
    const { digest } = await (await open({}, bare)).assemble(question, { sections: 1 })
    expect(digest.expanded).toEqual([])
  })

  it('for what is in the digest already', async () => {
    const { digest } = await (await open()).assemble('limits of searches, uploads and downloads', {
      sections: 20,
    })
    const all = [...digest.primary, ...surrounding(digest)].flatMap(({ artifacts }) => artifacts)
    expect(all).toEqual([...new Set(all)])
    expect(all).toContain('docs/reference/limits.md#limits')
  })

  it('when nothing of the cost is left', async () => {
    const engine = await open({ 'references.budget': 0 })
    expect((await engine.assemble(question, { sections: 1 })).digest.expanded).toEqual([])
  })
})

it('names every found section that a parent belongs to', async () => {
  const engine = await open({ relevanceThreshold: 0 })
  const { digest } = await engine.assemble('slow searches, uploads', { sections: 2 })
  const [parent] = surrounding(digest)
  expect(parent?.name).toBe('Limits')
  expect(parent?.sameDocumentAs).toHaveLength(2)
})

it('comes after references', async () => {
  const more = {
    'docs/reference/limits.md':
      '# Limits\n\nPer tenant.\n\n## Searches\n\n120, of which 20 may be slow. See ADR-007.\n',
    'docs/adr/ADR-007-slow.md': '# ADR-007: Slow\n\n## Decision\n\nWhat takes a second is slow.\n',
  }
  const paths = async (budget: number): Promise<string[]> => {
    const engine = await open({ 'references.budget': budget }, more)
    const { digest } = await engine.assemble(question, { sections: 1 })
    return digest.expanded.map((document) => document.path)
  }
  expect(await paths(1)).toEqual(['docs/adr/ADR-007-slow.md'])
  expect(await paths(20)).toEqual(['docs/adr/ADR-007-slow.md', 'docs/reference/limits.md'])
})
