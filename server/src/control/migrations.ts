// How did the tables come to be? Every migration in its order; one that has run is never edited, only followed.
import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'

/** Owns nothing, and sees what row-level security lets it see. */
export const appRole = 'yore_app'

const tenantTables = ['api_keys', 'corpora', 'documents', 'ingestions', 'versions', 'audit']

/** The organisation of the running transaction; null outside one. A setting that was reset is an empty text. */
const tenant = `nullif(current_setting('yore.organisation', true), '')::uuid`

const first: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
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
    // A key is looked up before anybody knows whose it is: by its prefix, and only that one.
    await run(`
      create policy by_prefix on api_keys for select
      using (prefix = nullif(current_setting('yore.key_prefix', true), ''))`)
    // Whoever owns the tables creates and lists organisations, and sees none of what they hold.
    await run(`create policy administration on organisations to current_user using (true) with check (true)`)
  },
}

/** A table of rows that each belong to one organisation; the role that owns nothing sees its own. */
async function confine(db: Kysely<unknown>, table: string): Promise<void> {
  for (const statement of [
    `grant select, insert, update, delete on ${table} to ${appRole}`,
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy tenant on ${table} using (organisation = ${tenant}) with check (organisation = ${tenant})`,
  ])
    await sql.raw(statement).execute(db)
}

const conversations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
    await run(`
      create table sessions (
        id uuid primary key,
        organisation uuid not null references organisations on delete cascade,
        corpus bigint not null references corpora on delete cascade,
        api_key uuid not null references api_keys on delete cascade,
        exchanges int not null,
        created_at timestamptz not null default now(),
        used_at timestamptz not null default now()
      )`)
    await run(`create index on sessions (api_key, id)`)
    await run(`create index on sessions (corpus)`)
    await run(`
      create table exchanges (
        session uuid not null references sessions on delete cascade,
        number int not null,
        organisation uuid not null,
        question text not null,
        answer text not null,
        cited jsonb not null,
        at timestamptz not null,
        primary key (session, number)
      )`)
    for (const table of ['sessions', 'exchanges']) await confine(db, table)
  },
}

/** The resource that a key is for, as RFC 8707 names one; null for the whole service. */
const audiences: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table api_keys add column audience text`.execute(db)
  },
}

const limits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
    await run(`
      alter table organisations
        add column quota_corpora int not null default 10000,
        add column uploads_waiting int not null default 10000,
        add column conversations_per_day int not null default 1000,
        add column requests_per_minute int not null default 6000`)
    await run(`
      create table usage (
        organisation uuid not null references organisations on delete cascade,
        day date not null,
        conversations int not null,
        primary key (organisation, day)
      )`)
    await confine(db, 'usage')
    await run(`create index on ingestions (organisation) where state in ('queued', 'parsing')`)
  },
}

const repositories: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table ingestions
        drop constraint ingestions_kind_check,
        add constraint ingestions_kind_check check (kind in ('file', 'archive', 'git', 'delete'))`.execute(db)
  },
}

const blobs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
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
    // What was written before is known by what names it.
    await run(`
      insert into blobs (organisation, sha256)
      select organisation, blob from documents where blob is not null
      union select organisation, blob from ingestions where blob is not null`)
  },
}

/** What a node fetches in this moment: collected once it has, or once its time is over. */
const leases: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
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
  },
}

/** A conversation about several corpora; those about one stay as they are, for nodes that know no other. */
const joinedSessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table sessions
        alter column corpus drop not null,
        add column corpora bigint[],
        add check ((corpus is null) <> (corpora is null))`.execute(db)
  },
}

/** What uploads hold that are not documents, or not yet, is summed up for each that comes. */
const heldUploads: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create index on ingestions (organisation) include (size, updated_at)
      where state in ('queued', 'parsing', 'failed', 'cancelled')`.execute(db)
  },
}

/** What tells a file that fells its reader from one whose workers or store went away. */
const suspicion: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table ingestions add column suspicion int not null default 0`.execute(db)
  },
}

/** Roles belong to the whole server: several databases on one may be migrated at once. */
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
    '0002-conversations': conversations,
    '0003-audiences': audiences,
    '0004-limits': limits,
    '0005-repositories': repositories,
    '0006-blobs': blobs,
    '0007-leases': leases,
    '0008-joined-sessions': joinedSessions,
    '0009-held-uploads': heldUploads,
    '0010-suspicion': suspicion,
  }),
}
