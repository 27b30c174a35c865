// Can a key read what it is not for? Every route of the description, with every kind of key, and ids of others in every place.
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentId } from '../src/control/corpora.ts'
import { createKey, revokeKey } from '../src/control/keys.ts'
import { Client, keySecret, signIn, startService, type TestService } from './service.ts'

/** Stands in the documents of the other organisation, and in no answer. */
const canary = 'canary-7f3a91'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { description: string }>>>>
}

let service: TestService
let own: Client
let other: Client
let described: Described
/** What the other organisation has. */
let foreign: {
  corpus: string
  number: number
  ingestion: string
  document: string
  section: string
}

beforeAll(async () => {
  service = await startService()
  own = new Client(service.url, service.key)
  const organisation = await service.makeOrganisation('other')
  other = new Client(service.url, await service.makeKey(organisation, 'admin'))
  described = (await own.call('GET', '/openapi.json')).body
  const corpus = `secrets-${canary}`
  await other.call('POST', '/v1/corpora', { name: corpus })
  await own.call('POST', '/v1/corpora', { name: 'mine' })
  const upload = await other.upload('plan.md', `# Plan ${canary}\n\n## Part\n\n${canary}\n`, { corpus })
  await other.wait(upload.body.id)
  await own.wait((await own.upload('plan.md', '# Plan\n', { corpus: 'mine' })).body.id)
  const { number } = (await other.call('GET', `/v1/corpora/${corpus}`)).body
  foreign = {
    corpus,
    number,
    ingestion: upload.body.id,
    document: documentId(number, 'plan.md'),
    section: documentId(number, 'plan.md#part'),
  }
})
afterAll(() => service.close())

/** Bodies that would be right for their route. */
function bodyOf(path: string, corpus: string): unknown {
  const several = path.includes('{') ? {} : { corpora: [corpus] }
  if (path.endsWith('/search')) return { query: 'plan', ...several }
  if (path.endsWith('/assemble')) return { question: 'What is the plan?', ...several }
  if (path.startsWith('/mcp')) {
    const place = path.includes('{') ? 'plan.md' : `${corpus}/plan.md`
    const params = { name: 'read', arguments: { place } }
    return { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  }
  if (path.endsWith('/expand')) return { from: 'plan.md' }
  if (path.endsWith('/read')) return { place: 'plan.md' }
  if (path.endsWith('/relationships')) return { document_ids: [foreign.document] }
  if (path.endsWith('/remove')) return { paths: ['plan.md'] }
  if (path.endsWith('/corpora')) return { name: 'new-one' }
  return undefined
}

/** Pages of a corpus, each in a way that would be right. */
const pagesOf = (corpus: string): readonly string[] =>
  ['ask?q=plan', 'ask.md?q=plan', 'doc', 'doc/plan.md', 'graph.json', 'graph?of=plan.md', 'health.json'].map(
    (page) => `/ui/${encodeURIComponent(corpus)}/${page}`,
  )

interface Attempt {
  readonly method: string
  readonly route: string
  readonly path: string
  readonly body: unknown
}

function attempts(values: Readonly<Record<string, string>>): readonly Attempt[] {
  return Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((name) => {
      const method = name.toUpperCase()
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? 'x'))
      const namesOne = filled.endsWith('/content') || (filled.endsWith('/documents') && method === 'DELETE')
      const query = namesOne ? '?path=plan.md' : ''
      const several = filled === '/mcp' ? `?corpora=${encodeURIComponent(values['corpus'] ?? 'x')}` : query
      const asks = filled.endsWith('/node') ? '?name=plan.md' : several
      return {
        method,
        path,
        route: filled + asks,
        body: method === 'POST' ? bodyOf(path, values['corpus'] ?? 'x') : undefined,
      }
    }),
  )
}

describe('the description', () => {
  it('is valid OpenAPI 3.1 and names every route', async () => {
    const result = await new Validator().validate(structuredClone(described) as never)
    expect(result).toMatchObject({ valid: true })
    expect(Object.keys(described.paths).length).toBeGreaterThan(14)
  })
})

describe('a key', () => {
  it('that is missing, wrong or revoked is refused on every route in the same words', async () => {
    const wanted = { name: 'gone', access: 'admin', corpora: null, expiresAt: null } as const
    const revoked = await createKey(service.database.owner, service.organisation, wanted, keySecret)
    await revokeKey(service.database.owner, service.organisation, revoked.id)
    const details = new Set<string>()
    for (const key of ['', 'x', revoked.text, service.key.replace(/.$/, '!')])
      for (const { method, route, body } of attempts({ corpus: 'mine' })) {
        const answer = await new Client(service.url, key).call(method, route, body)
        expect([answer.status, answer.body.code], `${method} ${route}`).toEqual([401, 'UNAUTHENTICATED'])
        details.add(answer.body.detail)
      }
    expect(details.size).toBe(1)
  })

  it('with less access than a route needs is refused', async () => {
    const reader = new Client(service.url, await service.makeKey(service.organisation, 'read'))
    const writer = new Client(service.url, await service.makeKey(service.organisation, 'write'))
    for (const { method, path, route, body } of attempts({ corpus: 'scratch', id: 'x', document_id: 'x' })) {
      const needs = /with (\w+) access/.exec(
        described.paths[path]?.[method.toLowerCase()]?.description ?? '',
      )?.[1]
      const [asReader, asWriter] = [
        await reader.call(method, route, body),
        await writer.call(method, route, body),
      ]
      if (needs !== 'read') expect(asReader.status, `${method} ${route}`).toBe(403)
      else expect(asReader.status, `${method} ${route}`).not.toBe(403)
      if (needs === 'admin') expect(asWriter.status, `${method} ${route}`).toBe(403)
    }
  })

  it('for some corpora finds no other, and creates none', async () => {
    const mine = (await own.call('GET', '/v1/corpora/mine')).body
    await own.call('POST', '/v1/corpora', { name: 'also-mine' })
    const narrow = new Client(
      service.url,
      await service.makeKey(service.organisation, 'write', [mine.number]),
    )
    expect(
      (await narrow.call('GET', '/v1/corpora')).body.items.map(({ name }: { name: string }) => name),
    ).toEqual(['mine'])
    expect((await narrow.call('GET', '/v1/corpora/also-mine')).status).toBe(404)
    expect((await narrow.upload('x.md', '# x\n', { corpus: 'also-mine' })).status).toBe(404)
    expect((await narrow.upload('x.md', '# x\n')).status).toBe(403)
    expect((await narrow.call('POST', '/v1/corpora/mine/search', { query: 'plan' })).status).toBe(200)
  })
})

describe('another organisation', () => {
  it('is told apart from nothing: its corpora, ingestions and documents are not found on any route', async () => {
    const unknown = {
      corpus: 'never-was',
      id: '00000000-0000-4000-8000-000000000000',
      document_id: documentId(12345, 'plan.md'),
    }
    const theirs = { corpus: foreign.corpus, id: foreign.ingestion, document_id: foreign.section }
    const [asTheirs, asUnknown] = [attempts(theirs), attempts(unknown)]
    for (const [index, attempt] of asTheirs.entries()) {
      const names = Object.keys((attempt.body as object | undefined) ?? {})
      const namesCorpora = names.includes('corpora') || names.includes('corpus')
      if (!attempt.path.includes('{') && attempt.path !== '/mcp' && !namesCorpora) continue
      const { method, route, body } = attempt
      const answer = await own.call(method, route, body)
      const control = asUnknown[index] as Attempt
      const nothing = await own.call(control.method, control.route, control.body)
      expect(answer.status, `${method} ${route}`).toBe(404)
      expect({ ...answer.body, instance: '' }).toEqual({ ...nothing.body, instance: '' })
    }
  })

  it('is told apart from nothing on pages, too, by a ticket of any key', async () => {
    const narrow = await service.makeKey(service.organisation, 'read', [1])
    for (const key of [service.key, narrow]) {
      const cookie = await signIn(service.url, key)
      const read = async (path: string): Promise<[number, string]> => {
        const answer = await fetch(service.url + path, { headers: { cookie } })
        return [answer.status, await answer.text()]
      }
      for (const [index, path] of pagesOf(foreign.corpus).entries()) {
        const answer = await read(path)
        expect(answer[0], path).toBe(404)
        expect(answer).toEqual(await read(pagesOf('never-was')[index] as string))
      }
      expect((await read('/ui'))[1]).not.toContain(foreign.corpus)
      expect((await read(pagesOf('mine')[0] as string))[0]).toBe(key === narrow ? 404 : 200)
    }
  })

  it('leaks no word through search, reads, lists, cursors, idempotency keys or error texts', async () => {
    const theirOwn = await other.call('POST', `/v1/corpora/${foreign.corpus}/read`, { place: 'plan.md' })
    expect(theirOwn.body.output).toContain(`Plan ${canary}`)
    const seen: string[] = []
    const note = async (answer: Promise<{ body: unknown }>): Promise<void> => {
      seen.push(JSON.stringify((await answer).body))
    }
    const cursors = ['', foreign.corpus, foreign.number, '0', '\0', 'zzz'].map((after) =>
      Buffer.from(String(after)).toString('base64url'),
    )
    for (const cursor of [...cursors, foreign.ingestion, '%00', '../..', '[]'])
      for (const route of [
        '/v1/corpora',
        '/v1/corpora/mine/documents',
        `/v1/corpora/${foreign.corpus}/documents`,
      ])
        await note(own.call('GET', `${route}?cursor=${encodeURIComponent(cursor)}`))
    const places = [
      foreign.corpus,
      `../${foreign.corpus}`,
      `..%2f${foreign.number}`,
      String(foreign.number),
      `#${foreign.number}`,
      `mine/../${foreign.corpus}`,
      foreign.corpus.toUpperCase(),
      `mine' or '1'='1`,
      '*',
      '%',
    ]
    for (const place of places)
      for (const id of [foreign.ingestion, foreign.ingestion.toUpperCase(), `${foreign.ingestion}%00`])
        for (const { method, route, body } of attempts({
          corpus: place,
          id,
          document_id: foreign.section,
        }))
          if (!(method === 'POST' && route === '/v1/corpora')) await note(own.call(method, route, body))
    const cookie = await signIn(service.url, service.key)
    for (const place of [...places, 'mine'])
      for (const path of pagesOf(place)) {
        const answer = await fetch(service.url + path, { headers: { cookie } })
        seen.push(await answer.text())
      }
    for (const place of [
      '../plan.md',
      `../../${foreign.number}/index.db`,
      '/etc/passwd',
      foreign.document,
      canary,
    ])
      for (const name of ['read', 'expand'] as const)
        await note(
          own.call('POST', `/v1/corpora/mine/${name}`, name === 'read' ? { place } : { from: place }),
        )
    for (const id of [
      foreign.document,
      foreign.section,
      foreign.document.toUpperCase(),
      `${foreign.document}x`,
    ]) {
      await note(own.call('GET', `/v1/graph/docs/${id}`))
      await note(own.call('GET', `/v1/graph/docs/${id}/relationships?direction=both`))
      await note(own.call('POST', '/v1/corpora/mine/graph/relationships', { document_ids: [id] }))
    }
    // A key of the same name in another organisation is another key.
    const theirs = await other.upload(
      'k.md',
      `# ${canary}\n`,
      { corpus: foreign.corpus },
      { 'idempotency-key': 'k' },
    )
    const mine = await own.upload('k.md', '# k\n', { corpus: 'mine' }, { 'idempotency-key': 'k' })
    expect([theirs.status, mine.status]).toEqual([202, 202])
    expect(mine.body.id).not.toBe(theirs.body.id)
    await note(own.call('GET', `/v1/ingestions/${theirs.body.id}`))
    // What it may have and has used is its own affair, too.
    const { used } = (await own.call('GET', '/v1/usage')).body
    expect(used.quota_corpora).toBe((await own.call('GET', '/v1/corpora')).body.items.length)
    console.log(`${seen.length} ways to another's corpus tried`)
    expect(seen.length).toBeGreaterThan(500)
    expect(seen.filter((text) => text.includes('canary-7f3a91 ') || text.includes(`# ${canary}`))).toEqual([])
    // Error texts may repeat what was asked, and nothing else that the other has.
    expect(seen.filter((text) => text.includes('Part') || text.includes(`Plan ${canary}`))).toEqual([])
  })

  it('takes no other time than what never was', async () => {
    const nothing = '00000000-0000-4000-8000-000000000000'
    const pairs = [
      [`/v1/corpora/${foreign.corpus}`, `/v1/corpora/${'n'.repeat(foreign.corpus.length)}`],
      [`/v1/ingestions/${foreign.ingestion}`, `/v1/ingestions/${nothing}`],
      [`/v1/graph/docs/${foreign.section}`, `/v1/graph/docs/${documentId(12345, 'plan.md')}`],
    ] as const
    const time = async (route: string): Promise<number> => {
      const from = performance.now()
      await own.call('GET', route)
      return performance.now() - from
    }
    // Which of two is slower, each first as often: what else the machine does makes neither likelier.
    const turns = 100
    for (const [theirs, unknown] of pairs) {
      let slower = 0
      for (let turn = 0; turn < turns; turn++) {
        const [first, second] = turn % 2 === 0 ? [theirs, unknown] : [unknown, theirs]
        const isFirst = (await time(first)) > (await time(second))
        if (isFirst === (turn % 2 === 0)) slower++
      }
      expect(Math.abs(slower / turns - 0.5), `${theirs}: slower in ${slower} of ${turns}`).toBeLessThan(0.25)
    }
  })
})
