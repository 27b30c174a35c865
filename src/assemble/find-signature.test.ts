// Is the signature all that a reader needs of a definition, and no more?
import { expect, test } from 'vitest'
import { findSignature } from './find-signature.ts'

const signature = (text: string, name: string): string | undefined => findSignature(text, name, 1)?.text

test('takes one line where one is enough', () => {
  expect(signature('@cached\ndef total(net):\n    return net\n', 'total')).toBe('def total(net):')
})

test('goes on until the brackets of its parameters are closed', () => {
  const text = 'export function smooth({\n  delay = 10,\n  chunking,\n}: Options): Stream {\n  return x\n}\n'
  expect(signature(text, 'smooth')).toBe(
    'export function smooth({\n  delay = 10,\n  chunking,\n}: Options): Stream {',
  )
})

test('does not take a comment that names it', () => {
  expect(signature('// Server starts\nclass Server extends Base {\n', 'Server')).toBe(
    'class Server extends Base {',
  )
})

test('says on which lines it stands, and finds nothing where nothing is', () => {
  expect(findSignature('# x\ndef f():\n  pass\n', 'f', 10)?.lines).toEqual({ start: 11, end: 11 })
  expect(findSignature('x = 1\n', 'f', 1)).toBeNull()
})
