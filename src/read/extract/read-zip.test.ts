// Is an archive that contradicts itself refused?
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeZip } from '../../../server/test/support/archives.ts'
import { listZip, unpackEntry } from './read-zip.ts'

/** The text of every entry. */
function read(archive: Buffer): string[] {
  const part = (at: number, length: number): Buffer => archive.subarray(at, at + length)
  return listZip(part, archive.length, 100).map((entry) => Buffer.from(unpackEntry(part, entry)).toString())
}

it('gives every entry', () => {
  expect(
    read(
      makeZip([
        { name: 'a', content: 'one' },
        { name: 'b', content: '' },
      ]),
    ),
  ).toEqual(['one', ''])
})

it('refuses links, encryption, wrong sizes and entries that share their bytes', () => {
  const link = makeZip([{ name: 'a', content: '/etc/passwd', mode: 0o120777 }])
  expect(() => read(link)).toThrow('link or a device')
  expect(() => read(makeZip([{ name: 'a', flags: 1 }]))).toThrow('encrypted')
  const small = makeZip([{ name: 'a', content: 'x'.repeat(9000), size: 10 }])
  expect(() => read(small)).toThrow('more than it says')
  // More bytes than it can be made of are not even read.
  const noise = makeZip([{ name: 'a', content: randomBytes(90_000), size: 10 }])
  expect(() => read(noise)).toThrow('something else than it says')
  const shared = makeZip([
    { name: 'a', content: 'x'.repeat(5000) },
    { name: 'b', content: 'x'.repeat(5000), offset: 0 },
  ])
  expect(() => read(shared)).toThrow('overlap')
})
