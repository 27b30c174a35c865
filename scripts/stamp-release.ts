// Which repository does a release come from? Only the one that builds it knows: it stamps the manifests, and writes what the registry of MCP servers reads.
import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly [field: string]: unknown
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
}

/** `OWNER/NAME` on GitHub, as a workflow calls it. */
function readRepository(repository: string): string {
  if (!/^[\w-]+\/[\w.-]+$/.test(repository)) throw new Error(`not OWNER/NAME: ${repository}`)
  return `https://github.com/${repository}`
}

/** `OWNER/NAME` of a manifest: package.json is the one place that names the repository before a release stamps it. */
export function repositoryOf({ repository }: Manifest): string {
  const { url } = repository as { readonly url: string }
  return url.replace('git+https://github.com/', '').replace(/\.git$/, '')
}

/** Who publishes by GitHub proves this namespace; `mcpName` of the package on npm must repeat it. */
const serverName = (repository: string): string => `io.github.${repository.split('/')[0]}/yore`

/** The manifest as published. npm refuses provenance for a repository that the manifest does not name. */
export function stampManifest(manifest: Manifest, repository: string, folder?: string): Manifest {
  const url = readRepository(repository)
  return {
    ...manifest,
    repository: {
      type: 'git',
      url: `git+${url}.git`,
      ...(folder === undefined ? {} : { directory: folder }),
    },
    bugs: `${url}/issues`,
    homepage: `${url}#readme`,
    ...(manifest.name === 'yore' ? { mcpName: serverName(repository) } : {}),
  }
}

/** Is a file of the repository in the package, too? */
export function isPacked({ files }: Manifest, file: string): boolean {
  const has = (entry: string): boolean => file === entry || file.startsWith(`${entry}/`)
  const entries = files as readonly string[]
  return (
    entries.some((entry) => !entry.startsWith('!') && has(entry)) &&
    !entries.some((entry) => entry.startsWith('!') && has(entry.slice(1)))
  )
}

/** A document of the package: links to files that are not in it lead to the repository, at the tag of the version. */
export function stampLinks(text: string, from: string, manifest: Manifest, repository: string): string {
  const tree = `${readRepository(repository)}/blob/v${manifest.version}`
  return text.replace(/(\]\()([^()\s#]+)(?=[#)])/g, (whole, start: string, link: string) => {
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(from), link))
    const stays = /^[a-z]+:/.test(link) || target.startsWith('..') || isPacked(manifest, target)
    return stays ? whole : `${start}${tree}/${target}`
  })
}

/** What `server.json` says to the registry of MCP servers. */
export function describeServer({ name, version }: Manifest, repository: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json',
    name: serverName(repository),
    // The registry takes at most 100 characters.
    description: 'Context from a repository: sections and code that a question needs, in one cited digest.',
    repository: { url: readRepository(repository), source: 'github' },
    version,
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          {
            type: 'named',
            name: '--root',
            description: 'The folder that is asked about.',
            format: 'filepath',
            isRequired: true,
          },
        ],
      },
    ],
  }
}
