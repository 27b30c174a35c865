// Is an archive that contradicts itself refused?
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeZip } from '../../../server/test/support/archives.ts'
import { openZip } from './read-zip.ts'

/** The texts of its entries. */
function read(archive: Buffer, ...names: readonly string[]): string[] {
  const zip = openZip(archive)
  return names.map((name) => zip.text(name) ?? 'nothing')
}

it('gives every entry', () => {
  const archive = makeZip([
    { name: 'a', content: 'one' },
    { name: 'b', content: '' },
  ])
  expect(read(archive, 'a', 'b', 'c')).toEqual(['one', '', 'nothing'])
})

it('refuses links, encryption, wrong sizes and entries that share their bytes', () => {
  const link = makeZip([{ name: 'a', content: '/etc/passwd', mode: 0o120777 }])
  expect(() => read(link, 'a')).toThrow('link or a device')
  expect(() => read(makeZip([{ name: 'a', flags: 1 }]), 'a')).toThrow('encrypted')
  const small = makeZip([{ name: 'a', content: 'x'.repeat(9000), size: 10 }])
  expect(() => read(small, 'a')).toThrow('more than it says')
  // More bytes than it can be made of are not even read.
  const noise = makeZip([{ name: 'a', content: randomBytes(90_000), size: 10 }])
  expect(() => read(noise, 'a')).toThrow('something else than it says')
  const shared = makeZip([
    { name: 'a', content: 'x'.repeat(5000) },
    { name: 'b', content: 'x'.repeat(5000), offset: 0 },
  ])
  expect(() => read(shared, 'a')).toThrow('overlap')
})
