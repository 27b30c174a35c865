// Does the published service work where nothing else is? Installs both tarballs into an empty folder and asks over HTTP.
//
// Run: node scripts/try-server.ts yore-0.2.0.tgz yore-server-0.2.0.tgz. Uses the Node that runs it; the last line counts what passed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { handbook } from '../test/support/sample-files.ts'
import { Checks, withOwnNode } from './count-checks.ts'

const repository = path.join(import.meta.dirname, '..')
const checks = new Checks()
const check = checks.check.bind(checks)

/** What a program of the user says to the service, with the client of the package. */
const program = `import { readFileSync } from 'node:fs'
import { YoreClient } from 'yore-server/client'
const yore = new YoreClient(process.argv[2], readFileSync('yore-dev/key', 'utf8').trim())
await yore.createCorpus({ name: 'docs' })
const file = new File(['# Deploying\\n\\nRun the script of the release team.\\n'], 'deploying.md')
const { id } = await yore.uploadFile({ file, corpus: 'docs', path: 'deploying.md' })
const waitFor = async (id) => {
  for (;;) {
    const { state } = await yore.readIngestion(id)
    if (['completed', 'failed'].includes(state)) return state
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
console.log(await waitFor(id))
console.log((await yore.assemble('docs', { question: 'How do I deploy?' })).output)
const name = 'handbook.pdf'
const pdf = await yore.uploadFile({ file: new File([readFileSync(name)], name), corpus: 'docs', path: name })
console.log(name, await waitFor(pdf.id))
const { hits } = await yore.search('docs', { query: 'harbour keeper moon tide ebb bell gauge', limit: 50, allSections: true })
console.log('sections', [...new Set(hits.map(({ artifact }) => artifact))].filter((id) => id.startsWith('handbook.pdf#')).length)
`

async function tryServer(folder: string, tarballs: readonly string[]): Promise<void> {
  const { peerDependencies } = JSON.parse(
    readFileSync(path.join(repository, 'server', 'package.json'), 'utf8'),
  ) as { peerDependencies: Readonly<Record<string, string>> }
  const peers = Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`)
  const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs, ...peers]
  const env = withOwnNode()
  const shared = { cwd: folder, env, encoding: 'utf8' } as const
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
  const installed = spawnSync('npm', npm, shared)
  check('both packages install without install scripts', installed.status === 0, installed.stderr)
  if (installed.status !== 0) return
  const node = spawn('node_modules/.bin/yore-server', ['dev', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const addressIn = (text: string): string => /listening on (http:[^,\s]+),/.exec(text)?.[1] ?? ''
  const exited = once(node, 'exit')
  const listening = new Promise<void>((resolve) => {
    for (const stream of [node.stdout, node.stderr])
      stream.on('data', (text: Buffer) => {
        said += text
        if (addressIn(said) !== '') resolve()
      })
  })
  await Promise.race([listening, exited])
  const url = addressIn(said)
  check('yore-server dev listens', url !== '', said)
  if (url === '') return
  writeFileSync(path.join(folder, 'use.mjs'), program)
  writeFileSync(path.join(folder, 'handbook.pdf'), handbook)
  const used = spawnSync(process.execPath, ['use.mjs', url], shared)
  check('an upload ends as completed', used.stdout.includes('completed\n'), used.stdout + used.stderr)
  check('a digest holds the answer', used.stdout.includes('Run the script of the release team.'), used.stdout)
  const sections = Number(/^sections (\d+)$/m.exec(used.stdout)?.[1] ?? 0)
  check('a PDF gives sections', used.stdout.includes('handbook.pdf completed') && sections > 1, used.stdout)
  const page = await fetch(`${url}/ui`)
  const script = await fetch(`${url}/ui-assets/ui-island.js`)
  const shown = `${page.status} ${script.status} ${await page.text()}`
  check('pages ask for a key and have their script', /^401 200 .*Sign in with a key/s.test(shown), shown)
  node.kill()
  const [status] = (await exited) as [number | null]
  check('it ends when it is told to', status === 0, `status ${status}\n${said}`)
}

const tarballs = process.argv.slice(2).map((file) => path.resolve(file))
const folder = mkdtempSync(path.join(tmpdir(), 'yore-server-'))
try {
  await tryServer(folder, tarballs)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
checks.finish()
