// Does a release say where it comes from? The manifests and the entry for the registry of MCP servers, by that registry's rules.
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  describeServer,
  type Manifest,
  readManifest,
  repositoryOf,
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
