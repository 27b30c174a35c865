// Which objects make up a version? Its base and every later delta, from PostgreSQL.
import type { ExpressionBuilder } from 'kysely'
import type { TenantTransaction } from '../control/open-database.ts'
import type { Tables } from '../control/tables.ts'
import type { Manifest, VersionPart } from './version.ts'

/** The number of the base, or of the version without documents, that a version starts from. */
export const baseOf = (corpus: number, version: number) => (from: ExpressionBuilder<Tables, 'versions'>) =>
  from
    .selectFrom('versions')
    .select((max) => max.fn.max('number').as('number'))
    .where('corpus', '=', corpus)
    .where('number', '<=', version)
    .where('kind', 'in', ['base', 'empty'])

/** Empty before the first version, and for a version without documents. */
export async function readManifest(
  transaction: TenantTransaction,
  corpus: number,
  version: number,
): Promise<Manifest> {
  const rows = await transaction
    .selectFrom('versions')
    .select(['kind', 'part'])
    .where('corpus', '=', corpus)
    .where('number', '<=', version)
    .where('number', '>=', baseOf(corpus, version))
    .orderBy('number')
    .execute()
  return rows.flatMap(({ part }) => (part === null ? [] : [part as unknown as VersionPart]))
}
