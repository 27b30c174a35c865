// Does anything ever come along that may not? Random repositories full of references and cycles, run through the engine.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { referencesSql } from '../src/corpus/store/schema.ts'
import { readShippedRulebook } from '../src/model/config/read-rulebooks.ts'
import { rulebookLanguages } from '../src/model/config/rulebook-names.ts'
import type { DigestLimits, Settings } from '../src/model/config/settings.ts'
import type { Digest, Passage } from '../src/model/digest.ts'
import type { Rulebook } from '../src/model/expansion.ts'
import { randomLinks, topics } from './random-links.ts'
import { atScale } from './support/scaled-runs.ts'
import { makeFolder, openCorpus, removeFolder, slow, writeFiles } from './temporary-corpus.ts'

const asked = fc.record({
  words: fc.array(fc.constantFrom(...topics), { minLength: 1, maxLength: 3 }),
  depth: fc.constantFrom(0, 1, 1, 2, 2),
  sections: fc.constantFrom(1, 1, 2, 3, 20),
  maxTokens: fc.constantFrom(400, 900, 2000, 8000, 8000),
})
const limits = fc.record({
  'references.budget': fc.constantFrom(0, 2, 5, 20, 20),
  'references.share': fc.constantFrom(0.3, 0.3, 0.1, 0.6, 1),
  'references.documentTokens': fc.constantFrom(100, 200, 600),
})

interface StoredReference {
  readonly originPath: string
  readonly line: number
  readonly form: string
  readonly path: string
}

function referencesOf(root: string): StoredReference[] {
  using db = new DatabaseSync(path.join(root, '.yore/index.db'), { readOnly: true })
  const sql = `SELECT f.path AS originPath, m.line, m.form, m.path FROM ${referencesSql} m JOIN artifacts a ON a.id = m.artifact
    JOIN files f ON f.id = a.file WHERE m.outcome = 'resolved'`
  return db.prepare(sql).all() as unknown as StoredReference[]
}

const rulebooks: Readonly<Record<string, Rulebook>> = Object.fromEntries(
  rulebookLanguages.map((name) => [name, readShippedRulebook(name)]),
)

interface World {
  readonly root: string
  readonly references: readonly StoredReference[]
  readonly settings: Partial<Settings & DigestLimits>
  readonly depth: number
}

/** Written apart from the judge: what a reader of the digest can check. */
function checkDigest(digest: Digest, world: World): void {
  const expanded = digest.expanded.flatMap(({ passages }) => passages)
  const kinds = new Map<string, string>()
  for (const { artifacts, path: place, language } of digest.primary)
    for (const id of artifacts) kinds.set(id, kindOf(id, place, language))
  for (const passage of expanded) kinds.set(passage.artifacts[0] ?? '', passage.kind)
  let spent = 0
  const depths = new Map<string, number>(
    digest.primary.flatMap(({ artifacts }) => artifacts.map((id) => [id, 0])),
  )
  // References of the best document are followed from parts of it, too, that are not quoted.
  const [best] = [...digest.primary].sort((a, b) => b.score - a.score)
  for (const { origin } of expanded)
    if (
      best &&
      origin.kind === 'expansion' &&
      !kinds.has(origin.from) &&
      origin.from.split('#')[0] === best.path
    ) {
      kinds.set(origin.from, kindOf(origin.from, best.path, best.language))
      depths.set(origin.from, 0)
    }
  for (const passage of [...expanded].sort((a, b) => depthOf(a) - depthOf(b))) {
    const { origin } = passage
    if (origin.kind !== 'expansion') throw new Error('what came along says that search found it')
    spent += origin.cost
    checkRule(passage, kinds.get(origin.from))
    expect(origin.depth).toBeLessThanOrEqual(world.depth)
    expect(origin.depth).toBe((depths.get(origin.from) ?? Number.NaN) + 1)
    depths.set(passage.artifacts[0] ?? '', origin.depth)
    if (passage.sameDocumentAs === undefined) checkLines(passage, world)
    else checkFamily(passage, digest.primary)
  }
  expect(spent).toBeLessThanOrEqual(world.settings['references.budget'] ?? 0)
  const all = [...digest.primary, ...expanded].flatMap(({ artifacts }) => artifacts)
  expect(all).toEqual([...new Set(all)])
}

function kindOf(id: string, place: string, language: string): string {
  if (language === 'text') return 'text_document'
  return id === place ? 'markdown_module' : 'markdown_section'
}

function depthOf({ origin }: Passage): number {
  return origin.kind === 'expansion' ? origin.depth : 0
}

/** Some rule of the origin's chunk type names the relation, the target's type and the cost. */
function checkRule(passage: Passage, fromKind: string | undefined): void {
  const { origin } = passage
  if (origin.kind !== 'expansion' || fromKind === undefined)
    throw new Error('it starts from nothing in the digest')
  const rule = rulebooks[fromKind.slice(0, fromKind.indexOf('_'))]?.chunk_rules[fromKind]
  expect(rule?.allow_expansion).toBe(true)
  const granted = rule?.expansions.filter(
    ({ via, allowed_target_types, cost }) =>
      via === origin.via && allowed_target_types.includes(passage.kind) && cost === origin.cost,
  )
  expect(granted?.length).toBeGreaterThan(0)
}

/** Each line is one of a found section of the same document. */
function checkFamily(
  { path: file, sameDocumentAs = [], referencedBy }: Passage,
  primary: readonly Passage[],
): void {
  expect(referencedBy).toEqual([])
  expect(sameDocumentAs.length).toBeGreaterThan(0)
  for (const { path: found, line } of sameDocumentAs) {
    expect(found).toBe(file)
    const excerpts = primary.filter((one) => one.path === file).flatMap((one) => one.excerpts)
    expect(excerpts.some(({ lines }) => lines.start <= line && line <= lines.end)).toBe(true)
  }
}

/** Each line exists and holds, as the index knows, a reference to this document in this form. */
function checkLines(passage: Passage, { root, references }: World): void {
  expect(passage.referencedBy.length).toBeGreaterThan(0)
  for (const place of passage.referencedBy) {
    const lines = readFileSync(path.join(root, place.path), 'utf8').split('\n')
    expect(lines[place.line - 1]?.trim() ?? '').not.toBe('')
    const held = references.filter(
      (one) => one.originPath === place.path && one.line === place.line && one.path === passage.path,
    )
    expect(held.map(({ form }) => form)).not.toEqual([])
  }
}

it('what comes along was allowed, within cost and depth, once, for a line that refers to it; and every cycle ends', async () => {
  let cameAlong = 0
  let secondHops = 0
  await fc.assert(
    fc.asyncProperty(
      randomLinks,
      limits,
      fc.array(asked, { minLength: 4, maxLength: 8 }),
      async (files, settings, questions) => {
        const root = makeFolder()
        const engine = openCorpus(root, { 'embedding.provider': 'none', workers: 1, ...settings })
        try {
          writeFiles(root, { ...files, 'KEEP.md': '# Keep\n\nalpha [beta](docs/beta.md) ADR-001\n' })
          await engine.index()
          const references = referencesOf(root)
          for (const { words, depth, sections, maxTokens } of questions) {
            const { digest, tokensUsed } = await engine.assemble(words.join(' '), {
              depth,
              sections,
              maxTokens,
            })
            expect(tokensUsed).toBeLessThanOrEqual(maxTokens)
            checkDigest(digest, { root, references, settings, depth })
            const passages = digest.expanded.flatMap((document) => document.passages)
            cameAlong += passages.length
            secondHops += passages.filter((passage) => depthOf(passage) === 2).length
          }
        } finally {
          engine.close()
          removeFolder(root)
        }
      },
    ),
    // Shrinking through an engine takes minutes: the long version does it.
    { numRuns: slow ? 2000 : 100, endOnFailure: !slow },
  )
  // A property that is never put to the test proves nothing.
  expect(cameAlong).toBeGreaterThan(atScale(50))
  expect(secondHops).toBeGreaterThan(atScale(5))
}, 900_000)
