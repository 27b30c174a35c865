// How does a kernel's text become WebAssembly? An assembler for the flat subset that our kernels use, nothing more.
//
// One module, one imported memory, exported functions without results, instructions one after another. It knows
// the instructions in the tables below and refuses the rest.

type Node = string | readonly Node[]

const valueTypes: Readonly<Record<string, number>> = { i32: 0x7f, f32: 0x7d, v128: 0x7b }

/** Instructions without an operand. */
const plain: Readonly<Record<string, readonly number[]>> = {
  end: [0x0b],
  'i32.lt_u': [0x49],
  'i32.add': [0x6a],
  'i8x16.shl': simd(0x6b),
  'i8x16.shr_s': simd(0x6c),
  'i16x8.extend_low_i8x16_s': simd(0x87),
  'i16x8.extend_high_i8x16_s': simd(0x88),
  'i32x4.extend_low_i16x8_s': simd(0xa7),
  'i32x4.extend_high_i16x8_s': simd(0xa8),
  'i32x4.add': simd(0xae),
  'i32x4.dot_i16x8_s': simd(0xba),
  'f32x4.splat': simd(0x13),
  'f32x4.convert_i32x4_s': simd(0xfa),
  'f32x4.sqrt': simd(0xe3),
  'f32x4.add': simd(0xe4),
  'f32x4.sub': simd(0xe5),
  'f32x4.mul': simd(0xe6),
  'f32x4.div': simd(0xe7),
}

/** Instructions that take an address; the second number is the alignment as a power of two. */
const memory: Readonly<Record<string, readonly [code: readonly number[], align: number]>> = {
  'i32.store': [[0x36], 2],
  'v128.load': [simd(0x00), 4],
  'v128.store': [simd(0x0b), 4],
}

const locals: Readonly<Record<string, number>> = { 'local.get': 0x20, 'local.set': 0x21, 'local.tee': 0x22 }

/** Gives the bytes of the module that the text describes. */
export function assembleWat(text: string): Uint8Array {
  const [module, ...rest] = readNodes(text)
  if (!Array.isArray(module) || module[0] !== 'module' || rest.length > 0)
    throw new Error('expected one module')
  const parts = module.slice(1) as Node[][]
  const imports = parts.filter((part) => part[0] === 'import')
  const functions = parts.filter((part) => part[0] === 'func').map(readFunction)
  if (imports.length + functions.length !== parts.length)
    throw new Error('expected imports and functions only')
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(
      1,
      functions.map(({ params }) => [0x60, ...vector(params.map((type) => [type])), 0]),
    ),
    ...section(2, imports.map(importMemory)),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(
      7,
      functions.map(({ name }, index) => [...string(name), 0x00, ...unsigned(index)]),
    ),
    ...section(
      10,
      functions.map(({ body }) => [...unsigned(body.length), ...body]),
    ),
  ])
}

interface Func {
  readonly name: string
  readonly params: readonly number[]
  readonly body: readonly number[]
}

function readFunction(part: readonly Node[]): Func {
  const declared = part.filter((node): node is string[] => Array.isArray(node))
  const fields = (kind: string): string[][] => declared.filter((node) => node[0] === kind)
  const typeOf = ([, name = '', type = '']: readonly string[]): number => {
    const code = valueTypes[type]
    if (code === undefined) throw new Error(`no type ${type} for ${name}`)
    return code
  }
  const names = [...fields('param'), ...fields('local')].map(([, name = '']) => name)
  const own = fields('local').map((node) => [1, typeOf(node)])
  const instructions = part.slice(1).filter((node): node is string => typeof node === 'string')
  return {
    name: fields('export')[0]?.[1] ?? '',
    params: fields('param').map(typeOf),
    body: [...vector(own), ...encodeInstructions(instructions, names), 0x0b],
  }
}

function encodeInstructions(words: readonly string[], names: readonly string[]): number[] {
  const code: number[] = []
  const labels: string[] = []
  let at = 0
  const next = (): string => words[at++] ?? ''
  while (at < words.length) {
    const word = next()
    const local = locals[word]
    const access = memory[word]
    if (local !== undefined) code.push(local, ...unsigned(indexIn(names, next())))
    else if (access !== undefined) {
      const offset = words[at]?.startsWith('offset=') ? Number(next().slice('offset='.length)) : 0
      code.push(...access[0], access[1], ...unsigned(offset))
    } else if (word === 'i32.const') code.push(0x41, ...signed(Number(next())))
    else if (word === 'loop') {
      labels.push(next())
      code.push(0x03, 0x40)
    } else if (word === 'br_if') {
      code.push(0x0d, ...unsigned(labels.length - 1 - indexIn(labels, next())))
    } else if (word === 'i32x4.extract_lane') code.push(...simd(0x1b), Number(next()))
    else if (word === 'i8x16.shuffle') {
      code.push(...simd(0x0d), ...Array.from({ length: 16 }, () => Number(next())))
    } else if (word === 'v128.const') {
      if (next() !== 'i32x4') throw new Error('v128.const takes i32x4')
      const lanes = new Uint8Array(Int32Array.from({ length: 4 }, () => Number(next())).buffer)
      code.push(...simd(0x0c), ...lanes)
    } else {
      const bytes = plain[word]
      if (bytes === undefined) throw new Error(`no instruction ${word}`)
      if (word === 'end') labels.pop()
      code.push(...bytes)
    }
  }
  return code
}

/** `(import "a" "b" (memory 1))` */
function importMemory([, module, name, limits]: readonly Node[]): number[] {
  const pages = Array.isArray(limits) && limits[0] === 'memory' ? Number(limits[1]) : Number.NaN
  if (Number.isNaN(pages)) throw new Error('expected the import of a memory')
  return [...string(String(module)), ...string(String(name)), 0x02, 0x00, ...unsigned(pages)]
}

function indexIn(names: readonly string[], name: string): number {
  const index = names.lastIndexOf(name)
  if (index < 0) throw new Error(`no name ${name}`)
  return index
}

/** Parentheses to nested lists, words and quoted strings to strings. */
function readNodes(text: string): Node[] {
  const open: Node[][] = [[]]
  for (const [token] of text.replaceAll(/;;[^\n]*/g, '').matchAll(/[()]|"[^"]*"|[^\s()"]+/g)) {
    if (token === '(') open.push([])
    else if (token === ')') {
      const closed = open.pop() ?? []
      const parent = open.at(-1)
      if (parent === undefined) throw new Error('a parenthesis closes nothing')
      parent.push(closed)
    } else open.at(-1)?.push(token.startsWith('"') ? token.slice(1, -1) : token)
  }
  if (open.length !== 1) throw new Error('a parenthesis is not closed')
  return open[0] ?? []
}

function simd(code: number): number[] {
  return [0xfd, ...unsigned(code)]
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const bytes = vector(items)
  return [id, ...unsigned(bytes.length), ...bytes]
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()]
}

function string(text: string): number[] {
  return vector([...new TextEncoder().encode(text)].map((byte) => [byte]))
}

/** LEB128 */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** LEB128 with a sign */
function signed(value: number): number[] {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
