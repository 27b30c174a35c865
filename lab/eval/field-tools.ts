// How do others answer the field's questions? The scripts of lab/bench/peers, each asked for places, best first.
import { runPeer } from '../bench/peers/run-peer.ts'
import type { FieldTool } from './field-sets.ts'
import type { Place } from './real-set.ts'
import { Packer } from './window-floor.ts'

/** Peers that list places, with the way of asking that is scored. */
const peers: Readonly<Record<string, string>> = {
  windows: 'windows',
  ripgrep: 'the best window of each file',
}

/** Asks a peer all questions about a folder at once. A digest is what of its places fits the budget. */
export function openPeer(name: string, root: string, questions: readonly string[]): FieldTool {
  const way = peers[name]
  if (way === undefined) throw new Error(`no tool ${name}: yore, ${Object.keys(peers).join(', ')}`)
  const { answers = [] } = runPeer(name, { root, questions, everyFile: true }).raw.variants[way] ?? {}
  const found = new Map(questions.map((question, at) => [question, answers[at] ?? []]))
  const placesOf = (text: string): readonly Place[] => found.get(text) ?? []
  const packer = new Packer(root)
  return {
    list: async (text) => placesOf(text).map((place) => ({ ...place, shown: '', matched: place })),
    digest: async (text, budget) => packer.pack(placesOf(text), budget),
    close: () => {},
  }
}
