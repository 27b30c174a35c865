// Which organisations are there? Created and listed by the owner of the database; never by the service.
import { randomUUID } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import { asTenant, type Database, writeAudit } from './open-database.ts'

export interface Organisation {
  readonly id: string
  readonly name: string
}

export async function createOrganisation(db: Database, name: string): Promise<Organisation> {
  const id = randomUUID()
  return await asTenant(db, id, async (transaction) => {
    const created = await transaction
      .insertInto('organisations')
      .values({ id, name })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    if (created.numInsertedOrUpdatedRows === 0n)
      throw new ServiceError('CONFLICT', `the organisation ${name} already exists`)
    const action = 'organisation.create'
    await writeAudit(transaction, { organisation: id, api_key: null, action, subject: name })
    return { id, name }
  })
}

export async function listOrganisations(db: Database): Promise<readonly Organisation[]> {
  return await db.selectFrom('organisations').select(['id', 'name']).orderBy('name').execute()
}

export async function findOrganisation(db: Database, name: string): Promise<Organisation> {
  const found = (await listOrganisations(db)).find((organisation) => organisation.name === name)
  if (found === undefined) throw new ServiceError('NOT_FOUND', `no organisation ${name}`)
  return found
}
