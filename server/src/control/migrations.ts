// How are the tables created? By every migration in order; a migration that has run is never edited.
import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'
import { pruneFunction } from './prune-rows.ts'

/** A role that owns nothing and is subject to row-level security. */
export const appRole = 'yore_app'

/** That nodes listen on for changed rows. */
export const notifyChannel = 'yore'

const tenantTables = ['api_keys', 'corpora', 'documents', 'ingestions', 'versions', 'audit']

/** The organisation of the running transaction; null outside one. A reset setting is an empty text. */
const tenant = `nullif(current_setting('yore.organisation', true), '')::uuid`

type Run = (text: string) => Promise<unknown>

const migration = (up: (run: Run, db: Kysely<unknown>) => Promise<unknown>): Migration => ({
  up: async (db) => {
    await up((text) => sql.raw(text).execute(db), db)
  },
})

const first = migration(async (run, db) => {
  await run(`
    create table organisations (
      id uuid primary key,
      name text not null unique,
      quota_bytes bigint not null default 10737418240,
      created_at timestamptz not null default now()
    )`)
  await run(`
    create table api_keys (
      id uuid primary key default gen_random_uuid(),
      organisation uuid not null references organisations on delete cascade,
      prefix text not null unique,
      digest bytea not null,
      name text not null,
      access text not null check (access in ('read', 'write', 'admin')),
      corpora bigint[],
      expires_at timestamptz,
      revoked_at timestamptz,
      created_at timestamptz not null default now()
    )`)
  await run(`
    create table corpora (
      number bigint primary key check (number between 1 and 281474976710655),
      organisation uuid not null references organisations on delete cascade,
      name text not null,
      epoch bigint not null default 0,
      version bigint not null default 0,
      seq bigint not null default 0,
      change bigint not null default 0,
      published_change bigint not null default 0,
      bytes bigint not null default 0,
      created_at timestamptz not null default now(),
      unique (organisation, name)
    )`)
  await run(`
    create table documents (
      corpus bigint not null references corpora on delete cascade,
      path text collate "C" not null,
      organisation uuid not null,
      seq bigint not null,
      change bigint not null,
      blob text,
      size bigint not null,
      modified_at timestamptz not null,
      primary key (corpus, path)
    )`)
  await run(`create index on documents (corpus, change)`)
  await run(`
    create table ingestions (
      id uuid primary key,
      organisation uuid not null,
      corpus bigint not null references corpora on delete cascade,
      seq bigint not null,
      kind text not null check (kind in ('file', 'archive', 'delete')),
      path text not null,
      blob text,
      size bigint not null,
      modified_at timestamptz not null,
      state text not null check (
        state in ('queued', 'parsing', 'indexing', 'embedding', 'completed', 'failed', 'cancelled')
      ),
      attempts int not null default 0,
      change bigint,
      version bigint,
      error_code text,
      error text,
      idempotency_key text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (corpus, seq),
      unique (organisation, idempotency_key)
    )`)
  await run(`create index on ingestions (corpus, state)`)
  await run(`
    create table versions (
      corpus bigint not null references corpora on delete cascade,
      number bigint not null,
      organisation uuid not null,
      epoch bigint not null,
      kind text not null check (kind in ('base', 'delta', 'empty')),
      part jsonb,
      created_at timestamptz not null default now(),
      primary key (corpus, number)
    )`)
  await run(`
    create table audit (
      id bigint generated always as identity primary key,
      organisation uuid not null,
      api_key uuid,
      action text not null,
      subject text not null,
      at timestamptz not null default now()
    )`)
  await run(`create index on audit (organisation, id)`)
  await createAppRole(db)
  await run(`grant usage on schema public to ${appRole}`)
  await run(`grant select, insert, update, delete on all tables in schema public to ${appRole}`)
  await run(`revoke insert, update, delete on organisations from ${appRole}`)
  await run(`revoke update, delete on audit from ${appRole}`)
  for (const table of ['organisations', ...tenantTables]) {
    const column = table === 'organisations' ? 'id' : 'organisation'
    await run(`alter table ${table} enable row level security`)
    await run(`alter table ${table} force row level security`)
    await run(`
      create policy tenant on ${table}
      using (${column} = ${tenant}) with check (${column} = ${tenant})`)
  }
  // A key is looked up by its prefix before its organisation is known.
  await run(`
    create policy by_prefix on api_keys for select
    using (prefix = nullif(current_setting('yore.key_prefix', true), ''))`)
  // The owner of the tables creates and lists organisations, and sees nothing of their contents.
  await run(`create policy administration on organisations to current_user using (true) with check (true)`)
})

/** A table whose rows belong to one organisation each; the restricted role sees its own. */
async function confine(db: Kysely<unknown>, table: string): Promise<void> {
  for (const statement of [
    `grant select, insert, update, delete on ${table} to ${appRole}`,
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy tenant on ${table} using (organisation = ${tenant}) with check (organisation = ${tenant})`,
  ])
    await sql.raw(statement).execute(db)
}

const statement = (text: string): Migration => migration((run) => run(text))

/** The one address that a key of 0.2.0 was for. */
const audiences = statement(`alter table api_keys add column audience text`)

const limits = migration(async (run) => {
  await run(`
    alter table organisations
      add column quota_corpora int not null default 10000,
      add column uploads_waiting int not null default 10000,
      add column requests_per_minute int not null default 6000`)
  await run(`create index on ingestions (organisation) where state in ('queued', 'parsing')`)
})

const repositories = statement(`
    alter table ingestions
      drop constraint ingestions_kind_check,
      add constraint ingestions_kind_check check (kind in ('file', 'archive', 'git', 'delete'))`)

const blobs = migration(async (run, db) => {
  await run(`
    create table blobs (
      organisation uuid not null references organisations on delete cascade,
      sha256 text not null,
      noted_at timestamptz not null default now(),
      primary key (organisation, sha256)
    )`)
  await confine(db, 'blobs')
  await run(`create index on documents (organisation, blob)`)
  await run(`create index on ingestions (organisation, blob)`)
  // Earlier rows are recognised by what names them.
  await run(`
    insert into blobs (organisation, sha256)
    select organisation, blob from documents where blob is not null
    union select organisation, blob from ingestions where blob is not null`)
})

/** Versions that a node of 0.2.0 is fetching; later releases read the newest one again instead. */
const leases = migration(async (run, db) => {
  await run(`
    create table leases (
      id uuid primary key,
      organisation uuid not null references organisations on delete cascade,
      corpus bigint not null references corpora on delete cascade,
      version bigint not null,
      until timestamptz not null
    )`)
  await run(`create index on leases (corpus)`)
  await confine(db, 'leases')
})

/** Sums up uploads that are not documents, or not yet. */
const heldUploads = statement(`
    create index on ingestions (organisation) include (size, updated_at)
    where state in ('queued', 'parsing', 'failed', 'cancelled')`)

/** Separates files that crash their reader from outages of workers or the store. */
const suspicion = statement(`alter table ingestions add column suspicion int not null default 0`)

/** What large uploads have read already, and what uploads skipped. */
const checkpoints = migration(async (run, db) => {
  await run(`alter table ingestions add column skipped jsonb`)
  await run(`
    create table checkpoints (
      ingestion uuid not null references ingestions on delete cascade,
      number int not null,
      organisation uuid not null,
      files jsonb not null,
      at timestamptz not null default now(),
      primary key (ingestion, number)
    )`)
  await confine(db, 'checkpoints')
})

/** Tells every node which corpora to forget: the one table that belongs to no organisation. */
const deletions = migration(async (run) => {
  await run(`create table deleted_corpora (number bigint primary key, at timestamptz not null default now())`)
  await run(`create index on deleted_corpora (at)`)
  await run(`grant select, insert on deleted_corpora to ${appRole}`)
})

const retention = migration(async (run) => {
  await run(`create index on ingestions (organisation, updated_at)`)
  await run(`create index on audit (organisation, at)`)
})

const removedDocuments = migration(async (run) => {
  await run(`alter table corpora add column pruned_change bigint not null default 0`)
  await run(`create index on documents (organisation) where blob is null`)
  await run(pruneFunction)
  await run(`revoke execute on function prune_rows from public`)
  await run(`grant execute on function prune_rows to ${appRole}`)
})

/** Tells nodes which rows have changed that they cache; new rows are cached by no node. */
const notifications = migration(async (run) => {
  const notify = (text: string): string => `perform pg_notify('${notifyChannel}', ${text});`
  await run(`
    create function notify_change() returns trigger language plpgsql as $$ begin
      if tg_table_name = 'api_keys' then ${notify(`'key ' || old.prefix`)}
      elsif tg_table_name = 'organisations' then ${notify(`'limits ' || old.id`)}
      else
        ${notify(`'corpus ' || old.organisation || ' ' || old.number`)}
        if tg_op = 'DELETE' then ${notify(`'name ' || old.organisation || ' ' || old.name`)} end if;
      end if;
      return null;
    end $$`)
  const tables = { api_keys: 'update', organisations: 'update', corpora: 'update of version' }
  for (const [table, update] of Object.entries(tables))
    await run(`
      create trigger notify_change after ${update} or delete on ${table}
      for each row execute function notify_change()`)
})

/** Stood for tables of conversations, which the service does not keep. */
const nothing = migration(async () => {})

/** Nodes of the release before read the column `conversations_per_day`: a database that has it keeps it. */
const noConversations = migration(async (run) => {
  await run(`drop table if exists exchanges, sessions, usage`)
  await run(pruneFunction)
})

/** Who publishes, and in which format: of no organisation. */
const liveWorkers = migration(async (run) => {
  await run(`create table workers (id uuid primary key, format int not null, seen_at timestamptz not null)`)
  await run(`grant select, insert, update, delete on workers to ${appRole}`)
})

/**
 * Which corpora are in which format of the index: to find those that a release rebuilds. Numbers are random and name
 * nothing. `former` is the version in the format before, which nodes of that release answer from.
 */
const formats = migration(async (run) => {
  await run(`alter table corpora add column former jsonb`)
  await run(`
    create table formats (
      corpus bigint primary key references corpora on delete cascade,
      organisation uuid not null,
      format int not null,
      has_former boolean not null default false,
      at timestamptz not null default now()
    )`)
  await run(`create index on formats (format)`)
  await run(`create index on formats (at) where has_former`)
  await run(`grant select, insert, update, delete on formats to ${appRole}`)
  // The owner sees the corpora of one organisation at a time.
  await run(`
    do $$ declare one uuid; begin
      for one in select id from organisations loop
        perform set_config('yore.organisation', one::text, true);
        insert into formats (corpus, organisation, format) select number, one, 0 from corpora where version > 0;
      end loop;
    end $$`)
})

/** No key is for one address any more: those that were must not open the rest. */
const noAudiences = migration(async (run) => {
  await run(`
    do $$ declare one uuid; begin
      for one in select id from organisations loop
        perform set_config('yore.organisation', one::text, true);
        update api_keys set revoked_at = now() where audience is not null and revoked_at is null;
      end loop;
    end $$`)
})

/** Roles belong to the whole server: several databases on it may be migrated at the same time. */
export async function createAppRole<T>(db: Kysely<T>): Promise<void> {
  await sql
    .raw(`
      do $$ begin
        create role ${appRole} login nosuperuser nobypassrls nocreatedb nocreaterole;
      exception when duplicate_object or unique_violation then null;
      end $$`)
    .execute(db)
}

export const migrations: MigrationProvider = {
  getMigrations: async () => ({
    '0001-control-plane': first,
    '0002-conversations': nothing,
    '0003-audiences': audiences,
    '0004-limits': limits,
    '0005-repositories': repositories,
    '0006-blobs': blobs,
    '0007-leases': leases,
    '0008-joined-sessions': nothing,
    '0009-held-uploads': heldUploads,
    '0010-suspicion': suspicion,
    '0011-checkpoints': checkpoints,
    '0012-deletions': deletions,
    '0013-retention': retention,
    '0014-notifications': notifications,
    '0015-removed-documents': removedDocuments,
    '0016-no-conversations': noConversations,
    '0017-live-workers': liveWorkers,
    '0018-formats': formats,
    '0019-no-audiences': noAudiences,
  }),
}
