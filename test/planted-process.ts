// What does each operation do with the `.yore` that is there? Prints one line of JSON for each; ends when all are done.
import { openCorpus } from './temporary-corpus.ts'

const [root = ''] = process.argv.slice(2)

async function attempt(name: string, run: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  const outcome = await run().then(
    (value) => ({ value }),
    (error: { code?: string; hint?: string; message: string }) => ({
      error: `${error.code}: ${error.message}; ${error.hint}`,
    }),
  )
  console.log(JSON.stringify({ name, ...outcome, isSlow: performance.now() - started > 5_000 }))
}

const engine = openCorpus(root, { 'embedding.provider': 'none', refresh: 'auto' })
const search = async (refresh?: 'never'): Promise<unknown> =>
  (await engine.search('backoff', refresh === undefined ? {} : { refresh })).hits.map(({ path }) => path)
const doctor = async (): Promise<unknown> => (await engine.doctor()).filter(({ verdict }) => verdict !== 'ok')
await attempt('search', () => search('never'))
await attempt('assemble', () => engine.assemble('backoff', { refresh: 'never' }))
await attempt('status', () => engine.status())
await attempt('doctor', doctor)
const rebuild = process.argv[3] === 'rebuild'
await attempt('index', async () => (await engine.index({ rebuild })).files)
await attempt('search', () => search())
await attempt('index', async () => (await engine.index()).unchanged)
await attempt('doctor', doctor)
engine.close()
