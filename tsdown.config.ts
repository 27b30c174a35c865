// How does the source become the package? Few chunks on the way to an answer, lazy ones for everything else.
import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'

/** What the command line needs before it can do anything: bundled, because finding its files takes longer than reading them. */
export const bundled: readonly string[] = ['commander', 'picocolors']

/** All that the hook of a search needs. */
const asking =
  /src\/(?:model\/(?:errors|version|package-path)|model\/config\/(?:state-folder|find-root|path-below))\.ts$/

/** What every command needs before it opens a corpus. */
const starting =
  /src\/(?:model\/(?:errors|version|package-path)|model\/config\/(?!parse-loose-json)|offer\/operations\/|offer\/cli\/(?:format|command|options|terminal|name-place|progress)\.ts)/

/** The doors to an answer. With everything that they import statically they make one chunk. */
const answering =
  /src\/(?:offer\/cli\/commands\/assemble|offer\/engine\/open-engine|answer\/answering\/(?:assemble-context|search-corpus)|corpus\/(?:indexing\/refresh-index|embed\/open-embedder))\.ts$/

const builtinImport = /^import (?:([\w$]+)(?:, )?)?(?:\{ ([^}\n]+) \})? from ["'](node:[\w/]+)["'];$/gm

/** Modules that take 1.5 to 4 ms of processor time to load. Only functions are imported from them: they load at the first call. */
const costly = new Set(['node:child_process', 'node:crypto', 'node:net', 'node:zlib'])

/**
 * An import of a built-in module makes Node touch every one of its exports, which loads much that nobody asked for
 * (6 ms for node:fs alone). Taking the module itself does not. An import that is not recognised here only stays slower.
 */
function takeBuiltinsDirectly(code: string): string {
  return code.replace(builtinImport, (statement, whole?: string, names?: string, name?: string) => {
    const module = `process.getBuiltinModule('${name}')`
    const parts: string[] = []
    const lazily = `new Proxy({}, { get: (_, key) => ${module}[key] })`
    if (whole !== undefined) parts.push(`${whole} = ${costly.has(name as string) ? lazily : module}`)
    if (names !== undefined && costly.has(name as string) && !/\b(?:[A-Z]|constants|webcrypto)/.test(names))
      for (const [from, to = from] of names.split(', ').map((one) => one.split(' as ')))
        parts.push(`${to} = (...given) => ${module}.${from}(...given)`)
    else if (names !== undefined) parts.push(`{ ${names.replaceAll(' as ', ': ')} } = ${module}`)
    return parts.length === 0 ? statement : `const ${parts.join(', ')};`
  })
}

/** Bytes; compiling the functions of a smaller chunk takes no longer than reading two more files. */
const LEAST_SCRIPT = 10_000

/** A chunk as a script and the module that loads it (scripts/load-chunk.js), or null for one with other statements than these. */
export function makeScript(code: string): { readonly script: string; readonly module: string } | null {
  const imports: string[] = []
  const body = code
    .replace(
      /^import (?:([\w$]+)(?:, )?)?(?:\{ ([^}\n]+) \})? from ("[^"\n]+");$/gm,
      (_, whole: string | undefined, names: string | undefined, from: string) => {
        const taken = [
          whole === undefined ? [] : [`default: ${whole}`],
          names?.replaceAll(' as ', ': ') ?? [],
        ].flat()
        return `const { ${taken.join(', ')} } = $${imports.push(from) - 1};`
      },
    )
    .replaceAll(/\bimport\((?=")/g, '$import(')
    .replaceAll(/\bimport\.meta\b/g, '$meta')
  const [last, list] = /^export \{ ([^}\n]+) \};$/m.exec(body) ?? []
  if (last === undefined || list === undefined) return null
  const names = list.split(', ').map((one) => one.split(' as '))
  const returned = names.map(([from, to = from]) => `${to}: ${from}`).join(', ')
  const inside = body.replace(last, () => `return { ${returned} };`)
  // A binding that changes after the chunk has run, top-level await, a computed import, or a statement that is not recognised.
  const changing = names.some(([from = '']) =>
    new RegExp(`^let ${from.replaceAll('$', '\\$')}\\b`, 'm').test(inside),
  )
  if (changing || /^(?:import|export|await)\b|(?<![\w$])import\(/m.test(inside)) return null
  const given = [...imports.map((_, at) => `$${at}`), '$import', '$meta'].join(', ')
  const script = `(function (${given}) { "use strict";${inside}\n})`
  const hash = createHash('sha256').update(script).digest('hex').slice(0, 16)
  const module = [
    ...imports.map((from, at) => `import * as $${at} from ${from};`),
    'import { loadChunk } from "./load-chunk.js";',
    'const $import = (path) => import(path), $meta = import.meta;',
    `const { ${names.map(([from, to = from]) => `${to}: _${to}`).join(', ')} } = loadChunk($meta.url, "${hash}")(${given});`,
    `export { ${names.map(([from, to = from]) => `_${to} as ${to}`).join(', ')} };\n`,
  ].join('\n')
  return { script, module }
}

/** A chunk that only passes on parts of another one is a file more to load: its users import from the other one. */
function skipFacades(folder: string, chunks: readonly string[]): void {
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
  const facades = new Map<string, string>()
  for (const name of chunks) {
    const [, list = '', from] = /^export \{ ([^}\n]+) \} from ("[^"\n]+");\s*$/.exec(read(name)) ?? []
    const parts = list.split(', ').map((one) => one.split(' as '))
    const taken = parts.map(([part, as = part]) => `${as}: all.${part}`).join(', ')
    if (from !== undefined) facades.set(`"./${name}"`, `import(${from}).then((all) => ({ ${taken} }))`)
  }
  for (const name of chunks) {
    const code = read(name)
    const direct = code.replace(/\bimport\(("[^"\n]+")\)/g, (loads, from) => facades.get(from) ?? loads)
    if (direct !== code) writeFileSync(path.join(folder, name), direct)
  }
}

function writeScripts(folder: string, chunks: readonly string[]): void {
  copyFileSync(path.join(import.meta.dirname, 'scripts/load-chunk.js'), path.join(folder, 'load-chunk.js'))
  for (const name of chunks) {
    const file = path.join(folder, name)
    const code = readFileSync(file, 'utf8')
    const made = code.length < LEAST_SCRIPT ? null : makeScript(code)
    if (made === null) continue
    writeFileSync(file.replace(/js$/, 'cjs'), made.script)
    writeFileSync(file, made.module)
  }
}

const shared: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  outDir: 'dist',
  // The types keep theirs: programs read a third more with them.
  outputOptions: { comments: { legal: true, annotation: true, jsdoc: false } },
}

const program: UserConfig = {
  ...shared,
  entry: {
    index: 'src/index.ts',
    cli: 'src/offer/cli/main.ts',
    // Loaded by its address beside the chunk of src/corpus/indexing/parse-pool.ts: every chunk lies flat in dist/.
    'parse-worker': 'src/corpus/indexing/parse-worker.ts',
    // Likewise beside that of src/read/extract/extract-text.ts.
    'extract-worker': 'src/read/extract/extract-worker.ts',
    // Likewise beside that of src/offer/engine/start-indexing.ts.
    'index-later': 'src/offer/engine/index-later.ts',
    // What the package yore-server uses of this one.
    server: 'server/src/yore.ts',
  },
  dts: false,
  clean: true,
  deps: { alwaysBundle: [...bundled], onlyBundle: [...bundled] },
  plugins: [
    {
      name: 'take-builtins-directly',
      renderChunk: (code) => ({ code: takeBuiltinsDirectly(code), map: null }),
    },
    {
      name: 'write-scripts',
      writeBundle({ dir = 'dist' }, bundle) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        skipFacades(
          dir,
          chunks.map((one) => one.fileName),
        )
        const scripts = chunks.filter((one) => !one.isEntry && one.name !== 'asking')
        writeScripts(
          dir,
          scripts.map((one) => one.fileName),
        )
      },
    },
  ],
  outputOptions: {
    ...shared.outputOptions,
    codeSplitting: {
      groups: [
        { name: 'asking', test: asking, priority: 3 },
        { name: 'starting', test: starting, priority: 2 },
        { name: 'answering', test: answering, priority: 1 },
      ],
    },
  },
}

// Types apart: the chunk group would pull them into the program.
const types: UserConfig = {
  ...shared,
  entry: { index: 'src/index.ts' },
  dts: { emitDtsOnly: true },
  clean: false,
}

/** What a browser loads from the explorer, beside the chunk of src/offer/ui/serve-ui.ts. */
const island: UserConfig = {
  ...shared,
  entry: { 'ui-island': 'src/offer/ui/ui-island.js' },
  platform: 'browser',
  target: 'es2022',
  dts: false,
  minify: true,
  clean: false,
}

export default defineConfig([program, types, island])
