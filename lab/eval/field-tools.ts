// How do others answer the field's questions? The scripts of lab/bench/peers, each asked for places, best first.
import { runPeer } from '../bench/peers/run-peer.ts'
import type { FieldTool } from './field-sets.ts'
import type { Place } from './real-set.ts'
import { Packer } from './window-floor.ts'

/** Ways of asking that are scored: the script of the peer, and which of its lists. */
const peers: Readonly<Record<string, readonly [script: string, list: string]>> = {
  windows: ['windows', 'windows'],
  ripgrep: ['ripgrep', 'the best window of each file'],
}

/** Asks a peer all questions about a folder at once. A digest is what of its places fits the budget. */
export function openPeer(name: string, root: string, questions: readonly string[]): FieldTool {
  const peer = peers[name]
  if (peer === undefined) throw new Error(`no tool ${name}: yore, ${Object.keys(peers).join(', ')}`)
  const [script, list] = peer
  const { answers = [] } = runPeer(script, { root, questions, everyFile: true }).raw.variants[list] ?? {}
  const found = new Map(questions.map((question, at) => [question, answers[at] ?? []]))
  const placesOf = (text: string): readonly Place[] => found.get(text) ?? []
  const packer = new Packer(root)
  return {
    list: async (text) => placesOf(text).map((place) => ({ ...place, shown: '', matched: place })),
    digest: async (text, budget) => packer.pack(placesOf(text), budget),
    close: () => {},
  }
}
