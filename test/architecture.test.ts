// Does every file lie where the design says, and import only what it may? Each rule lists what breaks it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

/** Imports point left only. A folder that does not exist yet keeps its place. */
const order = (
  'model config tokens source extract parse assets resolve graph embed store retrieve expand ' +
  'assemble converse indexing exchange exploring answering evaluation engine service surfaces'
).split(' ')
const pure = new Set(['model', 'tokens', 'parse', 'resolve', 'graph', 'expand', 'assemble'])
/** What is left of these is none of a surface's business; of the rooms it sees what the engine hands out. */
const underSurfaces = new Set([
  ...['assets', 'indexing', 'exchange', 'exploring', 'answering', 'evaluation', 'engine', 'service'],
  ...['model', 'config', 'errors', 'version', 'surfaces'],
])
/** Files beside the folders that every folder may use. */
const rootFiles = new Set(['errors', 'version'])
const publicApi = 'index.ts'
const longFile = 400

/** The rooms of server/src; only `yore.ts` beside them looks into src/, at the public API, the operations and the question pool. */
const serverOrder = ['control', 'versions', 'ingest', 'http']
const serverRootFiles = new Set(['yore', 'errors', 'service-calls', 'tracing'])
const serverDoor = 'yore.ts'
/** The public API, what serves many questions, and how a repository is fetched, which both do alike. */
const behindTheDoor =
  /^\.\.\/\.\.\/src\/(?:index|errors|(?:service|surfaces)\/[\w-]+|source\/(?:fetch-repository|public-address))\.ts$/

/** Paths below src/ with their text. */
type Tree = ReadonlyMap<string, string>

interface Import {
  readonly from: string
  /** As written. */
  readonly specifier: string
  /** Path below src/, or null for packages and built-in modules. */
  readonly target: string | null
  readonly typesOnly: boolean
  readonly reExport: boolean
}

function readTree(folder: string): Tree {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const files = names.filter((name) => name.endsWith('.ts')).sort()
  return new Map(files.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

const statement = /^(import|export)\s+(type\s+)?([\w$*{][^'"`;=()]*?)\s*from\s*['"]([^'"\n]+)['"]/gm
const sideEffect = /^import\s*['"]([^'"\n]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g

/** `{ type A, type B }` brings types only, as `import type` does. */
function namesTypesOnly(clause: string): boolean {
  const names = /^\{([^}]*)\}$/.exec(clause.trim())?.[1]?.split(',') ?? []
  const given = names.map((name) => name.trim()).filter((name) => name !== '')
  return given.length > 0 && given.every((name) => name.startsWith('type '))
}

function importsOf(from: string, text: string): Import[] {
  const found: Import[] = []
  const add = (specifier: string, typesOnly: boolean, reExport: boolean): void => {
    const target = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : null
    found.push({ from, specifier, target, typesOnly, reExport })
  }
  for (const [, verb, type, clause = '', specifier = ''] of text.matchAll(statement))
    add(specifier, type !== undefined || namesTypesOnly(clause), verb === 'export')
  for (const [, specifier = ''] of text.matchAll(sideEffect)) add(specifier, false, false)
  for (const [whole, specifier = ''] of text.matchAll(dynamic)) {
    // `typeof import('./x.ts')` asks for a type, and nothing is loaded.
    const typesOnly = text.includes(`typeof ${whole}`)
    add(specifier, typesOnly, false)
  }
  return found
}

/** The folder of a path below src/; for a file beside the folders its name. */
function areaOf(file: string): string {
  const [first = '', ...rest] = file.split('/')
  return rest.length === 0 ? first.replace(/\.ts$/, '') : first
}

const isTest = (file: string): boolean => /\.(?:test|fixture)\.ts$/.test(file)

type Rule = (tree: Tree) => string[]

/** A rule over every import of every file, tests included. Gives what is wrong with the import, or null. */
function overImports(judge: (found: Import, tree: Tree) => string | null): Rule {
  return (tree) =>
    [...tree].flatMap(([file, text]) =>
      importsOf(file, text).flatMap((found) => {
        const fault = judge(found, tree)
        return fault === null ? [] : [`${file} imports ${found.specifier}: ${fault}`]
      }),
    )
}

const knownFolders: Rule = (tree) =>
  [...new Set([...tree.keys()].filter((file) => file.includes('/')).map(areaOf))]
    .filter((area) => !order.includes(area))
    .map((area) => `src/${area} has no place in the order`)

const existingTargets = overImports(({ from, target }, tree) => {
  if (target === null || tree.has(target)) return null
  // Tests may use scripts/, eval/ and what lies beside them.
  return isTest(from) && target.startsWith('../') ? null : 'no such file below src/'
})

const leftOnly = overImports(({ from, target }) => {
  if (target === null || target.startsWith('../') || from === publicApi) return null
  if (target === publicApi) return 'the public API is for programs outside'
  const [here, there] = [areaOf(from), areaOf(target)]
  if (rootFiles.has(there)) return null
  if (rootFiles.has(here)) return 'files beside the folders import none of them'
  return order.indexOf(there) <= order.indexOf(here) ? null : `${there} is right of ${here}`
})

const pureFolders = overImports(({ from, specifier, target, typesOnly }) => {
  if (isTest(from) || typesOnly || !pure.has(areaOf(from))) return null
  if (specifier.startsWith('node:')) return specifier === 'node:path' ? null : 'the folder is pure'
  if (target === null || rootFiles.has(areaOf(target)) || pure.has(areaOf(target))) return null
  return `the folder is pure and takes only types from ${areaOf(target)}, which is not`
})

const thinSurfaces = overImports(({ from, target }) => {
  if (target === null || areaOf(from) !== 'surfaces') return null
  if (!underSurfaces.has(areaOf(target))) return 'surfaces know the engine and nothing below it'
  const [, here = '', inside] = from.split('/')
  const [area, there = '', insideToo] = target.split('/')
  const strangers = area === 'surfaces' && inside !== undefined && insideToo !== undefined && here !== there
  return strangers ? 'surfaces do not know each other' : null
})

const noBarrels = overImports(({ from, reExport }) =>
  reExport && from !== publicApi ? 'only src/index.ts passes on what others export' : null,
)

const noTestsInProduct = overImports(({ from, target }) =>
  target !== null && isTest(target) && !isTest(from) ? 'it is there for tests' : null,
)

const opensWithQuestion: Rule = (tree) =>
  [...tree]
    .filter(([file, text]) => !file.endsWith('.test.ts') && !/^\/\/ [^\n]*\?/.test(text))
    .map(([file]) => `${file} does not open with the question that it answers`)

const longFilesSayWhy: Rule = (tree) =>
  [...tree].flatMap(([file, text]) => {
    const lines = text.split('\n').length - 1
    const opening = /^(?:\/\/[^\n]*\n)+/.exec(text)?.[0] ?? ''
    return lines <= longFile || opening.includes('Long because')
      ? []
      : [`${file} has ${lines} lines and does not say "Long because …" at its top`]
  })

/** Files that need each other are read, tested and changed as one: then they are one file. Types count. */
const noCircles: Rule = (tree) => {
  const targets = new Map(
    [...tree].map(([file, text]) => [
      file,
      importsOf(file, text).flatMap(({ target }) => (target !== null && tree.has(target) ? [target] : [])),
    ]),
  )
  const circles: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const follow = (file: string): void => {
    const known = way.indexOf(file)
    if (known >= 0) circles.push([...way.slice(known), file].join(' → '))
    if (known >= 0 || done.has(file)) return
    way.push(file)
    for (const target of targets.get(file) ?? []) follow(target)
    way.pop()
    done.add(file)
  }
  for (const file of targets.keys()) follow(file)
  return circles
}

/** An exported type has its name alone: no other file declares one of that name, exported or not. */
const ownNames: Rule = (tree) => {
  const declared = [...tree].flatMap(([file, text]) =>
    isTest(file)
      ? []
      : [...text.matchAll(/^(export )?(?:interface|type|class) (\w+)/gm)].map(([, exported, name = '']) => ({
          file,
          name,
          exported: exported !== undefined,
        })),
  )
  return [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, ones]) => ones.length > 1 && ones.some(({ exported }) => exported))
    .map(([name, ones]) => `${name} is declared in ${ones.map(({ file }) => file).join(' and ')}`)
}

/** Who may look at the clock, the environment or chance, and what for. */
const outside: Readonly<Record<string, string>> = {
  'engine/open-engine.ts': 'the door: what a program does not give is taken from the process here',
  'store/open-database.ts': 'tools that open a file without an engine use the state folder of their process',
  'store/writer-lock.ts': 'the times of lock files are those of the real clock',
  'source/run-git.ts': 'git is run with the environment of the process',
  'source/make-test-tree.ts': 'it is there for tests',
}

const nothingHidden: Rule = (tree) =>
  [...tree].flatMap(([file, text]) => {
    if (isTest(file) || areaOf(file) === 'surfaces' || Object.hasOwn(outside, file)) return []
    const code = text.replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, '')
    const found = /\bDate\.now\b|\bMath\.random\b|\bprocess\.env\b|\bnew Date\(\)/.exec(code)
    return found === null ? [] : [`${file} reads ${found[0]}: it is given at the door`]
  })

const rules = {
  'every folder has its place in the order': knownFolders,
  'every relative import names a file': existingTargets,
  'imports point left only': leftOnly,
  'no files import each other in a circle': noCircles,
  'an exported type has a name of its own': ownNames,
  'pure folders neither load node: modules nor what does': pureFolders,
  'surfaces stand on the engine only and do not know each other': thinSurfaces,
  'nothing but src/index.ts passes exports on': noBarrels,
  'the product does not use what tests are made of': noTestsInProduct,
  'every file opens with the question that it answers': opensWithQuestion,
  'a long file says why it is long': longFilesSayWhy,
  'clock, environment and chance enter at the door': nothingHidden,
} satisfies Record<string, Rule>

const serverFolders: Rule = (tree) =>
  [...new Set([...tree.keys()].filter((file) => file.includes('/')).map(areaOf))]
    .filter((area) => !serverOrder.includes(area))
    .map((area) => `server/src/${area} has no place in the order`)

const serverTargets = overImports(({ from, target, specifier }, tree) => {
  if (target === null || tree.has(target)) return null
  if (from === serverDoor && behindTheDoor.test(specifier)) return null
  return isTest(from) && target.startsWith('../test/')
    ? null
    : 'not below server/src, and not through yore.ts'
})

const serverLeftOnly = overImports(({ from, target }) => {
  if (target === null || target.startsWith('../') || !from.includes('/') || isTest(from)) return null
  const [here, there] = [areaOf(from), areaOf(target)]
  if (serverRootFiles.has(there)) return null
  if (!target.includes('/')) return 'only yore.ts and errors.ts beside the folders are for them'
  return serverOrder.indexOf(there) <= serverOrder.indexOf(here) ? null : `${there} is right of ${here}`
})

const serverBarrels = overImports(({ from, reExport }) =>
  reExport && from !== serverDoor ? 'only yore.ts passes on what others export' : null,
)

const serverRules = {
  'every folder has its place in the order': serverFolders,
  'every relative import names a file, and yore is reached through one door': serverTargets,
  'imports point left only': serverLeftOnly,
  'no files import each other in a circle': noCircles,
  'nothing but yore.ts passes exports on': serverBarrels,
  'the product does not use what tests are made of': noTestsInProduct,
  'every file opens with the question that it answers': opensWithQuestion,
  'a long file says why it is long': longFilesSayWhy,
} satisfies Record<string, Rule>

describe('server/src', () => {
  const tree = readTree(path.join(import.meta.dirname, '..', 'server', 'src'))
  it.each(Object.entries(serverRules))('%s', (_, rule) => {
    expect(tree.size).toBeGreaterThan(1)
    expect(rule(tree)).toEqual([])
  })

  it.each([
    ['every folder has its place in the order', { 'utils/x.ts': '' }, 'has no place in the order'],
    [
      'every relative import names a file, and yore is reached through one door',
      { 'http/a.ts': `import { x } from '../../../src/engine/engine.ts'` },
      'not through yore.ts',
    ],
    [
      'imports point left only',
      { 'control/a.ts': `import { x } from '../http/b.ts'`, 'http/b.ts': '' },
      'http is right of control',
    ],
  ] as const)('%s: what breaks it is found', (name, files, fault) => {
    const found = serverRules[name](new Map(Object.entries(files)))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(fault)
  })
})

const source = readTree(path.join(import.meta.dirname, '..', 'src'))

describe('src', () => {
  it.each(Object.entries(rules))('%s', (_, rule) => {
    expect(rule(source)).toEqual([])
  })

  it('was read whole: the walk found files, and every written import was recognised', () => {
    expect(source.size).toBeGreaterThan(50)
    const unread = [...source].flatMap(([file, text]) => {
      const written = [...text.matchAll(/^(?:import\b(?!\()|export (?:type )?[{*])/gm)].length
      const read = importsOf(file, text.replaceAll(dynamic, '')).length
      return written === read ? [] : [`${file}: ${written} written, ${read} recognised`]
    })
    expect(unread).toEqual([])
  })
})

/** A tiny tree for each rule in which one import or file is wrong, and what the rule says of it. */
const wrong: Record<keyof typeof rules, readonly [files: Record<string, string>, fault: string]> = {
  'every folder has its place in the order': [{ 'utils/x.ts': '' }, 'src/utils has no place in the order'],
  'every relative import names a file': [
    { 'model/a.ts': `import type { B } from './b.ts'` },
    'model/a.ts imports ./b.ts: no such file below src/',
  ],
  'imports point left only': [
    {
      'model/a.ts': '',
      'store/s.ts': `import {\n  type A,\n} from '../surfaces/cli/main.ts'\nimport { a } from '../model/a.ts'`,
      'surfaces/cli/main.ts': '',
    },
    'store/s.ts imports ../surfaces/cli/main.ts: surfaces is right of store',
  ],
  'no files import each other in a circle': [
    {
      'model/a.ts': `import type { B } from './b.ts'`,
      'model/b.ts': `const c = await import('./c.ts')`,
      'model/c.ts': `import { a } from './a.ts'`,
    },
    'model/a.ts → model/b.ts → model/c.ts → model/a.ts',
  ],
  'an exported type has a name of its own': [
    {
      'model/a.ts': 'export interface Plan {\n}\ninterface Step {\n}',
      'store/b.ts': 'type Plan = string\ninterface Step {\n}',
    },
    'Plan is declared in model/a.ts and store/b.ts',
  ],
  'pure folders neither load node: modules nor what does': [
    {
      'parse/p.ts': `import path from 'node:path'\nimport { readFileSync } from 'node:fs'`,
      'parse/p.test.ts': `import { readFileSync } from 'node:fs'`,
    },
    'parse/p.ts imports node:fs: the folder is pure',
  ],
  'surfaces stand on the engine only and do not know each other': [
    {
      'surfaces/cli/run.ts': `const x = await import('../http/serve.ts')`,
      'surfaces/http/serve.ts': `import { e } from '../../engine/e.ts'`,
      'engine/e.ts': '',
    },
    'surfaces/cli/run.ts imports ../http/serve.ts: surfaces do not know each other',
  ],
  'nothing but src/index.ts passes exports on': [
    {
      'index.ts': `export { a } from './model/a.ts'`,
      'model/all.ts': `export * from './a.ts'`,
      'model/a.ts': '',
    },
    'model/all.ts imports ./a.ts: only src/index.ts passes on what others export',
  ],
  'the product does not use what tests are made of': [
    { 'parse/p.ts': `import { sample } from './p.fixture.ts'`, 'parse/p.fixture.ts': '' },
    'parse/p.ts imports ./p.fixture.ts: it is there for tests',
  ],
  'every file opens with the question that it answers': [
    { 'model/a.ts': '// Types.', 'model/b.ts': '// Which types?' },
    'model/a.ts does not open with the question that it answers',
  ],
  'a long file says why it is long': [
    { 'model/a.ts': 'x\n'.repeat(401), 'model/b.ts': 'x\n'.repeat(400) },
    'model/a.ts has 401 lines and does not say "Long because …" at its top',
  ],
  'clock, environment and chance enter at the door': [
    { 'graph/g.ts': '// Not Date.now.\nconst at = Date.now()', 'surfaces/cli/main.ts': 'Date.now()' },
    'graph/g.ts reads Date.now: it is given at the door',
  ],
}

describe('each rule finds the one thing that breaks it', () => {
  it.each(Object.entries(wrong))('%s', (name, [files, fault]) => {
    expect(rules[name as keyof typeof rules](new Map(Object.entries(files)))).toEqual([fault])
  })

  it('a pure folder may take types, and only types, from one that is not', () => {
    const judge = (text: string): string[] =>
      pureFolders(new Map(Object.entries({ 'assemble/a.ts': text, 'store/s.ts': '' })))
    expect(judge(`import type { S } from '../store/s.ts'`)).toEqual([])
    expect(judge(`import { type S, type T } from '../store/s.ts'`)).toEqual([])
    expect(judge(`import { type S, open } from '../store/s.ts'`)).toHaveLength(1)
  })
})
