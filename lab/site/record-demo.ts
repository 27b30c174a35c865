// What does the demonstration show? Three questions to the documentation of Kubernetes, recorded into lab/site/demo.json.
//
// node lab/site/record-demo.ts    needs the set k8sdocs (lab/eval/README.md); README.md and the landing page show the result
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { parseDigest } from '../../test/parse-digest.ts'
import { describeHead } from '../describe-head.ts'
import { prepareCorpus } from '../eval/prepare-corpus.ts'

export interface Demo {
  readonly corpus: string
  readonly licence: string
  readonly commit: string
  readonly files: number
  readonly tokens: number
  readonly budget: number
  readonly questions: readonly {
    readonly question: string
    readonly tokens: number
    readonly sources: readonly { readonly path: string; readonly lines: string; readonly name: string }[]
    readonly digest: string
  }[]
}

const budget = 2000
const when = Date.parse('2026-11-19T00:00:00Z')
const questions = [
  'How do I roll back a Deployment?',
  'What does the restart policy of a Pod do?',
  'How do I change the default StorageClass?',
]

const { opened } = await prepareCorpus('k8sdocs')
const engine = openEngine({ ...opened, settings: { ...opened.settings, refresh: 'auto' } })
const status = await engine.status()
const asked: Demo['questions'][number][] = []
for (const question of questions) {
  const { output, tokensUsed } = await engine.assemble(question, {
    maxTokens: budget,
    layout: 'brief',
    now: when,
  })
  const { passages, expanded } = parseDigest(output)
  const sources = [...passages, ...expanded].map(({ path: file, name, ranges }) => ({
    path: file,
    name,
    lines: ranges.map(({ start, end }) => `${start}-${end}`).join(', '),
  }))
  asked.push({ question, tokens: tokensUsed, sources, digest: output })
}
const demo: Demo = {
  corpus: 'the documentation of Kubernetes',
  licence: 'Text by the Kubernetes authors, CC BY 4.0',
  commit: describeHead(),
  files: status.files,
  tokens: status.tokens,
  budget,
  questions: asked,
}
writeFileSync(path.join(import.meta.dirname, 'demo.json'), `${JSON.stringify(demo, null, 2)}\n`)
engine.close()
for (const { question, tokens, sources } of asked)
  console.log(`${question}: ${tokens} tokens, ${sources.length} passages`)
