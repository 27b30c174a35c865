// What does a test of the whole service use? A node with a real PostgreSQL and a real store, and two organisations.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createKey } from '../src/control/keys.ts'
import { type LimitName, setLimits } from '../src/control/limits.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import type { Access } from '../src/control/tables.ts'
import { type Node, type ServeOptions, serve, serveDefaults } from '../src/serve.ts'
import { createDatabase, type TestDatabase } from './databases.ts'

export const keySecret = 'a secret of tests that is long enough'

export interface TestService {
  readonly database: TestDatabase
  readonly folder: string
  readonly node: Node
  readonly url: string
  readonly organisation: string
  /** Of the organisation, with admin access. */
  readonly key: string
  makeKey(organisation: string, access: Access, corpora?: readonly number[]): Promise<string>
  /** Without a limit of requests that a test would notice, unless it is given. */
  makeOrganisation(name: string, limits?: Partial<Record<LimitName, number>>): Promise<string>
  serveOptions(changes?: Partial<ServeOptions>): ServeOptions
  close(): Promise<void>
}

export async function startService(changes: Partial<ServeOptions> = {}): Promise<TestService> {
  const database = await createDatabase()
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-service-'))
  const serveOptions = (more: Partial<ServeOptions> = {}): ServeOptions => ({
    ...serveDefaults,
    port: 0,
    databaseUrl: database.appUrl,
    keySecret,
    store: `dir:${path.join(folder, 'store')}`,
    data: path.join(folder, 'data'),
    environment: process.env,
    onEvent: (event, details) => {
      if (process.env['YORE_TEST_EVENTS'] !== undefined) console.error(event, details)
    },
    ...changes,
    ...more,
  })
  const makeKey: TestService['makeKey'] = async (organisation, access, corpora) => {
    const wanted = { name: access, access, corpora: corpora ?? null, expiresAt: null }
    return (await createKey(database.owner, organisation, wanted, keySecret)).text
  }
  const makeOrganisation: TestService['makeOrganisation'] = async (name, limits = {}) => {
    const { id } = await createOrganisation(database.owner, name)
    await setLimits(database.owner, id, { requests_per_minute: 1_000_000, ...limits })
    return id
  }
  const organisation = await makeOrganisation('acme')
  const node = await serve(serveOptions())
  return {
    database,
    folder,
    node,
    url: node.url ?? '',
    organisation,
    key: await makeKey(organisation, 'admin'),
    makeKey,
    makeOrganisation,
    serveOptions,
    close: async () => {
      await node.stop()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As the form of the pages does it; the cookie as a browser sends it. */
export async function signIn(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/ui`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ key }),
  })
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever JSON came.
  readonly body: any
}

/** A client that speaks for one key. */
export class Client {
  readonly url: string
  readonly key: string
  readonly #patienceMs: number

  /** What is not answered within its patience has failed. */
  constructor(url: string, key: string, patienceMs = 600_000) {
    this.url = url
    this.key = key
    this.#patienceMs = patienceMs
  }

  async call(
    method: string,
    route: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isForm = body instanceof FormData
    const response = await fetch(this.url + route, {
      method,
      signal: AbortSignal.timeout(this.#patienceMs),
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  async upload(
    path: string,
    content: string | Uint8Array,
    fields: Readonly<Record<string, string>> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('path', path)
    form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), path.split('/').at(-1))
    return await this.call('POST', '/v1/ingest/file', form, headers)
  }

  /** Until the ingestion has ended. */
  async wait(id: string, ms = 60_000): Promise<Answer['body']> {
    const until = Date.now() + ms
    for (;;) {
      const { body } = await this.call('GET', `/v1/ingestions/${id}`)
      if (['completed', 'failed', 'cancelled'].includes(body.state) || Date.now() > until) return body
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }
}
