// Does one tenant's load slow down another's questions? Real processes, a real PostgreSQL, both tenants on one node.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { Client, startService, type TestService } from './service.ts'

let service: TestService
let loud: Client
let quiet: Client

async function newTenant(name: string, archive: Buffer): Promise<Client> {
  const tenant = new Client(service.url, await service.makeKey(await service.makeOrganisation(name), 'admin'))
  await tenant.call('POST', '/v1/corpora', { name: 'docs' })
  const form = new FormData()
  form.append('file', new Blob([archive as Uint8Array<ArrayBuffer>]), 'docs.tgz')
  const { body } = await tenant.call('POST', '/v1/ingest/archive?corpus=docs', form)
  expect((await tenant.wait(body.id, 120_000)).state).toBe('completed')
  return tenant
}

beforeAll(async () => {
  service = await startService()
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-docs-'))
  const archive = path.join(folder, 'docs.tgz')
  execFileSync('tar', ['-czf', archive, '-C', path.resolve(import.meta.dirname, '../..'), 'docs'])
  const bytes = readFileSync(archive)
  rmSync(folder, { recursive: true })
  ;[loud, quiet] = [await newTenant('loud', bytes), await newTenant('quiet', bytes)]
}, 300_000)
afterAll(() => service.close())

async function ask(client: Client): Promise<number> {
  const start = performance.now()
  const question = 'How does a deployed service keep the versions of a corpus?'
  const { status } = await client.call('POST', '/v1/corpora/docs/assemble', { question })
  expect(status).toBe(200)
  return performance.now() - start
}

async function p95(client: Client, count: number): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < count; at++) times.push(await ask(client))
  return times.sort((a, b) => a - b)[Math.floor(count * 0.95)] as number
}

/** The goal is 3; first in, first out takes 34 with the same load. The margin is for a machine that others use. */
const mostTimes = 6

it('answers a tenant nearly as fast as alone while another asks with 60 clients', {
  timeout: 300_000,
}, async () => {
  await p95(quiet, 10)
  const alone = await p95(quiet, 40)
  const program = path.join(import.meta.dirname, 'flood-process.ts')
  const flood = spawn(process.execPath, [program, loud.url, loud.key, '60'])
  onTestFinished(() => void flood.kill('SIGKILL'))
  await once(flood.stdout, 'data')
  await p95(quiet, 5)
  const beside = await p95(quiet, 40)
  console.log(`alone ${alone.toFixed(0)} ms, beside 60 clients ${beside.toFixed(0)} ms`)
  expect(beside / alone).toBeLessThanOrEqual(mostTimes)
})
