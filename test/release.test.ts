// Does a release say where it comes from? The manifests and the entry for the registry of MCP servers, by that registry's rules.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  describeServer,
  isPacked,
  type Manifest,
  readManifest,
  repositoryOf,
  stampLinks,
  stampManifest,
} from '../scripts/stamp-release.ts'

const manifestOf = (folder: string): Manifest => readManifest(path.join(import.meta.dirname, '..', folder))

it('names one repository in all manifests and addresses', () => {
  const repository = repositoryOf(manifestOf('.'))
  for (const folder of ['.', 'server']) {
    const { mcpName, ...stamped } = stampManifest(
      manifestOf(folder),
      repository,
      folder === '.' ? undefined : folder,
    )
    expect(manifestOf(folder)).toEqual(stamped)
  }
})

it('names the repository that builds it', () => {
  expect(stampManifest(manifestOf('.'), 'acme/context')).toMatchObject({
    name: 'yore',
    repository: { type: 'git', url: 'git+https://github.com/acme/context.git' },
    bugs: 'https://github.com/acme/context/issues',
    mcpName: 'io.github.acme/yore',
  })
  const server = stampManifest(manifestOf('server'), 'acme/context', 'server')
  expect(server).toMatchObject({ repository: { directory: 'server' } })
  expect(server).not.toHaveProperty('mcpName')
  expect(() => stampManifest(manifestOf('.'), 'https://github.com/acme')).toThrow('not OWNER/NAME')
})

it('leads links of packed documents to files that are not packed to the repository', () => {
  const root = path.join(import.meta.dirname, '..')
  const manifest = { ...manifestOf('.'), version: '1.2.3' }
  let left = 0
  for (const name of readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })) {
    const from = `docs/${name.replaceAll('\\', '/')}`
    if (!name.endsWith('.md') || !isPacked(manifest, from)) continue
    const stamped = stampLinks(readFileSync(path.join(root, from), 'utf8'), from, manifest, 'acme/context')
    left += stamped.split('](https://github.com/acme/context/blob/v1.2.3/').length - 1
    for (const [, link = ''] of stamped.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g))
      if (!/^[a-z]+:/.test(link))
        expect(isPacked(manifest, path.posix.join(path.dirname(from), link)), `${from} ${link}`).toBe(true)
  }
  expect(left).toBeGreaterThan(20)
  const text = 'See [0005](../decisions/0005-determinism.md#why) and [this](a.md) and [that](https://a.b/).'
  expect(stampLinks(text, 'docs/explanation/x.md', manifest, 'acme/context')).toBe(
    'See [0005](https://github.com/acme/context/blob/v1.2.3/docs/decisions/0005-determinism.md#why) and [this](a.md) and [that](https://a.b/).',
  )
})

it('describes the server within the rules of the registry', () => {
  const said = describeServer(manifestOf('.'), 'acme/context') as {
    name: string
    description: string
    version: string
    packages: { identifier: string; version: string; packageArguments: { value?: string; name?: string }[] }[]
  }
  expect(said.name).toBe(stampManifest(manifestOf('.'), 'acme/context').mcpName)
  expect(said.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  expect(said.description.length).toBeLessThanOrEqual(100)
  const [npm] = said.packages
  expect(npm).toMatchObject({ identifier: 'yore', version: manifestOf('.').version })
  expect(npm?.packageArguments.map(({ value, name }) => value ?? name)).toEqual(['mcp', '--root'])
})

it('is one version in both packages', () => {
  expect(manifestOf('server').version).toBe(manifestOf('.').version)
})
