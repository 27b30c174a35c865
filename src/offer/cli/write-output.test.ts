// Is a digest written whole or not at all, and never over what is no file?
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { writeOutput } from './write-output.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'yore-output-'))
})

it('writes a new file and leaves nothing else behind', () => {
  writeOutput(path.join(folder, 'context.md'), 'text\n')
  expect(readFileSync(path.join(folder, 'context.md'), 'utf8')).toBe('text\n')
  expect(readdirSync(folder)).toEqual(['context.md'])
})

it('replaces a file and keeps its mode', () => {
  const file = path.join(folder, 'context.md')
  writeFileSync(file, 'old and longer')
  chmodSync(file, 0o600)
  writeOutput(file, 'new')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', 0o600])
})

it('replaces what a link points at, not the link', () => {
  writeFileSync(path.join(folder, 'real.md'), 'old')
  symlinkSync('real.md', path.join(folder, 'link.md'))
  writeOutput(path.join(folder, 'link.md'), 'new')
  expect(readFileSync(path.join(folder, 'real.md'), 'utf8')).toBe('new')
  expect(readlinkSync(path.join(folder, 'link.md'))).toBe('real.md')
})

it('refuses a folder and a missing folder', () => {
  mkdirSync(path.join(folder, 'sub'))
  expect(() => writeOutput(path.join(folder, 'sub'), 'x')).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT' }),
  )
  expect(() => writeOutput(path.join(folder, 'no', 'x.md'), 'x')).toThrow('its folder does not exist')
})

it('writes to a device without replacing it', () => {
  writeOutput('/dev/null', 'x')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})
