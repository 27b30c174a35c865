// What does the writer of the concurrency test do? Rewrites every document in generations and indexes each, for a while.
import { writeFileSync } from 'node:fs'
import { openCorpus, writeFiles } from './temporary-corpus.ts'

/** Every section of a document carries its generation; documents of one index may be of different generations. */
export function generationFiles(generation: number): Record<string, string> {
  const files: Record<string, string> = {}
  for (let number = 0; number < 12; number++) {
    const sections = Array.from({ length: 8 }, (_, at) => {
      const body = `The registry keeps generation${generation} of the deploy worker, part ${at}.`
      return `## Part ${at} generation${generation}\n\n${`${body} `.repeat(1 + ((generation + at) % 5))}\n`
    })
    files[`docs/document${number}.md`] = `# Document ${number}\n\n${sections.join('\n')}`
  }
  return files
}

/** Tells the readers that the writer has finished. */
export const doneFile = (root: string): string => `${root}.done`

/** A slow machine still has to write a few. */
const LEAST_GENERATIONS = 5

async function write(root: string, milliseconds: number, everyTime: boolean): Promise<number> {
  const engine = openCorpus(root)
  const end = Date.now() + milliseconds
  let generation = 1
  for (; Date.now() < end || generation <= LEAST_GENERATIONS; generation++) {
    writeFiles(root, generationFiles(generation), {})
    // Readers must not notice either when the whole index is replaced.
    await engine.index({ rebuild: everyTime || generation % 3 === 0 })
  }
  engine.close()
  writeFileSync(doneFile(root), '')
  return generation
}

const [root, milliseconds, rebuild] = process.argv.slice(2)
if (import.meta.main && root !== undefined)
  process.stdout.write(String(await write(root, Number(milliseconds), rebuild === 'rebuild')))
