// Does the published service work where nothing else is? Installs both tarballs into an empty folder and asks over HTTP.
//
// Run: node scripts/try-server.ts yore-0.1.0.tgz yore-server-0.1.0.tgz. Uses the Node that runs it; the last line counts what passed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const repository = path.join(import.meta.dirname, '..')
const counts = { passed: 0, failed: 0 }

function check(what: string, holds: boolean, detail = ''): void {
  counts[holds ? 'passed' : 'failed']++
  process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${what}${holds ? '' : `\n     ${detail.trim()}`}\n`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** What a program of the user says to the service, with the client of the package. */
const program = `import { readFileSync } from 'node:fs'
import { YoreClient } from 'yore-server/client'
const yore = new YoreClient(process.argv[2], readFileSync('yore-dev/key', 'utf8').trim())
await yore.createCorpus({ name: 'docs' })
const file = new File(['# Deploying\\n\\nRun the script of the release team.\\n'], 'deploying.md')
const { id } = await yore.uploadFile({ file, corpus: 'docs', path: 'deploying.md' })
for await (const { event } of yore.followIngestion(id)) console.log(event)
console.log((await yore.assemble('docs', { question: 'How do I deploy?' })).output)
`

async function tryServer(folder: string, tarballs: readonly string[]): Promise<void> {
  const { peerDependencies } = JSON.parse(
    readFileSync(path.join(repository, 'server', 'package.json'), 'utf8'),
  ) as { peerDependencies: Readonly<Record<string, string>> }
  const peers = Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`)
  const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs, ...peers]
  const env = {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}`,
  }
  const shared = { cwd: folder, env, encoding: 'utf8' } as const
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
  const installed = spawnSync('npm', npm, shared)
  check('both packages install without install scripts', installed.status === 0, installed.stderr)
  if (installed.status !== 0) return
  const port = String(await freePort())
  const node = spawn('node_modules/.bin/yore-server', ['dev', '--port', port], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const exited = once(node, 'exit')
  const listening = new Promise<void>((resolve) => {
    for (const stream of [node.stdout, node.stderr])
      stream.on('data', (text: Buffer) => {
        said += text
        if (said.includes('listening on ')) resolve()
      })
  })
  await Promise.race([listening, exited])
  check('yore-server dev listens', said.includes('listening on '), said)
  writeFileSync(path.join(folder, 'use.mjs'), program)
  const used = spawnSync(process.execPath, ['use.mjs', `http://127.0.0.1:${port}`], shared)
  check('an upload ends as completed', used.stdout.includes('completed\n'), used.stdout + used.stderr)
  check('a digest holds the answer', used.stdout.includes('Run the script of the release team.'), used.stdout)
  const page = await fetch(`http://127.0.0.1:${port}/ui`)
  const script = await fetch(`http://127.0.0.1:${port}/ui-assets/ui-island.js`)
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
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`)
process.exitCode = counts.failed === 0 ? 0 : 1
