// How often does accepting an upload wait for PostgreSQL? Counted on real connections.
import { createHash } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useDatabase } from '../../test/databases.ts'
import { makeTestFolder } from '../../test/support/versions.ts'
import { createCorpus } from '../control/corpora.ts'
import { asTenant } from '../control/open-database.ts'
import { createOrganisation } from '../control/organisations.ts'
import { openQueues } from '../control/queues.ts'
import { openStore } from '../versions/open-store.ts'
import { storeAndAccept } from './accept-ingestion.ts'

it('accepts an upload with at most 13 round trips to PostgreSQL', async () => {
  const { owner, app, appUrl } = await useDatabase()
  const { id: organisation } = await createOrganisation(owner, 'acme')
  const boss = await openQueues({ connectionString: appUrl }, { works: false, onError: () => {} })
  onTestFinished(() => boss.stop({ graceful: false }))
  const store = await openStore(`dir:${path.join(makeTestFolder(), 'store')}`, {})
  const caller = { organisation, key: organisation, access: 'write', corpora: null } as const
  await asTenant(app, organisation, (transaction) => createCorpus(transaction, caller, 'docs'))
  const bytes = Buffer.from('# A\n')
  const blob = createHash('sha256').update(bytes).digest('hex')
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const request = {
    kind: 'file' as const,
    corpus: 'docs',
    idempotencyKey: null,
    path: 'a.md',
    ...{ blob, size: bytes.length, modifiedAt: new Date() },
  }
  const { state } = await storeAndAccept({ db: app, boss, store }, caller, {
    ...request,
    bytes: () => bytes,
  })
  expect(state).toBe('queued')
  const sent = query.mock.calls.map(([text]) => String(text))
  expect(sent.filter((text) => text.startsWith('begin;'))).toHaveLength(2)
  expect(sent.length).toBeLessThanOrEqual(13)
})
