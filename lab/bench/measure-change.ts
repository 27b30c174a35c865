// What does one changed file cost? Re-indexed in a running process, before an answer, and by a process of its own.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from './bare-engine.ts'
import { loadPackage, packageFolder } from './corpora.ts'
import { median, runNode, timed } from './measure.ts'
import type { Places } from './measure-index.ts'

export interface ChangeFigures {
  readonly changes: number
  readonly files: number
  /** `engine.index()` in a process that has the index open. */
  readonly indexMs: number
  readonly worstIndexMs: number
  /** `engine.assemble()` that finds the change and indexes it first. */
  readonly assembleMs: number
  /** A search for a word that only the change holds: the new text must be found. */
  readonly searchMs: number
  /** The same where the change adds a heading, and where it adds a link. */
  readonly headingMs: number
  readonly linkMs: number
  /** `yore index` as a process. */
  readonly coldIndexMs: number
  /** `yore assemble` as a process, refresh included. */
  readonly coldAssembleMs: number
}

/** Changes one file after the other, spread over the folder, a few times for each way to notice. */
export async function measureChange(places: Places, changes = 10): Promise<ChangeFigures> {
  const { root, indexDir } = places
  const { openEngine, defaultSettings } = await loadPackage()
  const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  const cli = join(packageFolder(), 'bin/yore.js')
  const where = ['--root', root, '--index', indexDir]
  const paths = listFiles(root)
  let count = 0
  const change = (kind: 'text' | 'heading' | 'link' = 'text'): string => {
    const path = paths[(count * 131) % paths.length] as string
    const word = `zyxmark${count++}`
    const link = `[${word}](/${paths[(count * 37) % paths.length]})`
    const added = { text: `One more sentence with ${word} in it.`, heading: `## More of ${word}`, link }[kind]
    appendFileSync(join(root, path), `\n${added}\n`)
    return word
  }
  await engine.index()
  const ways = ['index', 'assemble', 'text', 'heading', 'link', 'coldIndex', 'coldAssemble'] as const
  const times = Object.fromEntries(ways.map((way) => [way, [] as number[]])) as Record<
    (typeof ways)[number],
    number[]
  >
  for (let round = 0; round < changes; round++) {
    change()
    times.index.push(await timed(() => engine.index()))
    const asked = change()
    times.assemble.push(await timed(() => engine.assemble(`What holds ${asked}?`)))
    for (const kind of ['text', 'heading', 'link'] as const) {
      const word = change(kind)
      let found = 0
      times[kind].push(await timed(async () => (found = (await engine.search(word)).hits.length)))
      if (found === 0) throw new Error(`the change ${word} was not found after the refresh`)
    }
    change()
    times.coldIndex.push(runNode([cli, 'index', ...where, '--json']).milliseconds)
    times.coldAssemble.push(runNode([cli, 'assemble', `What holds ${change()}?`, ...where]).milliseconds)
  }
  engine.close()
  return {
    changes,
    files: paths.length,
    indexMs: median(times.index),
    worstIndexMs: Math.max(...times.index),
    assembleMs: median(times.assemble),
    searchMs: median(times.text),
    headingMs: median(times.heading),
    linkMs: median(times.link),
    coldIndexMs: median(times.coldIndex),
    coldAssembleMs: median(times.coldAssemble),
  }
}
