// Does every file lie where the design says, and import only what it may? Each rule lists what breaks it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

/** The wings of src, in order: a file imports from its own wing and from those before it. */
const wings = ['model', 'read', 'corpus', 'answer', 'explore', 'check', 'offer']
/** Rooms that load no `node:` module but `node:path`, and only types from rooms that are not pure. */
const pure = new Set([
  ...['model', 'read/tokens', 'read/parse', 'corpus/resolve', 'corpus/graph', 'answer/expand'],
  'answer/assemble',
])
/** The rooms that offer yore to people and programs. They do not import each other. */
const surfaces = new Set(['offer/cli', 'offer/mcp', 'offer/ui'])
/** What a surface may import besides its own room: the operations, the engine, and what the engine returns. */
const underSurfaces =
  /^(?:offer\/(?:operations|engine|service|serve|exchange)|model|explore|check|answer\/answering|corpus\/(?:indexing|lookup)|read\/assets)(?:\/|$)/
const publicApi = 'index.ts'
const longFile = 400

/** The rooms of server/src; only `yore.ts` beside them looks into src/, at the public API, the operations and the question pool. */
const serverOrder = ['control', 'versions', 'ingest', 'http']
const serverRootFiles = new Set(['yore', 'errors', 'tracing', 'metrics'])
const serverDoor = 'yore.ts'
/** The public API, what serves many questions, and what both do alike: HTTP and git requests, names that are never read, reading ZIP archives, marks of indexes. */
const behindTheDoor =
  /^\.\.\/\.\.\/src\/(?:index|model\/errors|corpus\/store\/(?:schema|ownership\/index-home)|offer\/(?:service|operations|serve|exchange)\/[\w-]+|read\/source\/fetch\/[\w-]+|read\/source\/walk\/walk-options|read\/extract\/read-zip)\.ts$/

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

/** The wing of a path below src/; for a file beside the wings its name. */
function areaOf(file: string): string {
  const [first = '', ...rest] = file.split('/')
  return rest.length === 0 ? first.replace(/\.ts$/, '') : first
}

/** The wing and the folder in it, as `read/parse`; the wing alone for a file directly in it. */
function roomOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/')
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
    .filter((area) => !wings.includes(area))
    .map((area) => `src/${area} is not a wing`)

const existingTargets = overImports(({ from, target }, tree) => {
  if (target === null || tree.has(target)) return null
  // Tests may use scripts/, eval/ and what lies beside them.
  return isTest(from) && target.startsWith('../') ? null : 'no such file below src/'
})

const leftOnly = overImports(({ from, target }) => {
  if (target === null || target.startsWith('../') || from === publicApi) return null
  if (target === publicApi) return 'the public API is for programs outside'
  const [here, there] = [areaOf(from), areaOf(target)]
  return wings.indexOf(there) <= wings.indexOf(here) ? null : `${there} comes after ${here}`
})

/** Rooms of one wing may use each other, but not in a circle. */
const noRoomCircles: Rule = (tree) => {
  const edges = new Map<string, Set<string>>()
  for (const [file, text] of tree) {
    if (isTest(file)) continue
    for (const { target } of importsOf(file, text)) {
      if (target === null || areaOf(target) !== areaOf(file) || roomOf(target) === roomOf(file)) continue
      edges.set(roomOf(file), (edges.get(roomOf(file)) ?? new Set()).add(roomOf(target)))
    }
  }
  return findCircles(edges)
}

const pureFolders = overImports(({ from, specifier, target, typesOnly }) => {
  if (isTest(from) || typesOnly || !pure.has(roomOf(from))) return null
  if (specifier.startsWith('node:')) return specifier === 'node:path' ? null : 'the folder is pure'
  if (target === null || pure.has(roomOf(target))) return null
  return `the folder is pure and takes only types from ${roomOf(target)}, which is not`
})

const thinSurfaces = overImports(({ from, target }) => {
  const [here, there] = [roomOf(from), target === null ? '' : roomOf(target)]
  if (target === null || here === there || !surfaces.has(here)) return null
  if (surfaces.has(there)) return 'surfaces do not import each other'
  return underSurfaces.test(there) ? null : 'surfaces use the engine and nothing below it'
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

/** Each circle that a walk along the edges meets, as `a → b → a`. */
function findCircles(edges: ReadonlyMap<string, Iterable<string>>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const follow = (node: string): void => {
    const known = way.indexOf(node)
    if (known >= 0) circles.push([...way.slice(known), node].join(' → '))
    if (known >= 0 || done.has(node)) return
    way.push(node)
    for (const target of edges.get(node) ?? []) follow(target)
    way.pop()
    done.add(node)
  }
  for (const node of edges.keys()) follow(node)
  return circles
}

/** Files that need each other are read, tested and changed as one: then they are one file. Types count. */
const noCircles: Rule = (tree) => {
  const targets = new Map(
    [...tree].map(([file, text]) => [
      file,
      importsOf(file, text).flatMap(({ target }) => (target !== null && tree.has(target) ? [target] : [])),
    ]),
  )
  return findCircles(targets)
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
  'offer/engine/open-engine.ts': 'the door: what a program does not give is taken from the process here',
  'offer/engine/index-later.ts': 'a program of its own',
  'corpus/store/open-database.ts':
    'tools that open a file without an engine use the state folder of their process',
  'corpus/store/ownership/writer-lock.ts': 'the times of lock files are those of the real clock',
  'read/source/git/run-git.ts': 'git is run with the environment of the process',
}

const nothingHidden: Rule = (tree) =>
  [...tree].flatMap(([file, text]) => {
    const atTheDoor = surfaces.has(roomOf(file)) || /^offer\/(?:operations|serve)$/.test(roomOf(file))
    if (isTest(file) || atTheDoor || Object.hasOwn(outside, file)) return []
    const code = text.replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, '')
    const found = /\bDate\.now\b|\bMath\.random\b|\bprocess\.env\b|\bnew Date\(\)/.exec(code)
    return found === null ? [] : [`${file} reads ${found[0]}: it is given at the door`]
  })

const rules = {
  'every folder of src is a wing': knownFolders,
  'every relative import names a file': existingTargets,
  'a wing imports only from wings before it': leftOnly,
  'rooms of a wing do not import each other in a circle': noRoomCircles,
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
  if (!target.includes('/'))
    return 'only yore.ts, errors.ts, tracing.ts and metrics.ts beside the folders are for them'
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
  'every folder of src is a wing': [{ 'utils/x.ts': '' }, 'src/utils is not a wing'],
  'every relative import names a file': [
    { 'model/a.ts': `import type { B } from './b.ts'` },
    'model/a.ts imports ./b.ts: no such file below src/',
  ],
  'a wing imports only from wings before it': [
    {
      'model/a.ts': '',
      'corpus/s.ts': `import {\n  type A,\n} from '../offer/cli/main.ts'\nimport { a } from '../model/a.ts'`,
      'offer/cli/main.ts': '',
    },
    'corpus/s.ts imports ../offer/cli/main.ts: offer comes after corpus',
  ],
  'rooms of a wing do not import each other in a circle': [
    {
      'read/parse/a.ts': `import { b } from '../tokens/b.ts'`,
      'read/tokens/b.ts': '',
      'read/tokens/c.ts': `import { d } from '../parse/d.ts'`,
      'read/parse/d.ts': '',
    },
    'read/parse → read/tokens → read/parse',
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
      'read/parse/p.ts': `import path from 'node:path'\nimport { readFileSync } from 'node:fs'`,
      'read/parse/p.test.ts': `import { readFileSync } from 'node:fs'`,
    },
    'read/parse/p.ts imports node:fs: the folder is pure',
  ],
  'surfaces stand on the engine only and do not know each other': [
    {
      'offer/cli/run.ts': `const x = await import('../ui/serve.ts')`,
      'offer/ui/serve.ts': `import { e } from '../engine/e.ts'`,
      'offer/engine/e.ts': '',
    },
    'offer/cli/run.ts imports ../ui/serve.ts: surfaces do not import each other',
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
    { 'corpus/g.ts': '// Not Date.now.\nconst at = Date.now()', 'offer/cli/main.ts': 'Date.now()' },
    'corpus/g.ts reads Date.now: it is given at the door',
  ],
}

describe('each rule finds the one thing that breaks it', () => {
  it.each(Object.entries(wrong))('%s', (name, [files, fault]) => {
    expect(rules[name as keyof typeof rules](new Map(Object.entries(files)))).toEqual([fault])
  })

  it('a pure folder may take types, and only types, from one that is not', () => {
    const judge = (text: string): string[] =>
      pureFolders(new Map(Object.entries({ 'answer/assemble/a.ts': text, 'corpus/store/s.ts': '' })))
    expect(judge(`import type { S } from '../../corpus/store/s.ts'`)).toEqual([])
    expect(judge(`import { type S, type T } from '../../corpus/store/s.ts'`)).toEqual([])
    expect(judge(`import { type S, open } from '../../corpus/store/s.ts'`)).toHaveLength(1)
  })
})
