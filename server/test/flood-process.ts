// Many clients of one tenant that ask or upload without a pause: a process of its own, until it is killed.
//
// Run: node server/test/flood-process.ts URL KEY CLIENTS questions|uploads
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Client } from './service.ts'

const [url = '', key = '', clients, what = 'questions'] = process.argv.slice(2)
const client = new Client(url, key)
const body = { question: 'How does a deployed service keep the versions of a corpus?' }
const flood = async (number: number): Promise<never> => {
  const corpus = `flood-${number}`
  if (what === 'uploads') await client.call('POST', '/v1/corpora', { name: corpus })
  for (let round = 0; ; round++)
    if (what === 'questions') await client.call('POST', '/v1/corpora/docs/assemble', body).catch(() => null)
    else
      await client
        .upload('page.md', `# Page ${round} of ${number}\n`, { corpus })
        .then(async ({ body }) => {
          const end = /"(completed|failed|cancelled)"/
          const read = (): Promise<Answer> => client.call('GET', `/v1/ingestions/${body.id}`)
          while (!end.test(JSON.stringify((await read()).body.state))) await sleep(250)
        })
        .catch(() => sleep(250))
}
for (let at = 0; at < Number(clients); at++) void flood(at)
process.stdout.write('asking\n')
