// Can the service be tried without a PostgreSQL? One process and one folder, with row-level security as on a server, and everything still there after a restart.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createCorpus, findCorpus } from '../src/control/corpora.ts'
import { openEmbeddedDatabase } from '../src/control/embedded-database.ts'
import type { Caller } from '../src/control/keys.ts'
import { asTenant, requireRestrictedRole } from '../src/control/open-database.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { Client, signIn } from './service.ts'

const program = path.join(import.meta.dirname, '..', 'src', 'main.ts')

/** Starts the trial; what it prints first, and how to end it. */
async function start(folder: string): Promise<{ said: string; stop: () => Promise<number | null> }> {
  const args = [program, 'dev', '--folder', folder, '--port', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, errors] = ['', '']
  child.stderr.on('data', (piece: Buffer) => {
    errors += piece.toString()
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      said += piece.toString()
      if (said.includes('This is a trial')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${errors}`)))
  })
  const stop = (): Promise<number | null> =>
    new Promise((resolve) => {
      child.once('exit', resolve)
      child.kill('SIGTERM')
    })
  return { said, stop }
}

const clientOf = (said: string): Client =>
  new Client(/http:\S+?(?=,)/.exec(said)?.[0] ?? '', /KEY=(\S+)/.exec(said)?.[1] ?? '')

it('answers from an upload, keeps it over a restart, and confines tenants as a server does', async () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'yore-dev-')), 'trial')
  onTestFinished(() => rmSync(path.dirname(folder), { recursive: true, force: true }))
  const first = await start(folder)
  const client = clientOf(first.said)
  await client.call('POST', '/v1/corpora', { name: 'docs' })
  const { body } = await client.upload('bread.md', '# Bread\n\nSourdough rests overnight.\n', {
    corpus: 'docs',
  })
  expect(await client.wait(body.id)).toMatchObject({ state: 'completed' })
  // A person signs in at the page, and the ticket is good for the next one.
  const cookie = await signIn(client.url, client.key)
  const page = await fetch(`${client.url}/ui/docs/ask?q=How+long+does+it+rest%3F`, { headers: { cookie } })
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('Sourdough <mark>rests</mark> overnight'),
  ])
  expect(statSync(path.join(folder, 'key')).mode & 0o077).toBe(0)
  expect(await first.stop()).toBe(0)

  const second = await start(folder)
  const again = clientOf(second.said)
  expect(again.key).toBe(client.key)
  const digest = await again.call('POST', '/v1/corpora/docs/assemble', { question: 'How long does it rest?' })
  expect(digest.body.output).toContain('Sourdough rests overnight.')
  // The commands that it prints, pasted together.
  const commands = second.said
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .join('\n')
  const pasted = spawnSync(
    'bash',
    ['-c', commands.replaceAll('"docs"', '"pasted"').replaceAll('docs', 'pasted')],
    {
      cwd: path.join(import.meta.dirname, '../..'),
      encoding: 'utf8',
      timeout: 60_000,
    },
  )
  expect(pasted.stdout).toContain('"output"')
  expect(await second.stop()).toBe(0)

  const embedded = await openEmbeddedDatabase(path.join(folder, 'postgres'))
  onTestFinished(() => embedded.close())
  await requireRestrictedRole(embedded.app)
  const other = await createOrganisation(embedded.owner, 'other')
  const caller: Caller = { organisation: other.id, key: other.id, access: 'admin', corpora: null }
  const looking = asTenant(embedded.app, other.id, (transaction) => findCorpus(transaction, caller, 'docs'))
  await expect(looking).rejects.toMatchObject({ code: 'NOT_FOUND' })
  // Transactions come one after the other, and one that fails leaves nothing.
  const created = await Promise.allSettled(
    ['a', 'b', 'a'].map((name) =>
      asTenant(embedded.app, other.id, (transaction) => createCorpus(transaction, caller, name)),
    ),
  )
  expect(created.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
})
