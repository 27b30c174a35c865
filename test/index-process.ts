// What does a separate process do with a corpus? It indexes or answers as its argument says, and prints JSON.
//
// Started by the tests of this folder: `node index-process.ts '{"root": "...", "do": "digest", "questions": [...]}'`.
import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { IndexProgress } from '../src/model/report.ts'
import { openCorpus } from './temporary-corpus.ts'

export interface ProcessTask {
  readonly root: string
  /** index: once. measure: index, then the peak memory and the processor's time. digest: index, then the SHA-256 of each digest in both formats. */
  readonly do: 'index' | 'measure' | 'digest'
  readonly workers?: number
  readonly rebuild?: boolean
  readonly questions?: readonly string[]
}

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

async function run(task: ProcessTask): Promise<unknown> {
  const { workers = 0 } = task
  const engine = openCorpus(task.root, { workers })
  // Whoever started this process hears how far it is.
  const onProgress = ({ phase }: IndexProgress): number => writeSync(2, `${phase}\n`)
  const report = await engine.index({
    rebuild: task.rebuild === true,
    ...(task.do === 'index' ? { onProgress } : {}),
  })
  if (task.do === 'index') return report
  if (task.do === 'measure') {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    return { ...report, maxRss: maxRSS * 1024, seconds: (userCPUTime + systemCPUTime) / 1e6 }
  }
  const sums: string[] = []
  for (const question of task.questions ?? [])
    for (const format of ['markdown', 'json'] as const)
      sums.push(sha((await engine.assemble(question, { format, maxTokens: 3000 })).output))
  engine.close()
  return sums
}

process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] as string) as ProcessTask)))
