// Is every package that is installed with yore the one that was meant? The lockfile: hashes, no scripts, lowest versions (T33).
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
}

const lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}
const installed = Object.entries(lockfile.packages).filter(
  ([place, { dev, devOptional, link }]) =>
    place.includes('node_modules/') && dev !== true && devOptional !== true && link !== true,
)
const nameOf = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

it('names every package that is installed by its hash, and none runs a script', () => {
  expect(installed.length).toBeGreaterThan(10)
  const odd = installed.filter(
    ([, { integrity = '', hasInstallScript }]) => !/^sha512-/.test(integrity) || hasInstallScript,
  )
  expect(odd.map(([place]) => place)).toEqual([])
})

/** Older ones have known holes. */
const lowest: Readonly<Record<string, string>> = {
  'markdown-it': '15.0.3',
  'linkify-it': '5.0.2',
  yaml: '2.8.3',
  'js-yaml': '4.3.0',
  fastify: '5.8.5',
  '@fastify/busboy': '3.2.1',
  '@modelcontextprotocol/server': '2.3.0',
}

it.each(Object.entries(lowest))('has no %s older than %s', (name, version) => {
  const older = installed.filter(
    ([place, locked]) =>
      nameOf(place) === name && locked.version?.localeCompare(version, 'en', { numeric: true }) === -1,
  )
  expect(older).toEqual([])
})
