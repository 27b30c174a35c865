// Do the scripts that the build makes of chunks behave as the modules did, and is their compiled code cached?
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeScript } from '../tsdown.config.ts'

const root = path.join(import.meta.dirname, '..')

const chunk = `import whole, { one as first, two } from "./other.js";
import { basename } from "node:path";
function later(text) { return text + '!' }
var Kept = class { name() { return basename(import.meta.url) } };
const answer = async () => [later(whole + first + two), new Kept().name(), this === undefined, (await import("./other.js")).one];
export { answer as A, later };
`

function makePackage(ending = "'!'"): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-chunk-'))
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, 'dist', name), text)
  mkdirSync(path.join(folder, 'dist'))
  cpSync(path.join(root, 'bin'), path.join(folder, 'bin'), { recursive: true })
  cpSync(path.join(root, 'scripts', 'load-chunk.js'), path.join(folder, 'dist', 'load-chunk.js'))
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')
  const made = makeScript(chunk.replace("'!'", ending))
  write('part.cjs', made?.script ?? '')
  write('part.js', made?.module ?? '')
  write('other.js', 'export const one = "one", two = "two"; export default "whole";')
  write(
    'cli.js',
    'import { A } from "./part.js"; console.log(...await A()); process.exitCode = process.argv.includes("fail") ? 1 : 0; if (process.argv.includes("long")) process.cpuUsage = () => ({ user: 2e6, system: 0 })',
  )
  return folder
}

function run(folder: string, ...args: string[]): string {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(folder, 'bin', 'yore.js'), ...args], {
    encoding: 'utf8',
    env: { ...env, XDG_CACHE_HOME: path.join(folder, 'cache') },
  })
  return stdout + stderr
}

/** The cached functions, by the commands that ran them. */
function cached(folder: string): { readonly file: string; readonly commands: string }[] {
  const cache = path.join(folder, 'cache', 'yore', 'compiled')
  if (!existsSync(cache)) return []
  const names = readdirSync(cache, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => path.basename(name).startsWith('yore-'))
    .map((name) => {
      const bytes = readFileSync(path.join(cache, name))
      return {
        file: path.join(cache, name),
        commands: bytes.toString('latin1', 6, 6 + bytes.readUInt16LE(4)),
      }
    })
}

const output = 'wholeonetwo! part.js true one\n'

it('caches the functions of each command that succeeds, once', () => {
  const folder = makePackage()
  expect(run(folder, 'fail')).toBe(output)
  expect(cached(folder)).toEqual([])
  expect(run(folder, 'search')).toBe(output)
  expect(cached(folder)).toMatchObject([{ commands: 'search' }])
  expect(run(folder, 'search')).toBe(output)
  expect(run(folder, 'How is it cached?')).toBe(output)
  expect(cached(folder)).toMatchObject([{ commands: 'search ?' }])
})

it('keeps the functions of short commands after a long one', () => {
  const folder = makePackage()
  expect(run(folder, 'index', 'long')).toBe(output)
  expect(cached(folder)).toMatchObject([{ commands: '' }])
  run(folder, 'search')
  const [short] = cached(folder)
  expect(short?.commands).toBe('search')
  const before = readFileSync(short?.file ?? '')
  expect(run(folder, 'index', 'long')).toBe(output)
  expect(readFileSync(short?.file ?? '')).toEqual(before)
})

it('caches many chunks without a warning', () => {
  const folder = makePackage()
  const dist = (name: string): string => path.join(folder, 'dist', name)
  const numbers = Array.from({ length: 12 }, (_, number) => number)
  for (const number of numbers) {
    const made = makeScript(chunk.replace("'!'", `'${number}'`))
    writeFileSync(dist(`part${number}.cjs`), made?.script ?? '')
    writeFileSync(dist(`part${number}.js`), made?.module ?? '')
  }
  writeFileSync(dist('cli.js'), numbers.map((number) => `import "./part${number}.js";`).join('\n'))
  expect(run(folder, 'search')).toBe('')
  expect(cached(folder)).toHaveLength(numbers.length)
})

it('ignores a damaged cache and writes it again', () => {
  const folder = makePackage()
  run(folder, 'search')
  const [{ file } = { file: '' }] = cached(folder)
  const whole = readFileSync(file)
  for (const damaged of [
    whole.subarray(0, 300),
    Buffer.alloc(0),
    Buffer.from(whole).fill(255, whole.length - 40),
  ]) {
    writeFileSync(file, damaged)
    expect(run(folder, 'search')).toBe(output)
    expect(cached(folder)).toMatchObject([{ commands: 'search' }])
  }
})

describe.skipIf(process.platform === 'win32')('a cache that another user can write', () => {
  /** A package whose cache holds other functions than its chunk has. */
  const poisoned = (): { readonly folder: string; readonly cache: string } => {
    const [folder, other] = [makePackage(), makePackage("'?'")]
    for (const one of [folder, other]) run(one, 'search')
    const [{ file: from } = { file: '' }] = cached(other)
    const [{ file: to } = { file: '' }] = cached(folder)
    writeFileSync(to, readFileSync(from))
    return { folder, cache: path.join(folder, 'cache', 'yore', 'compiled') }
  }

  it('is emptied and closed where only its mode is open', () => {
    const { folder, cache } = poisoned()
    expect(run(folder, 'search')).toBe(output.replace('!', '?'))
    for (const mode of [0o777, 0o720]) {
      const again = poisoned()
      chmodSync(again.cache, mode)
      expect(run(again.folder, 'search')).toBe(output)
      expect(statSync(again.cache).mode & 0o777).toBe(0o700)
      expect(cached(again.folder)).toHaveLength(1)
    }
    expect(existsSync(cache)).toBe(true)
  })

  it.runIf(process.getuid?.() === 0)('is not read where it belongs to another user', () => {
    const { folder, cache } = poisoned()
    chownSync(cache, 65_534, 65_534)
    expect(run(folder, 'search')).toBe(output)
  })
})

it('removes the functions of builds that were not used for a month', () => {
  const folder = makePackage()
  run(folder, 'search')
  const [{ file } = { file: '' }] = cached(folder)
  const [old, other, recent] = ['yore-old', 'other', 'yore-recent'].map((name) =>
    path.join(path.dirname(file), name),
  )
  for (const name of [old, other, recent]) writeFileSync(name as string, 'x')
  const before = Date.now() / 1000 - 31 * 86_400
  for (const name of [old, other]) utimesSync(name as string, before, before)
  writeFileSync(file, '')
  run(folder, 'search')
  expect([file, old, other, recent].map((name) => existsSync(name as string))).toEqual([
    true,
    false,
    true,
    true,
  ])
})

it('leaves a chunk alone whose bindings change, that waits while it loads or computes what it imports', () => {
  expect(makeScript('let count = 0;\nexport { count };\n')).toBeNull()
  expect(makeScript('const one = 1;\nawait one;\nexport { one };\n')).toBeNull()
  expect(makeScript('const open = (name) => import(name);\nexport { open };\n')).toBeNull()
  expect(makeScript('export * from "./other.js";\nexport { one };\n')).toBeNull()
})
