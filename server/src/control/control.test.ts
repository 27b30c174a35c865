// Do tenants stay apart, and do keys do what they say? On a real PostgreSQL, as the restricted role.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/databases.ts'
import { createKey, findCaller, mayUse, requireAccess, revokeKey } from './keys.ts'
import { asTenant, migrate, requireRestrictedRole } from './open-database.ts'
import { createOrganisation, findOrganisation, listOrganisations } from './organisations.ts'
import { deadQueue, parseQueue, publishQueue } from './queues.ts'

const keySecret = 'a secret of this test'
const tables = [
  'organisations',
  'api_keys',
  'corpora',
  'documents',
  'ingestions',
  'versions',
  'audit',
] as const
const wanted = { name: 'ci', access: 'write', corpora: null, expiresAt: null } as const

let database: TestDatabase
let acme: string
let other: string
beforeAll(async () => {
  database = await createDatabase()
  acme = (await createOrganisation(database.owner, 'acme')).id
  other = (await createOrganisation(database.owner, 'other')).id
  for (const [number, organisation] of [
    [1, acme],
    [2, other],
  ] as const)
    await asTenant(database.app, organisation, (transaction) =>
      transaction.insertInto('corpora').values({ number, organisation, name: 'docs' }).execute(),
    )
})
afterAll(() => database.close())

describe('tenants', () => {
  it('see nothing outside a transaction that names one', async () => {
    for (const table of tables)
      expect(await database.app.selectFrom(table).selectAll().execute(), table).toEqual([])
  })

  it('see what is theirs, and no name of anything else', async () => {
    const seen = await asTenant(database.app, acme, (transaction) =>
      transaction.selectFrom('corpora').selectAll().execute(),
    )
    expect(seen.map(({ number }) => number)).toEqual([1])
  })

  it('cannot write into another', async () => {
    const write = asTenant(database.app, acme, (transaction) =>
      transaction.insertInto('corpora').values({ number: 3, organisation: other, name: 'planted' }).execute(),
    )
    await expect(write).rejects.toThrow(/row-level security/)
    const { numUpdatedRows } = await asTenant(database.app, acme, (transaction) =>
      transaction.updateTable('corpora').set({ version: 9 }).where('number', '=', 2).executeTakeFirst(),
    )
    expect(numUpdatedRows).toBe(0n)
  })

  it('leave nothing behind on a connection that is used again', async () => {
    await asTenant(database.app, acme, (transaction) => transaction.selectFrom('corpora').execute())
    const many = await Promise.all(
      Array.from({ length: 40 }, () => database.app.selectFrom('corpora').selectAll().execute()),
    )
    expect(many.flat()).toEqual([])
  })

  it('are not created, renamed or removed by the service, and their audit is not rewritten', async () => {
    for (const statement of [
      sql`insert into organisations (id, name) values (gen_random_uuid(), 'planted')`,
      sql`update audit set action = 'nothing'`,
      sql`delete from audit`,
      sql`alter table corpora disable row level security`,
    ])
      await expect(
        asTenant(database.app, acme, (transaction) => statement.execute(transaction)),
      ).rejects.toThrow(/permission denied|must be owner/)
  })

  it('are listed by the owner', async () => {
    expect((await listOrganisations(database.owner)).map(({ name }) => name)).toEqual(['acme', 'other'])
    expect((await findOrganisation(database.owner, 'acme')).id).toBe(acme)
    await expect(createOrganisation(database.owner, 'acme')).rejects.toThrow(/already/)
  })
})

describe('the role', () => {
  it('of the service is accepted, and one that sees everything is not', async () => {
    await requireRestrictedRole(database.app)
    await expect(requireRestrictedRole(database.owner)).rejects.toThrow(/yore_app/)
  })
})

describe('migrations', () => {
  it('run once', async () => {
    expect(await migrate(database.owner)).toEqual([])
  })
})

it('every queue notices that a worker is gone: none waits until a job expires', async () => {
  const found = sql<{ name: string; seconds: number | null }>`select name, heartbeat_seconds as seconds
    from pgboss.queue where name in (${sql.join([deadQueue, parseQueue, publishQueue])})`
  const { rows } = await found.execute(database.owner)
  expect(rows.map(({ seconds }) => seconds)).toEqual([20, 20, 20])
})

describe('keys', () => {
  const find = (text: string | undefined, now = Date.now()): ReturnType<typeof findCaller> =>
    findCaller(database.app, text, { keySecret, now })

  it('are known by their text alone, which is stored nowhere', async () => {
    const { text, id } = await createKey(database.app, acme, { ...wanted, corpora: [1] }, keySecret)
    expect(await find(text)).toEqual({ organisation: acme, key: id, access: 'write', corpora: [1] })
    const stored = await asTenant(database.app, acme, (transaction) =>
      sql`select row_to_json(api_keys)::text as row from api_keys`.execute(transaction),
    )
    // The secret may contain the separator.
    const secret = text.split('_').slice(2).join('_')
    expect(secret.length).toBeGreaterThan(30)
    expect(JSON.stringify(stored.rows)).not.toContain(secret)
  })

  it('are refused in the same words when missing, malformed, unknown, altered, expired, revoked or of another secret', async () => {
    const { text, id } = await createKey(database.app, acme, wanted, keySecret)
    const expiring = await createKey(database.app, acme, { ...wanted, expiresAt: new Date(1000) }, keySecret)
    const revoked = await createKey(database.app, acme, wanted, keySecret)
    expect(await revokeKey(database.app, other, revoked.id)).toBe(null)
    expect(await revokeKey(database.app, acme, revoked.id)).toMatch(/^[0-9a-f]{16}$/)
    const altered = text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A')
    const unknown = `yore_${'0'.repeat(16)}_${'A'.repeat(43)}`
    const attempts = [undefined, '', 'Bearer', unknown, altered, expiring.text, revoked.text]
    for (const attempt of attempts)
      await expect(find(attempt), String(attempt)).rejects.toThrow(
        'the API key is missing, unknown, expired or revoked',
      )
    await expect(findCaller(database.app, text, { keySecret: 'another', now: Date.now() })).rejects.toThrow(
      /unknown/,
    )
    expect((await find(text)).key).toBe(id)
    expect((await find(expiring.text, 500)).organisation).toBe(acme)
  })

  it('allow what their access covers, and only their corpora', () => {
    const caller = { organisation: acme, key: 'k', access: 'write', corpora: [1] } as const
    requireAccess(caller, 'read')
    requireAccess(caller, 'write')
    expect(() => requireAccess(caller, 'admin')).toThrow(/admin access/)
    expect([mayUse(caller, 1), mayUse(caller, 2), mayUse({ ...caller, corpora: null }, 2)]).toEqual([
      true,
      false,
      true,
    ])
  })
})
