// Is what a function calls in the digest? A question about the caller, the definitions of its callees, with and without expansion.
//
// npm run eval:code-coverage -- [--corpus NAME] [--functions N]
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Digest } from '../src/model/digest.ts'
import { CorpusReader } from '../src/store/corpus-reader.ts'
import { openForReading } from '../src/store/open-database.ts'
import { openIndexed, prepareCode } from './code-corpora.ts'
import { halfOf } from './read-sets.ts'

const { values } = parseArgs({
  options: { corpus: { type: 'string' }, functions: { type: 'string', default: '250' } },
})

/** Everything that a digest quotes. */
function held({ primary, expanded }: Digest): Set<string> {
  return new Set(
    [...primary, ...expanded.flatMap(({ passages }) => passages)].flatMap(({ artifacts }) => artifacts),
  )
}

async function measure(name: string): Promise<void> {
  const { root } = prepareCode(name)
  if (root === null) {
    console.log(`${name}: not on this machine, skipped`)
    return
  }
  const engine = await openIndexed(root)
  const reader = new CorpusReader(openForReading(path.join(engine.indexDir, 'index.db')))
  const callees = new Map<string, Set<string>>()
  for (const { origin, section, form, outcome } of reader.references().inCode('all')) {
    if (form !== 'uses' || outcome !== 'resolved' || section === null) continue
    if (halfOf(origin) !== 'B' || !/_(?:class_)?function$/.test(reader.artifactById(origin)?.kind ?? ''))
      continue
    callees.set(origin, (callees.get(origin) ?? new Set()).add(section))
  }
  const callers = [...callees.keys()].sort()
  const step = Math.max(1, Math.floor(callers.length / Number(values.functions)))
  const asked = callers.filter((_, index) => index % step === 0)
  const found = { with: 0, without: 0, all: 0, whole: { with: 0, without: 0 } }
  for (const caller of asked) {
    const question = `How does \`${caller.split('#')[1]?.replace(/-\d+$/, '')}\` in ${caller.split('#')[0]} work?`
    const wanted = [...(callees.get(caller) as Set<string>)]
    const deep = held((await engine.assemble(question, { maxTokens: 8000, depth: 1, layout: 'full' })).digest)
    const flat = held((await engine.assemble(question, { maxTokens: 8000, depth: 0, layout: 'full' })).digest)
    found.all += wanted.length
    found.with += wanted.filter((id) => deep.has(id)).length
    found.without += wanted.filter((id) => flat.has(id)).length
    found.whole.with += wanted.every((id) => deep.has(id)) ? 1 : 0
    found.whole.without += wanted.every((id) => flat.has(id)) ? 1 : 0
  }
  const share = (count: number, of: number): string => `${((100 * count) / of).toFixed(1)} %`
  console.log(
    `${name}: ${asked.length} functions of half B, ${found.all} resolved callees, digests of 8,000 tokens`,
  )
  console.log(
    `  callees in the digest: with expansion ${share(found.with, found.all)}, without ${share(found.without, found.all)}`,
  )
  console.log(
    `  functions with all of them: with ${share(found.whole.with, asked.length)}, without ${share(found.whole.without, asked.length)}`,
  )
  reader.close()
  engine.close()
}

for (const name of values.corpus === undefined ? ['python', 'ai'] : [values.corpus]) await measure(name)
