// What does a reader of the concurrency test do? Asks again and again, and counts answers that mix two generations.
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { openCorpus } from './temporary-corpus.ts'
import { doneFile } from './writer-process.ts'

export interface ReaderReport {
  readonly answers: number
  readonly torn: readonly string[]
  readonly generations: number
  readonly errors: readonly string[]
}

function generationsIn(text: string): string[] {
  return text.match(/generation\d+/g) ?? []
}

async function read(root: string): Promise<ReaderReport> {
  const engine = openCorpus(root)
  const seen = new Set<string>()
  const torn: string[] = []
  const errors: string[] = []
  let answers = 0
  const look = (place: string, text: string, byPlace: Map<string, string>): void => {
    for (const generation of generationsIn(text)) {
      seen.add(generation)
      const known = byPlace.get(place)
      if (known !== undefined && known !== generation) torn.push(`${place}: ${known} and ${generation}`)
      byPlace.set(place, generation)
    }
  }
  while (!existsSync(doneFile(root))) {
    try {
      const { digest } = await engine.assemble('deploy worker registry', { sections: 1000, maxTokens: 6000 })
      const inDigest = new Map<string, string>()
      for (const { path, name, excerpts } of digest.primary)
        look(path, name + excerpts.map(({ text }) => text).join(), inDigest)
      const { hits } = await engine.search('deploy worker registry', { limit: 50 })
      const inSearch = new Map<string, string>()
      for (const { path, headings, excerpt } of hits) look(path, headings.join() + excerpt.text, inSearch)
      if (digest.primary.length === 0 || hits.length === 0) torn.push('an answer without a document')
      answers += 2
    } catch (cause) {
      errors.push(String(cause))
    }
    await setImmediate()
  }
  engine.close()
  return { answers, torn, generations: seen.size, errors }
}

process.stdout.write(JSON.stringify(await read(process.argv[2] as string)))
