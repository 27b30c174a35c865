// Do the servers that everything here is tested against start, and are they what they say?
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import startServers from './start-servers.ts'

it('talks to a real PostgreSQL of a version that is supported', async () => {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: inject('postgresPort'),
    user: 'yore_owner',
    database: 'postgres',
  })
  await client.connect()
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  await client.end()
  expect(rows[0]?.version).toBeGreaterThanOrEqual(150_014)
})

it('leaves no server running when its preparation fails', async () => {
  let port = 0
  const failing = startServers({ provide: () => {} }, async (given) => {
    port = given
    throw new Error('no template')
  })
  await expect(failing).rejects.toThrow('no template')
  const connect = async (): Promise<string> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'yore_owner', database: 'postgres' })
    const outcome = client.connect().then(
      () => 'connected',
      (error: { readonly code?: string }) => error.code ?? 'failed',
    )
    return await outcome.finally(() => client.end().catch(() => {}))
  }
  await expect.poll(connect, { timeout: 20_000 }).toBe('ECONNREFUSED')
})

it.runIf(inject('s3Url') !== null)('talks to a real S3, which refuses strangers', async () => {
  const response = await fetch(`${inject('s3Url')}/some-bucket/some-key`)
  expect([403, 404]).toContain(response.status)
})
