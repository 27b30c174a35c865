// How is the service tried without setting anything up? One process and one folder: database, store, a first organisation and its key.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openEmbeddedDatabase } from './control/embedded-database.ts'
import { createKey } from './control/keys.ts'
import { migrate } from './control/open-database.ts'
import { createOrganisation, listOrganisations } from './control/organisations.ts'
import { createQueues } from './control/queues.ts'
import { type Node, type ServeOptions, serve } from './serve.ts'

export type DevOptions = Omit<
  ServeOptions,
  'databaseUrl' | 'embedded' | 'keySecret' | 'store' | 'data' | 'role'
> & {
  /** Holds all data; remove it to start from scratch. */
  readonly folder: string
}

const organisation = 'dev'

/** A file that only its user reads, made once. */
async function keepSecret(file: string, make: () => string | Promise<string>): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const text = await make()
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
  return text
}

export async function serveDev({ folder, ...options }: DevOptions): Promise<Node & { readonly key: string }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const embedded = await openEmbeddedDatabase(path.join(folder, 'postgres'))
  await migrate(embedded.owner)
  await createQueues(embedded.owner, embedded.queues)
  const keySecret = await keepSecret(path.join(folder, 'key-secret'), () => randomBytes(32).toString('hex'))
  const key = await keepSecret(path.join(folder, 'key'), async () => {
    const found = (await listOrganisations(embedded.owner)).find(({ name }) => name === organisation)
    const { id } = found ?? (await createOrganisation(embedded.owner, organisation))
    const wanted = { name: 'dev', access: 'admin', corpora: null, expiresAt: null } as const
    return (await createKey(embedded.owner, id, wanted, keySecret)).text
  })
  const node = await serve({
    ...options,
    role: 'all',
    databaseUrl: '',
    embedded,
    keySecret,
    store: `dir:${path.resolve(folder, 'store')}`,
    data: path.resolve(folder, 'data'),
  })
  const stop = async (): Promise<void> => {
    await node.stop()
    await embedded.close()
  }
  return { ...node, key, stop }
}
