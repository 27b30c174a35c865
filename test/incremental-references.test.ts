// Are references right again after a change, without a rebuild? What is stored is compared with a fresh index of the same files.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CorpusReader } from '../src/corpus/store/corpus-reader.ts'
import { CorpusWriter } from '../src/corpus/store/corpus-writer.ts'
import { openForReading, openForWriting } from '../src/corpus/store/open-database.ts'
import type { ReferenceRow } from '../src/corpus/store/rows/reference-reader.ts'
import type { Authority } from '../src/corpus/store/rows/reused-references.ts'
import { referencesSql, sectionsSql } from '../src/corpus/store/schema.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { type PageText, pages, randomLinks, randomPage, writePage } from './random-links.ts'
import { type Files, makeFolder, openCorpus, removeFolder, slow, writeFiles } from './temporary-corpus.ts'

const settings = { 'embedding.provider': 'none', workers: 1 } as const

/** Every reference with what became of it, and every document's standing, without the row numbers that history gives. */
function graphOf(root: string): { mentions: unknown[]; standings: unknown[] } {
  using db = new DatabaseSync(path.join(root, '.yore/index.db'), { readOnly: true })
  const mentions = db
    .prepare(
      `SELECT a.canonical_id AS origin, m.form, m.text, m.target, m.line, m.outcome, m.path, m.section, m.anchor,
        m.confidence, m.method, m.candidates FROM ${referencesSql} m JOIN ${sectionsSql} a ON a.id = m.artifact
        ORDER BY origin, m.line, m.id`,
    )
    .all()
  const standings = db.prepare('SELECT path, inbound, rank, successor FROM files ORDER BY path').all()
  return { mentions, standings }
}

class Corpus {
  readonly root: string = makeFolder()
  readonly engine: Engine = openCorpus(this.root, settings)
  readonly files = new Map<string, string | Uint8Array>()
  /** Each write gets a second of its own, so that no change hides behind an equal time. */
  #clock = Date.parse('2025-01-01T00:00:00Z')

  write(files: Files): void {
    this.#clock += 1000
    writeFiles(this.root, files, Object.fromEntries(Object.keys(files).map((file) => [file, this.#clock])))
    for (const [file, text] of Object.entries(files)) this.files.set(file, text)
  }

  remove(file: string): void {
    rmSync(path.join(this.root, file), { force: true })
    this.files.delete(file)
  }

  move(from: string, to: string): void {
    const text = this.files.get(from)
    if (text === undefined || this.files.has(to)) return
    this.remove(from)
    this.write({ [to]: text })
  }

  /** What an index that knows no history would say. */
  async fresh(): Promise<ReturnType<typeof graphOf>> {
    const root = makeFolder()
    const engine = openCorpus(root, settings)
    try {
      writeFiles(root, Object.fromEntries(this.files))
      await engine.index()
      return graphOf(root)
    } finally {
      engine.close()
      removeFolder(root)
    }
  }

  close(): void {
    this.engine.close()
    removeFolder(this.root)
  }
}

async function openWith(files: Files): Promise<Corpus> {
  const corpus = new Corpus()
  onTestFinished(() => corpus.close())
  corpus.write(files)
  await corpus.engine.index()
  return corpus
}

/** Where each reference of a page leads now. */
function outcomesOf(corpus: Corpus, origin: string): string[] {
  const { mentions } = graphOf(corpus.root)
  return (mentions as { origin: string; outcome: string; path: string | null; section: string | null }[])
    .filter((mention) => mention.origin.startsWith(origin))
    .map(({ outcome, path: place, section }) => (outcome === 'resolved' ? (section ?? place ?? '') : outcome))
}

const origin = 'docs/origin.md'
const target = '# Target\n\n## Retry semantics\n\nText.\n'

describe('after one run of the indexer a reference is right again when its target', () => {
  it('appears', async () => {
    const corpus = await openWith({ [origin]: '[t](target.md#retry-semantics), ADR-007' })
    expect(outcomesOf(corpus, origin)).toEqual(['missing', 'external'])
    corpus.write({ 'docs/target.md': target, 'adr/ADR-007-a.md': '# ADR-007: A\n' })
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['docs/target.md#target.retry-semantics', 'adr/ADR-007-a.md'])
    expect(graphOf(corpus.root)).toEqual(await corpus.fresh())
  })

  it('appears as the index page of a folder that had none', async () => {
    const corpus = await openWith({ [origin]: '[folder](../guide/)', 'guide/setup.md': '# Setup\n' })
    expect(outcomesOf(corpus, origin)).toEqual(['external'])
    corpus.write({ 'guide/_index.md': '# Guide\n' })
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['guide/_index.md'])
  })

  it('moves to another folder', async () => {
    const corpus = await openWith({ [origin]: '[t](target.md)', 'docs/target.md': target })
    corpus.move('docs/target.md', 'elsewhere/target.md')
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['elsewhere/target.md'])
    expect(graphOf(corpus.root)).toEqual(await corpus.fresh())
  })

  it('is renamed', async () => {
    const corpus = await openWith({ [origin]: '[t](target.md)', 'docs/target.md': target })
    corpus.move('docs/target.md', 'docs/renamed.md')
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['missing'])
    expect(graphOf(corpus.root)).toEqual(await corpus.fresh())
  })

  it('loses the heading that an anchor names, and gets it back', async () => {
    const corpus = await openWith({ [origin]: '[t](target.md#retry-semantics)', 'docs/target.md': target })
    corpus.write({ 'docs/target.md': '# Target\n\n## Something else\n\nText.\n' })
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['docs/target.md'])
    corpus.write({ 'docs/target.md': target })
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['docs/target.md#target.retry-semantics'])
    expect(graphOf(corpus.root)).toEqual(await corpus.fresh())
  })

  it('disappears', async () => {
    const corpus = await openWith({ [origin]: '[t](target.md)', 'docs/target.md': target })
    corpus.remove('docs/target.md')
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['missing'])
    expect(graphOf(corpus.root)).toEqual(await corpus.fresh())
  })

  it('can no longer be read as text', async () => {
    const corpus = await openWith({ [origin]: '[t](target.md)', 'docs/target.md': target })
    corpus.write({ 'docs/target.md': new Uint8Array([35, 32, 0, 1, 2, 0, 255, 254]) })
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['missing'])
  })

  it('gets a namesake: a certain number becomes ambiguous, and certain again when the other goes', async () => {
    const corpus = await openWith({
      [origin]: 'See ADR-007.',
      'adr/ADR-007-a.md': '# ADR-007: A\n',
      'adr/ADR-008-b.md': '# ADR-008: B\n',
    })
    corpus.write({ 'old/ADR-007-c.md': '# ADR-007: C\n' })
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['ambiguous'])
    corpus.remove('old/ADR-007-c.md')
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['adr/ADR-007-a.md'])
  })

  it('is named by the frontmatter of another page from now on', async () => {
    const corpus = await openWith({ [origin]: '[t](/old/address/)', 'docs/target.md': target })
    expect(outcomesOf(corpus, origin)).toEqual(['missing'])
    corpus.write({ 'docs/target.md': `---\naliases: [/old/address]\n---\n${target}` })
    await corpus.engine.index()
    expect(outcomesOf(corpus, origin)).toEqual(['docs/target.md'])
  })
})

it.each(['ruby', 'rst', 'wiki'])('parses every file again if the last run did not know %s', async (name) => {
  const corpus = await openWith({ [origin]: '[t](target.md)', 'docs/target.md': target })
  expect(await corpus.engine.index()).toMatchObject({ indexed: 0 })
  const { db } = openForWriting(path.join(corpus.root, '.yore/index.db'), { rebuild: false })
  const known = new CorpusReader(db).meta('readMentions')!
  expect(known.formats).toContain(name)
  const formats = known.formats.filter((one) => one !== name)
  new CorpusWriter(db).setMeta('readMentions', { ...known, formats })
  db.close()
  expect(await corpus.engine.index()).toMatchObject({ rebuilt: false, indexed: 2 })
})

it('finishes what a run left undone that ended between writing documents and resolving their references', async () => {
  const corpus = await openWith({ [origin]: '[t](target.md)', 'docs/target.md': target })
  // The state after such an end: documents are there, their references wait.
  const { db } = openForWriting(path.join(corpus.root, '.yore/index.db'), { rebuild: false })
  const writer = new CorpusWriter(db)
  const mention = db.prepare(`SELECT id, form, text, path FROM ${referencesSql}`).get()
  writer.resolveMention(mention as unknown as ReferenceRow, { outcome: 'missing', candidates: [] })
  db.exec(
    "UPDATE mentions SET other_outcome = 'pending', sum = row_sum(artifact, form, text, target, line, 'pending', '', '', '', '', '', '')",
  )
  writer.clearMeta('resolvedWith')
  db.close()
  const report = await corpus.engine.index()
  expect(report.indexed).toBe(0)
  expect(outcomesOf(corpus, origin)).toEqual(['docs/target.md'])
})

it('marks the references as undone in the same transaction that writes the documents', async () => {
  const corpus = await openWith({ [origin]: '[t](target.md)' })
  const states: string[] = []
  corpus.write({ 'docs/target.md': target })
  await corpus.engine.index({
    onProgress: ({ phase }) => {
      if (phase !== 'merging') return
      // Another connection sees the state before: the mark comes with the documents, not earlier.
      using db = new DatabaseSync(path.join(corpus.root, '.yore/index.db'), { readOnly: true })
      states.push(
        (db.prepare("SELECT value FROM meta WHERE key = 'resolvedWith'").get() as { value: string }).value,
      )
    },
  })
  expect(states).toEqual(['[]'])
})

function metaOf(root: string, key: 'outlines' | 'names' | 'fingerprint'): string | null {
  const reader = new CorpusReader(openForReading(path.join(root, '.yore/index.db')))
  try {
    reader.checkRows()
    return reader.meta(key)
  } finally {
    reader.close()
  }
}

/** Writes one document and indexes it: are references resolved for it? */
async function editTarget(corpus: Corpus, changed: string): Promise<'kept' | 'resolved again'> {
  const standing = setInbound(corpus, null)
  setInbound(corpus, untilResolved)
  corpus.write({ 'docs/target.md': changed })
  await corpus.engine.index()
  const isKept = setInbound(corpus, null) === untilResolved
  if (isKept) setInbound(corpus, standing)
  expect(graphOf(corpus.root)).toEqual(await corpus.fresh())
  metaOf(corpus.root, 'names')
  return isKept ? 'kept' : 'resolved again'
}

/** A number of references that no document has: counting them anew puts the right one in its place. */
const untilResolved = 99

/** Gives how many references to the origin are counted, and writes another number unless it is null. */
function setInbound(corpus: Corpus, inbound: number | null): number {
  const { db } = openForWriting(path.join(corpus.root, '.yore/index.db'), { rebuild: false })
  const sql = 'SELECT id, inbound, rank, successor FROM files WHERE path = ?'
  const row = db.prepare(sql).get(origin) as unknown as { id: number } & Authority
  if (inbound !== null) new CorpusWriter(db).setAuthority(row.id, { ...row, inbound })
  db.close()
  return row.inbound
}

it('resolves nothing again where an edit left names, headings, anchors and references as they were', async () => {
  const text = '# Target\n\n## Retry semantics\n\nText with [o](origin.md#x) and [self](#target).\n'
  const corpus = await openWith({
    [origin]: '# Origin\n\n[t](target.md#retry-semantics), [own](target.md#own), ADR-007\n',
    'docs/target.md': text,
    'docs/other.md': '# Other\n\n[t](target.md)\n',
  })
  const edit = (changed: string): ReturnType<typeof editTarget> => editTarget(corpus, changed)
  expect(await edit(`${text}\nA paragraph more.\n`)).toBe('kept')
  expect(await edit(`Before it all.\n\n${text}`)).toBe('kept')
  expect(await edit(text.replace('Text with', 'Words with'))).toBe('kept')
  expect(await edit(text)).toBe('kept')
  expect(await edit(`${text}\n<a id="own"></a> More.\n`)).toBe('resolved again')
  expect(await edit(`${text}\n<a id="own"></a> Other.\n`)).toBe('kept')
  // An anchor before a heading belongs to it, also where headings are not in the order of the alphabet.
  const anchored = `${text}\n<a id="own"></a>\n\n## A heading\n\nText.\n`
  expect(await edit(anchored)).toBe('resolved again')
  expect(await edit(`${anchored}\nMore.\n`)).toBe('kept')
  expect(await edit(`${text}\nMore, [other](other.md).\n`)).toBe('resolved again')
  expect(await edit(text.replace('Retry', 'Repeat'))).toBe('resolved again')
})

type Edit =
  | { readonly kind: 'write'; readonly page: string; readonly text: PageText }
  | { readonly kind: 'remove'; readonly page: string }
  | { readonly kind: 'move'; readonly page: string; readonly to: string }
  | { readonly kind: 'add'; readonly page: string; readonly heading: string }

const place = fc.constantFrom(...pages)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), page: place, text: randomPage }),
  fc.record({ kind: fc.constant('remove' as const), page: place }),
  fc.record({ kind: fc.constant('move' as const), page: place, to: place }),
  fc.record({
    kind: fc.constant('add' as const),
    page: place,
    heading: fc.constantFrom('Context', 'Gamma', 'Nowhere', 'New'),
  }),
)

function apply(corpus: Corpus, change: Edit): void {
  const known = corpus.files.get(change.page)
  if (change.kind === 'add') {
    if (typeof known === 'string')
      corpus.write({ [change.page]: `${known}\n\n## ${change.heading}\n\nMore.\n` })
  } else if (change.kind === 'write') corpus.write({ [change.page]: writePage(change.page, change.text) })
  else if (change.kind === 'move') corpus.move(change.page, change.to)
  else corpus.remove(change.page)
}

it('has the same references and standings as a fresh index after any history of edits', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomLinks,
      fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      async (files, rounds) => {
        const corpus = new Corpus()
        try {
          // One page always stays, so that there is something to index.
          corpus.write({ ...files, 'KEEP.md': '# Keep\n\nSee ADR-001 and [alpha](docs/alpha.md#gamma).\n' })
          await corpus.engine.index()
          for (const round of rounds) {
            for (const change of round) apply(corpus, change)
            await corpus.engine.index()
          }
          expect(graphOf(corpus.root)).toEqual(await corpus.fresh())
          metaOf(corpus.root, 'names')
        } finally {
          corpus.close()
        }
      },
    ),
    { numRuns: slow ? 1000 : 30, endOnFailure: !slow },
  )
}, 600_000)
