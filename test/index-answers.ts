// What does an index say? Every output that a user may see, as one list of texts, for comparing two indexes of one folder.
import type { Engine } from '../src/offer/engine/engine.ts'

/** Outputs by name; what differs between two runs at different times or places is left out. */
export async function readAnswers(
  engine: Engine,
  questions: readonly string[],
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  const { indexPath, indexBytes, indexedAt, freshness, ...status } = await engine.status()
  answers['status'] = JSON.stringify({ ...status, freshness: freshness.state }, null, 1)
  for (const question of questions) {
    const wide = { maxTokens: 6000, layout: 'full' } as const
    answers[`markdown: ${question}`] = (await engine.assemble(question, wide)).output
    const json = await engine.assemble(question, { maxTokens: 12_000, format: 'json', explain: true })
    answers[`json: ${question}`] = json.output
    const { freshness: _, ...found } = await engine.search(question, { limit: 100 })
    answers[`search: ${question}`] = JSON.stringify(found, null, 1)
  }
  // Weights to their last bit, and edges in their order.
  const { output, facts } = await engine.outline(null, { maxTokens: 12_000 })
  answers['outline'] = `${output}${JSON.stringify(facts, null, 1)}`
  const { fingerprint: _, ...documents } = await engine.documentGraph({ limit: 10_000 })
  answers['document graph'] = JSON.stringify(documents, null, 1)
  const { links } = await engine.checkLinks()
  answers['links'] = JSON.stringify(links, null, 1)
  return answers
}

/** What stands around these artifacts. */
export async function readGraphs(engine: Engine, named: readonly string[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const name of named) {
    const found = await engine.graph(name).then(({ graph }) => graph, String)
    answers[`graph: ${name}`] = JSON.stringify(found, null, 1)
    const uses = await engine.uses(name).then(({ facts }) => facts, String)
    answers[`uses: ${name}`] = JSON.stringify(uses, null, 1)
  }
  return answers
}
