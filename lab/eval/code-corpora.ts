// Which code is measured on? The Python standard library of the machine, and packages of npm that ship their sources.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defaultSettings } from '../../src/model/config/settings.ts'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { languageOf } from '../../src/read/source/language-of.ts'

export interface CodeCorpus {
  readonly name: string
  /** The files, copied; null when this machine does not have them. */
  readonly root: string | null
}

/** Not part of the library itself: what was installed beside it, and its own tests. */
const leftOut =
  /(?:^|\/)(?:site-packages|dist-packages|test|tests|idle_test|__pycache__|node_modules|dist|lib2to3\/tests)(?:\/|$)/

const packages: readonly { name: string; folders: readonly string[] }[] = [
  { name: 'ajv', folders: ['lib'] },
  { name: 'zod', folders: ['src'] },
  { name: 'ai', folders: ['src'] },
  { name: 'commander', folders: ['lib', 'index.js'] },
]

export const codeCorpusNames: readonly string[] = ['python', ...packages.map(({ name }) => name)]

function pythonLibrary(): string | null {
  try {
    const found = execFileSync('python3', ['-c', 'import os; print(os.path.dirname(os.__file__))'], {
      encoding: 'utf8',
    })
    return found.trim()
  } catch {
    return null
  }
}

function copyCode(from: string, to: string, into = ''): void {
  for (const name of readdirSync(from)) {
    const below = into === '' ? name : `${into}/${name}`
    const source = path.join(from, name)
    if (leftOut.test(below)) continue
    const stat = statSync(source, { throwIfNoEntry: false })
    if (stat?.isDirectory() === true) copyCode(source, to, below)
    else if (stat?.isFile() === true && languageOf(name) !== null && !name.endsWith('.txt')) {
      mkdirSync(path.dirname(path.join(to, below)), { recursive: true })
      cpSync(source, path.join(to, below), { preserveTimestamps: true })
    }
  }
}

/** Copies the files of a corpus once; the folder is kept between runs. */
export function prepareCode(name: string): CodeCorpus {
  const to = path.join(tmpdir(), 'yore-eval-code', name)
  if (existsSync(to)) return { name, root: to }
  if (name === 'python') {
    const library = pythonLibrary()
    if (library === null) return { name, root: null }
    copyCode(library, to)
    return { name, root: to }
  }
  const found = packages.find((one) => one.name === name)
  const home = path.join(import.meta.dirname, '../..', 'node_modules', name)
  if (found === undefined || !existsSync(home)) return { name, root: null }
  mkdirSync(to, { recursive: true })
  cpSync(path.join(home, 'package.json'), path.join(to, 'package.json'))
  for (const folder of found.folders) {
    const source = path.join(home, folder)
    if (statSync(source).isFile()) cpSync(source, path.join(to, folder))
    else {
      const draft = path.join(to, folder)
      mkdirSync(draft, { recursive: true })
      copyCode(source, draft)
    }
  }
  return { name, root: to }
}

/** An engine over the folder, indexed anew: by words alone, or with the model that a user has. */
export async function openIndexed(
  root: string,
  embedder: 'builtin' | 'none' = 'none',
): Promise<Engine & { readonly indexDir: string }> {
  const indexDir = path.join(root, '.yore')
  rmSync(indexDir, { recursive: true, force: true })
  const settings = { ...defaultSettings, embedder, refresh: 'never' as const }
  const engine = openEngine({ root, indexDir, settings, now: Date.UTC(2026, 0, 1) })
  await engine.index()
  return Object.assign(engine, { indexDir })
}
