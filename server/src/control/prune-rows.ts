// Which rows of the past does the service delete? Those older than the node's limits allow, of each organisation in turn.
import { type Kysely, type QueryResult, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Deletions of corpora are remembered for this long, for nodes that are stopped meanwhile. */
export const deletionDays = 30

const oldest = (table: string, where: string): string => `
  delete from ${table} where id in (
    select id from ${table} where organisation = one and ${where} limit 20000 for update skip locked
  );
  get diagnostics deleted = row_count;
  total := total + deleted;`

/**
 * Deletes rows that are older than the given days, for some organisations at a time: the owner sees rows of one
 * organisation only. Returns where to go on; null at the end. The restricted role cannot shorten the audit log further.
 * Removed documents go with the upload that removed them; `pruned_change` tells which working copies did not see it.
 */
export const pruneFunction: string = `
  create or replace function prune_rows(after uuid, ingestion_days int, audit_days int) returns uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    one uuid;
    done uuid := after;
    total bigint := 0;
    deleted bigint;
  begin
    delete from deleted_corpora where at < now() - interval '${deletionDays} days';
    for one in select id from organisations where id > after order by id limit 500 loop
      perform set_config('yore.organisation', one::text, true);
      ${oldest('ingestions', `updated_at < now() - make_interval(days => greatest(ingestion_days, 1)) and state in ('completed', 'failed', 'cancelled')`)}
      ${oldest('audit', `at < now() - make_interval(days => greatest(audit_days, 30))`)}
      with gone as (
        delete from documents using corpora
        where documents.organisation = one and blob is null and number = corpus
          and documents.change <= published_change
          and not exists (
            select from ingestions where ingestions.corpus = documents.corpus and ingestions.seq = documents.seq
          )
        returning documents.corpus, documents.change
      )
      update corpora set pruned_change = greatest(pruned_change, gone.change)
      from (select corpus, max(change) as change from gone group by corpus) as gone where number = gone.corpus;
      if total >= 20000 then return done; end if;
      done := one;
    end loop;
    return nullif(done, after);
  end $$`

/** Deletes old rows of every organisation. */
export async function pruneRows(
  db: Kysely<Tables>,
  { ingestionDays, auditDays }: { readonly ingestionDays: number; readonly auditDays: number },
): Promise<void> {
  let after: string | null = '00000000-0000-0000-0000-000000000000'
  while (after !== null) {
    const { rows }: QueryResult<{ next: string | null }> = await sql<{ next: string | null }>`
      select prune_rows(${after}::uuid, ${ingestionDays}, ${auditDays}) as next`.execute(db)
    after = rows[0]?.next ?? null
  }
}
