// Do pages show pictures of the folder, and nothing else of this machine?
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findPicture, openPicture } from '../src/explore/open-picture.ts'
import { makeFolder, removeFolder } from './temporary-corpus.ts'

it('finds a picture next to its document and in the folders of sites, and opens it', () => {
  const root = makeFolder()
  mkdirSync(join(root, 'docs/public'), { recursive: true })
  for (const path of ['docs/a b.png', 'docs/public/logo.svg', 'docs/data.txt'])
    writeFileSync(join(root, path), path)
  expect(findPicture(root, 'docs/guide/one.md', '../a%20b.png?raw=true')).toBe('/picture/docs/a%20b.png')
  expect(findPicture(root, 'docs/one.md', '/logo.svg')).toBe('/picture/docs/public/logo.svg')
  for (const named of ['gone.png', 'https://x.org/a.png', '//x.org/a.png', 'data.txt', '%zz.png'])
    expect([named, findPicture(root, 'docs/one.md', named)]).toEqual([named, null])
  expect(openPicture(root, '/picture/docs/a%20b.png')).toEqual({
    type: 'image/png',
    body: Buffer.from('docs/a b.png'),
  })
  removeFolder(root)
})

it('opens nothing outside of the folder, and no other file', () => {
  const [root, outside] = [makeFolder(), makeFolder()]
  writeFileSync(join(outside, 'secret.png'), 'secret')
  writeFileSync(join(root, 'key.pem'), 'secret')
  writeFileSync(join(root, 'large.png'), Buffer.alloc(5_000_001))
  mkdirSync(join(root, 'folder.png'))
  symlinkSync(join(outside, 'secret.png'), join(root, 'link.png'))
  symlinkSync(join(root, 'key.pem'), join(root, 'key.png'))
  const up = `..%2f${outside.split('/').at(-1)}%2fsecret.png`
  const paths = [
    'link.png',
    'key.png',
    'key.pem',
    'large.png',
    'folder.png',
    up,
    up.replaceAll('%2f', '/'),
    'a%00.png',
    '%',
  ]
  for (const path of paths) expect([path, openPicture(root, `/picture/${path}`)]).toEqual([path, null])
  expect(openPicture(undefined, '/picture/link.png')).toBeNull()
  removeFolder(root)
  removeFolder(outside)
})
