// Many clients of one tenant that ask without a pause: a process of its own, until it is killed.
//
// Run: node server/test/flood-process.ts URL KEY CLIENTS
import { Client } from './service.ts'

const [url = '', key = '', clients] = process.argv.slice(2)
const client = new Client(url, key)
const body = { question: 'How does a deployed service keep the versions of a corpus?' }
const askForEver = async (): Promise<never> => {
  for (;;) await client.call('POST', '/v1/corpora/docs/assemble', body).catch(() => null)
}
for (let at = 0; at < Number(clients); at++) void askForEver()
process.stdout.write('asking\n')
