// Is the signature all that a reader needs of a definition, and no more?
import { expect, test } from 'vitest'
import { findWord } from '../../read/parse/code/code-names.ts'
import { cutAtBody, findSignature } from './find-signature.ts'

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

test.each([
  ['python', 'def total(net: int = 1) -> int: return net', 'def total(net: int = 1) -> int'],
  ['ruby', 'def self.freeze!\n  @frozen = true', 'def self.freeze!'],
  ['ruby', 'def log(text) = puts(text)', 'def log(text)'],
  ['ruby', 'def ==(other)\n  true', 'def ==(other)'],
  ['ruby', 'def put(a,\n        b)\n  a', 'def put(a,\n        b)'],
  ['kotlin', 'fun log(text: String = "a") = true\n}', 'fun log(text: String = "a")'],
  ['kotlin', 'class A(val x: Int) :\n  B() {', 'class A(val x: Int) :\n  B()'],
  ['go', 'func f(x interface{}) interface{} {', 'func f(x interface{}) interface{}'],
  ['go', 'type Box struct {', 'type Box struct'],
  ['rust', 'pub fn len(&self) -> usize { self.n }', 'pub fn len(&self) -> usize'],
  ['java', 'public void put(String text) {} }', 'public void put(String text)'],
  ['c', 'void clear(struct box *b) { b->n = 0; }', 'void clear(struct box *b)'],
  ['cpp', 'int size() const { return size_; }', 'int size() const'],
  ['csharp', 'void Check(Parcel p) => Log(p);', 'void Check(Parcel p)'],
  ['php', 'function put($a): void {}', 'function put($a): void'],
  ['bash', 'die () { exit 1; }', 'die ()'],
  ['html', '<script>\n start()', '<script>'],
  ['javascript', 'const once = (call) => retry(call, 1)', 'const once = (call) =>'],
  ['typescript', 'function f(a: { x: 1 }): { y: 2 } { return a }', 'function f(a: { x: 1 }): { y: 2 }'],
  ['typescript', 'export type Take = (job: Job) => void', 'export type Take = (job: Job) => void'],
])('cuts a signature of %s where its body begins: %j', (language, written, shown) => {
  expect(cutAtBody(written, language)).toBe(shown)
})

test('finds no empty name in a line', () => {
  expect(findWord('How do I deploy?', '')).toBe(-1)
  expect(findWord('', '')).toBe(-1)
})
