// Does the service do what ADR-046 documents? An uploaded Markdown file becomes nodes and relations, over real HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handbook } from '../../test/support/sample-files.ts'
import { Client, startService, type TestService } from './service.ts'
import { stores } from './stores.ts'

const readme = `# Overview

What the tool is for.

## Installation

Run the installer as an ordinary user.

## Configuration

Settings live in one file.
`

/** Four sections of about 170 tokens; only the first answers. */
const animals = [
  '# Animals',
  'Every animal below belongs to the zoo and is counted once a year by two keepers.',
  ...Object.entries({ First: 'hippopotamus', Second: 'zebra', Third: 'lion', Fourth: 'giraffe' }).flatMap(
    ([name, animal]) => [
      `## ${name}`,
      ['north', 'south', 'east', 'west', 'upper', 'lower']
        .map(
          (side) =>
            `The ${animal} has a pen at the ${side} side. A keeper weighs it there each morning before noon.`,
        )
        .join('\n'),
    ],
  ),
].join('\n\n')

describe.each(stores)('on PostgreSQL and %s', (_, makeStore) => {
  let service: TestService
  let client: Client
  beforeAll(async () => {
    service = await startService(await makeStore())
    client = new Client(service.url, service.key)
  })
  afterAll(() => service.close())

  it('uploads a Markdown file, and gives its nodes, relations, answers, and the family of a section', async () => {
    const accepted = await client.upload('README.md', readme)
    expect([accepted.status, accepted.body]).toMatchObject([
      202,
      { kind: 'file', path: 'README.md', state: 'queued' },
    ])
    const { id } = accepted.body
    expect(accepted.headers.get('location')).toBe(`/v1/ingestions/${id}`)
    const done = await client.wait(id)
    expect(done).toMatchObject({ state: 'completed', version: 1, error: null })

    // Without a corpus the upload has one of its own: repo_id = ingestion_id.
    const found = await client.call('POST', `/v1/corpora/${id}/search`, { query: 'installer' })
    expect(found.status).toBe(200)
    const [hit] = found.body.hits
    expect(hit).toMatchObject({ artifact: 'README.md#overview.installation', path: 'README.md' })

    const outgoing = async (
      document: string,
    ): Promise<{ target_document_id: string; relation_type: string }[]> =>
      (await client.call('GET', `/v1/graph/docs/${document}/relationships`)).body.relationships
    const module = await client.call('GET', `/v1/corpora/${id}/graph/node?name=README.md`)
    expect(module.body).toMatchObject({ canonical_id: 'README.md', kind: 'markdown_module' })
    const [defined, ...others] = await outgoing(module.body.document_id)
    expect([defined?.relation_type, others]).toEqual(['DEFINES', []])
    const parent = await client.call('GET', `/v1/graph/docs/${defined?.target_document_id}`)
    expect(parent.body).toMatchObject({ canonical_id: 'README.md#overview', kind: 'markdown_section' })

    // The child's parent and siblings: incoming DEFINES, then what the parent defines.
    const up = await client.call('GET', `/v1/graph/docs/${hit.document_id}/relationships?direction=incoming`)
    expect(up.body.relationships).toMatchObject([
      { target_document_id: parent.body.document_id, relation_type: 'DEFINES' },
    ])
    const siblings = await outgoing(parent.body.document_id)
    expect(siblings.map(({ target_document_id }) => target_document_id)).toContain(hit.document_id)
    expect(siblings).toHaveLength(2)

    const digest = await client.call('POST', `/v1/corpora/${id}/assemble`, {
      question: 'How do I install it?',
      maxTokens: 1000,
    })
    expect(digest.body.output).toContain('Run the installer as an ordinary user.')
  })

  it('answers a question that lands on a child section with its parent and siblings', async () => {
    const accepted = await client.upload('BIG.md', `${animals}\n`)
    await client.wait(accepted.body.id)
    const { body } = await client.call('POST', `/v1/corpora/${accepted.body.id}/assemble`, {
      question: 'hippopotamus',
    })
    const [found = '', around = ''] = body.output.split('\n## Surrounding Sections\n')
    expect(found).toContain('The hippopotamus has a pen at the north side.')
    expect(around).toContain('Every animal below belongs to the zoo')
    for (const animal of ['zebra', 'lion', 'giraffe'])
      expect(around).toContain(`The ${animal} has a pen at the south side.`)
    expect(around.split('**Source:** BIG.md:')).toHaveLength(5)
  })

  it('gives all relationships of a document in one reply up to 1,000, then a cursor', async () => {
    const headings = (count: number): string =>
      Array.from(
        { length: count },
        (_, at) =>
          `# Heading ${at + 1}\n\nA paragraph that says something about the subject of the heading.\n`,
      ).join('\n')
    const ask = async (count: number) => {
      const { body } = await client.upload('many.md', headings(count))
      await client.wait(body.id)
      const module = await client.call('GET', `/v1/corpora/${body.id}/graph/node?name=many.md`)
      const route = `/v1/graph/docs/${module.body.document_id}/relationships`
      return { route, first: (await client.call('GET', route)).body }
    }
    const { first } = await ask(450)
    expect([first.relationships.length, first.next_cursor]).toEqual([450, null])
    const { route, first: page } = await ask(1001)
    expect(page.relationships).toHaveLength(1000)
    const rest = (await client.call('GET', `${route}?cursor=${page.next_cursor}`)).body
    expect([rest.relationships.length, rest.next_cursor]).toEqual([1, null])
    const targets = [...page.relationships, ...rest.relationships].map((one) => one.target_document_id)
    expect(new Set(targets).size).toBe(1001)
  })

  it('gives relationships of several documents in one call, and of one type', async () => {
    const { body } = await client.upload('README.md', `${readme}\nSee [above](#overview) and ADR-1.\n`)
    await client.wait(body.id)
    const idOf = async (name: string): Promise<string> =>
      (
        await client.call(
          'GET',
          `/v1/corpora/${body.id}/graph/node?name=${encodeURIComponent(`README.md${name}`)}`,
        )
      ).body.document_id
    const ids = [await idOf(''), await idOf('#overview')]
    const route = `/v1/corpora/${body.id}/graph/relationships`
    const count = async (more: object = {}): Promise<number[]> =>
      (await client.call('POST', route, { document_ids: ids, ...more })).body.documents.map(
        (one: { relationships: readonly unknown[] }) => one.relationships.length,
      )
    expect(await count()).toEqual([1, 2])
    expect(await count({ relation_type: 'DEFINES' })).toEqual([1, 2])
    expect(await count({ relation_type: 'LINKS' })).toEqual([0, 0])
    expect((await client.call('POST', route, { document_ids: 'all' })).status).toBe(400)
    expect((await client.call('GET', `/v1/graph/docs/${body.id}/relationships`)).status).toBe(404)
  })

  it('indexes plain text without relationships and a PDF by its headings', async () => {
    const moduleOf = async (name: string, content: string | Uint8Array) => {
      const { body } = await client.upload(name, content)
      expect(await client.wait(body.id)).toMatchObject({ state: 'completed' })
      const node = (await client.call('GET', `/v1/corpora/${body.id}/graph/node?name=${name}`)).body
      const { relationships } = (await client.call('GET', `/v1/graph/docs/${node.document_id}/relationships`))
        .body
      return [node.kind, relationships.length > 0]
    }
    expect(
      await moduleOf('notes.txt', 'Plain words of an ordinary letter.\n\nAnd a second paragraph.\n'),
    ).toEqual(['text_document', false])
    expect(await moduleOf('flat.md', 'Words without a heading.\n')).toEqual(['markdown_module', false])
    expect(await moduleOf('handbook.pdf', handbook)).toEqual(['pdf_document', true])
  })

  it('gives the same ids when a document is uploaded again into its corpus', async () => {
    await client.call('POST', '/v1/corpora', { name: 'handbook' })
    const first = await client.upload('docs/guide.md', readme, { corpus: 'handbook' })
    await client.wait(first.body.id)
    const node = (): Promise<{ body: { document_id: string } }> =>
      client.call(
        'GET',
        `/v1/corpora/handbook/graph/node?name=${encodeURIComponent('docs/guide.md#installation')}`,
      )
    const before = await node()
    const again = await client.upload('docs/guide.md', readme.replace('ordinary', 'unprivileged'), {
      corpus: 'handbook',
    })
    expect(await client.wait(again.body.id)).toMatchObject({ state: 'completed', version: 2 })
    expect((await node()).body.document_id).toBe(before.body.document_id)
    const found = await client.call('POST', '/v1/corpora/handbook/search', { query: 'unprivileged' })
    expect(found.body.hits[0]).toMatchObject({ document_id: before.body.document_id })
    expect(found.body.hits[0].excerpt.text).toContain('unprivileged')
    expect(found.body.version).toBe(2)
  })

  it('deletes a document, and the last one too', async () => {
    await client.call('POST', '/v1/corpora', { name: 'short-lived' })
    for (const name of ['a.md', 'b.md'])
      await client.wait(
        (await client.upload(name, `# ${name}\n\nzebra\n`, { corpus: 'short-lived' })).body.id,
      )
    const remove = async (name: string): Promise<void> => {
      const { status, body } = await client.call('DELETE', `/v1/corpora/short-lived/documents?path=${name}`)
      expect(status).toBe(202)
      expect(await client.wait(body.id)).toMatchObject({ state: 'completed' })
    }
    const search = (): ReturnType<Client['call']> =>
      client.call('POST', '/v1/corpora/short-lived/search', { query: 'zebra' })
    await remove('a.md')
    expect((await search()).body.hits.map(({ path }: { path: string }) => path)).toEqual(['b.md'])
    await remove('b.md')
    expect((await search()).status).toBe(404)
    await client.wait((await client.upload('c.md', '# c\n\nzebra\n', { corpus: 'short-lived' })).body.id)
    expect((await search()).body.hits).toHaveLength(1)
  })
})
