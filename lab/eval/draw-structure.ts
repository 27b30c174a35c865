// Which questions do a repository's own names ask? Callers, definitions, constants and chains, drawn from facts of other tools.
//
// node lab/eval/draw-structure.ts FOLDER [NAME …]     FOLDER has a checkout of every repository of `structureRepositories`;
//     writes lab/eval/structure.jsonl; with names only the questions of those
// Needs ctags; jedi for Python; lib/typescript.js of TypeScript 5 (YORE_TYPESCRIPT).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readRows } from './read-sets.ts'
import type { Place } from './real-set.ts'
import {
  type Language,
  type StructureQuestion,
  structureFile,
  structureRepositories,
} from './structure-set.ts'

/** A definition as a tool reports it; lines are 1-based, the column 0-based. */
interface Definition extends Place {
  readonly name: string
  readonly kind: string
  readonly column: number
}

interface Source {
  readonly root: string
  readonly language: Language
  readonly linesOf: (path: string) => readonly string[]
  readonly all: readonly Definition[]
}

/** Questions of a repository. */
const QUOTA = { callers: 13, names: 9, constants: 10, chains: 9 } as const
/** Definitions whose references are asked for, in each of two rounds. */
const ASKED = 60
const MOST_CALLERS = 6

const extensions: Readonly<Record<Language, RegExp>> = {
  typescript: /\.[cm]?tsx?$/,
  javascript: /\.[cm]?js$/,
  go: /\.go$/,
  python: /\.py$/,
  rust: /\.rs$/,
  java: /\.java$/,
  c: /\.[ch]$/,
  cpp: /\.(?:cc|cpp|h|hpp)$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  csharp: /\.cs$/,
}
const isTest = (path: string): boolean =>
  /(?:^|[/_.])(?:tests?|specs?|examples?|benchmarks?|testdata|third_party|vendor|features|fixtures|docs?|compat|regress|fuzz|perf)(?:[/_.]|$)|Tests?\/|Tests?\.|PerformanceTests/i.test(
    path,
  )
const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex')
const inOrder = <T>(items: readonly T[], key: (item: T) => string): T[] =>
  items
    .map((item) => ({ item, at: hashOf(key(item)) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ item }) => item)
const keyOf = ({ path, start, name }: Definition): string => `${path}:${start}:${name}`
const isFunction = ({ kind }: Definition): boolean =>
  ['function', 'method', 'func', 'singletonMethod', 'member'].includes(kind)
const escapeName = (name: string): string => name.replace(/[$]/g, '\\$&')

/** The line of the bracket that closes a definition, where ctags does not know its end. */
function endOf(lines: readonly string[], start: number): number {
  const indent = /^\s*/.exec(lines[start - 1] ?? '')?.[0].length ?? 0
  for (let line = start; line < Math.min(lines.length, start + 400); line++)
    if (new RegExp(`^\\s{0,${indent}}(?:\\}|end\\b)`).test(lines[line] ?? '')) return line + 1
  return start
}

function readByCtags(root: string, language: Language, linesOf: Source['linesOf']): Definition[] {
  const output = execFileSync(
    'ctags',
    ['-R', '--output-format=json', '--fields=+neK', '--kinds-c=+p', '--kinds-c++=+p', '-f', '-', '.'],
    { cwd: root, maxBuffer: 1 << 29, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
  return output.split('\n').flatMap((row) => {
    if (row === '') return []
    const tag = JSON.parse(row) as { name: string; path: string; line: number; end?: number; kind: string }
    const path = tag.path.replace(/^\.\//, '')
    if (!extensions[language].test(path)) return []
    const lines = linesOf(path)
    const column = (lines[tag.line - 1] ?? '').indexOf(tag.name)
    // A member of a class is a function in Python only.
    const kind = tag.kind === 'member' && language !== 'python' ? 'field' : tag.kind
    const end =
      tag.end ??
      (/^(?:enumerator|constant|variable|prototype|define)$/.test(kind) ? tag.line : endOf(lines, tag.line))
    return column < 0 ? [] : [{ name: tag.name, path, start: tag.line, end, kind, column }]
  })
}

type References = (wanted: readonly Definition[]) => Promise<readonly (readonly Place[])[]>

/** The language service of TypeScript, which scip-typescript asks too. */
async function readByTypescript(
  root: string,
  language: Language,
  linesOf: Source['linesOf'],
): Promise<{ all: Definition[]; references: References }> {
  const ts = (await import(resolve(process.env['YORE_TYPESCRIPT'] ?? ''))).default
  const files = execFileSync('find', ['.', '-type', 'f', '-not', '-path', '*/node_modules/*'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .map((file) => file.slice(2))
    .filter((file) => extensions[language].test(file) && !file.endsWith('.d.ts'))
  const service = ts.createLanguageService({
    getScriptFileNames: () => files.map((file) => join(root, file)),
    getScriptVersion: () => '1',
    getScriptSnapshot: (file: string) =>
      ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({
      allowJs: true,
      checkJs: true,
      target: 99,
      module: 199,
      moduleResolution: 99,
      skipLibCheck: true,
    }),
    getDefaultLibFileName: (settings: unknown) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  })
  const lineAt = (path: string, offset: number): number =>
    readFileSync(join(root, path), 'utf8').slice(0, offset).split('\n').length
  const all: Definition[] = []
  for (const path of files) {
    const visit = (item: {
      text: string
      kind: string
      spans: { start: number; length: number }[]
      nameSpan?: { start: number }
      childItems?: unknown[]
    }): void => {
      const [span] = item.spans
      if (span !== undefined && item.nameSpan !== undefined && /^[\w$]+$/.test(item.text)) {
        const start = lineAt(path, item.nameSpan.start)
        const body = linesOf(path)[start - 1] ?? ''
        const isCallable = item.kind === 'const' && /=\s*(?:async\s*)?(?:\(|function)/.test(body)
        all.push({
          name: item.text,
          path,
          start,
          end: lineAt(path, span.start + span.length),
          kind: isCallable ? 'function' : item.kind,
          column: body.indexOf(item.text),
        })
      }
      for (const child of item.childItems ?? []) visit(child as Parameters<typeof visit>[0])
    }
    visit(service.getNavigationTree(join(root, path)))
  }
  const references: References = async (wanted) =>
    wanted.map(({ path, start, column }) => {
      const before = linesOf(path)
        .slice(0, start - 1)
        .reduce((sum, line) => sum + line.length + 1, 0)
      const found: { fileName: string; textSpan: { start: number } }[] =
        service.getReferencesAtPosition(join(root, path), before + column) ?? []
      const own = found.filter(({ fileName }) => fileName.startsWith(`${root}/`))
      return own.map(({ fileName, textSpan }) => {
        const file = fileName.slice(root.length + 1)
        const line = lineAt(file, textSpan.start)
        return { path: file, start: line, end: line }
      })
    })
  return { all, references }
}

const jediScript = `
import jedi, json, sys
root, wanted = json.load(sys.stdin)
project = jedi.Project(root)
out = []
for path, line, column in wanted:
    try:
        found = jedi.Script(path=root + '/' + path, project=project).get_references(line, column)
        out.append([[str(one.module_path)[len(root) + 1:], one.line] for one in found if one.module_path and str(one.module_path).startswith(root)])
    except Exception:
        out.append([])
print(json.dumps(out))`

function referencesByJedi(root: string): References {
  return async (wanted) => {
    const input = JSON.stringify([root, wanted.map(({ path, start, column }) => [path, start, column])])
    const found = JSON.parse(
      execFileSync('python3', ['-c', jediScript], { input, encoding: 'utf8', maxBuffer: 1 << 28 }),
    ) as [string, number][][]
    return found.map((places) => places.map(([path, start]) => ({ path, start, end: start })))
  }
}

/** Where nothing better is at hand: lines with the word, of a name that has one definition. */
function referencesByWord({ all, linesOf }: Pick<Source, 'all' | 'linesOf'>): References {
  const files = [...new Set(all.map(({ path }) => path))].sort()
  return async (wanted) =>
    wanted.map(({ name }) => {
      const word = new RegExp(`(?<![\\w$"'])${escapeName(name)}(?![\\w$])`)
      return files.flatMap((path) =>
        linesOf(path).flatMap((text, at) =>
          word.test(text) && !/^\s*(?:\/\/|\*|\/\*|#|import\b|use\b)/.test(text)
            ? [{ path, start: at + 1, end: at + 1 }]
            : [],
        ),
      )
    })
}

interface Call {
  readonly from: Definition
  readonly lines: Place[]
}

/** The functions that call each of these definitions, with their calling lines. */
async function findCalls(
  { all, linesOf }: Source,
  references: References,
  wanted: readonly Definition[],
): Promise<Map<string, Call[]>> {
  const functions = Map.groupBy(
    all.filter((one) => isFunction(one) && !isTest(one.path)),
    ({ path }) => path,
  )
  const found = await references(wanted)
  return new Map(
    wanted.map((definition, at) => {
      const calls = new Map<string, Call>()
      const call = new RegExp(`(?<![\\w$])${escapeName(definition.name)}\\s*(?:::<|<[\\w, ]+>)?[!?]?\\(`)
      for (const place of found[at] ?? []) {
        const isCall = call.test(linesOf(place.path)[place.start - 1] ?? '')
        const own =
          place.path === definition.path && place.start >= definition.start && place.start <= definition.end
        const around = (functions.get(place.path) ?? [])
          .filter(
            ({ start, end, kind }) => kind !== 'prototype' && start <= place.start && place.start <= end,
          )
          .sort((a, b) => b.start - a.start)
        const [from] = around
        if (
          !isCall ||
          own ||
          from === undefined ||
          (from.start === place.start && from.name === definition.name)
        )
          continue
        const known = calls.get(keyOf(from)) ?? { from, lines: [] }
        known.lines.push(place)
        calls.set(keyOf(from), known)
      }
      return [keyOf(definition), [...calls.values()]]
    }),
  )
}

const templates = {
  callers: ['who calls X', 'which functions call X?', 'where is X called from?'],
  names: ['where is X defined', 'what is X', 'what does X do?'],
  constants: ['what is the value of X', 'which value does X have?', 'what is X set to'],
  chains: ['how does X reach Y?', 'what happens from X until Y is called?', 'which steps lead from X to Y?'],
} as const

type Kind = keyof typeof templates
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/_+/g, ' ')
    .trim()
    .toLowerCase()

/** Half of the constants are asked for by their words, as a person does who has not seen the name. */
function phrase(kind: Kind, name: string, other = ''): string {
  const at = Number.parseInt(hashOf(name + other).slice(0, 6), 16)
  const asWords = kind === 'constants' && at % 2 === 0 && wordsOf(name).includes(' ')
  const subject = asWords ? `the ${wordsOf(name)}` : name
  return (templates[kind][at % 3] as string).replace(/\b[XY]\b/g, (hole) => (hole === 'X' ? subject : other))
}

const headOf = ({ path, start, end }: Definition): Place => ({ path, start, end: Math.min(end, start + 2) })

/** The largest of several definitions of a name, where the others are stubs of at most three lines, or tests. */
function drawNames({ all }: Source): Omit<StructureQuestion, '_id' | 'package'>[] {
  const groups = Map.groupBy(
    all.filter(
      ({ name, kind }) =>
        name.length > 4 &&
        /^(?:function|func|method|member|class|struct|prototype|interface|methodSpec)$/.test(kind),
    ),
    ({ name }) => name,
  )
  return [...groups.values()].flatMap((those) => {
    const own = those.filter(({ path }) => !isTest(path)).sort((a, b) => b.end - b.start - (a.end - a.start))
    const [main, ...others] = own
    if (those.length < 2 || those.length > 6 || main === undefined || main.end - main.start < 5) return []
    if (others.some(({ start, end }) => end - start > 2)) return []
    return [{ kind: 'names', text: phrase('names', main.name), needs: [[headOf(main)]] }]
  })
}

const valued =
  /^\W*(?:\w+[\w<>,:&* ]*\s)?NAME\b[^=(;]{0,40}(?:=|\s|\(|:)\s*(?:-?\d[\w.]*|"[^"]{2,60}"|'[^']{2,60}'|[\w.]*\d+ ?\* ?[\w.]+)[\s,;)]*(?:\/[/*].*|#.*)?$/

function drawConstants({ all, linesOf }: Source): Omit<StructureQuestion, '_id' | 'package'>[] {
  const kinds = /^(?:constant|const|var|variable|macro|field|define|enumConstant|enumerator|property|let)$/
  const counts = Map.groupBy(all, ({ name }) => name)
  return all.flatMap(({ name, path, start, kind }) => {
    const line = linesOf(path)[start - 1] ?? ''
    const indent = /^\s*/.exec(line)?.[0] ?? ''
    const isConstant = /\b(?:const|static|final|define|readonly)\b/.test(line) || /^[A-Z_\d]+$/.test(name)
    const isTop = indent === '' || ((indent.length < 5 || indent === '\t') && isConstant)
    if (!kinds.test(kind) || !isTop || isTest(path) || name.length < 6 || counts.get(name)?.length !== 1)
      return []
    if (!new RegExp(valued.source.replace('NAME', escapeName(name))).test(line)) return []
    return [{ kind: 'constants', text: phrase('constants', name), needs: [[{ path, start, end: start }]] }]
  })
}

async function draw(root: string, language: Language): Promise<Omit<StructureQuestion, '_id' | 'package'>[]> {
  const texts = new Map<string, readonly string[]>()
  const linesOf = (path: string): readonly string[] => {
    const known = texts.get(path) ?? readFileSync(join(root, path), 'utf8').split('\n')
    texts.set(path, known)
    return known
  }
  const isScript = language === 'typescript' || language === 'javascript'
  const script = isScript ? await readByTypescript(root, language, linesOf) : null
  const source: Source = { root, language, linesOf, all: script?.all ?? readByCtags(root, language, linesOf) }
  const references =
    script?.references ?? (language === 'python' ? referencesByJedi(root) : referencesByWord(source))
  const counts = Map.groupBy(
    source.all.filter(({ path, kind }) => !isTest(path) && kind !== 'prototype'),
    ({ name }) => name,
  )
  const single = source.all.filter(
    (one) =>
      isFunction(one) &&
      !isTest(one.path) &&
      one.name.length > 4 &&
      !/^__/.test(one.name) &&
      one.end - one.start > 1 &&
      counts.get(one.name)?.length === 1,
  )
  const first = await findCalls(source, references, inOrder(single, keyOf).slice(0, ASKED))
  const callersOf = [...first.values()]
    .flat()
    .map(({ from }) => from)
    .filter((one) => single.includes(one) && !first.has(keyOf(one)))
  const calls = new Map([
    ...first,
    ...(await findCalls(source, references, [...new Set(callersOf)].slice(0, ASKED))),
  ])
  const known = new Map(single.map((one) => [keyOf(one), one]))
  const callers: Omit<StructureQuestion, '_id' | 'package'>[] = []
  const chains: Omit<StructureQuestion, '_id' | 'package'>[] = []
  for (const [key, own] of calls) {
    const target = known.get(key) as Definition
    if (own.length === 0 || own.length > MOST_CALLERS) continue
    if (first.has(key))
      callers.push({
        kind: 'callers',
        text: phrase('callers', target.name),
        needs: own.map(({ lines }) => lines),
      })
    for (const { from: middle, lines: last } of own)
      for (const { from: start, lines } of calls.get(keyOf(middle)) ?? []) {
        if (
          start.name === target.name ||
          counts.get(start.name)?.length !== 1 ||
          own.some(({ from }) => from === start)
        )
          continue
        const before = calls
          .get(keyOf(start))
          ?.find(
            ({ from }) =>
              counts.get(from.name)?.length === 1 && from.name !== target.name && from.name !== middle.name,
          )
        const needs = [lines, last, [headOf(target)]]
        if (before === undefined)
          chains.push({ kind: 'chains', text: phrase('chains', start.name, target.name), needs })
        else
          chains.push({
            kind: 'chains',
            text: phrase('chains', before.from.name, target.name),
            needs: [before.lines, ...needs],
          })
      }
  }
  const one = (
    items: readonly Omit<StructureQuestion, '_id' | 'package'>[],
    kind: Kind,
  ): Omit<StructureQuestion, '_id' | 'package'>[] =>
    inOrder(
      [...new Map(items.map((item) => [item.text.split(' ').at(-1), item])).values()],
      ({ text }) => text,
    ).slice(0, QUOTA[kind])
  return [
    ...one(callers, 'callers'),
    ...one(drawNames(source), 'names'),
    ...one(drawConstants(source), 'constants'),
    ...one(chains, 'chains'),
  ]
}

const [folder = '.', ...only] = process.argv.slice(2)
const old = existsSync(structureFile) ? readRows<StructureQuestion>(structureFile) : []
const rows: StructureQuestion[] = []
for (const { name, language } of structureRepositories) {
  if (only.length > 0 && !only.includes(name)) {
    rows.push(...old.filter((row) => row.package === name))
    continue
  }
  const drawn = await draw(resolve(folder, name), language)
  const byKind = Map.groupBy(drawn, ({ kind }) => kind)
  console.error(name, [...byKind].map(([kind, { length }]) => `${kind} ${length}`).join(', '))
  rows.push(
    ...drawn.map((question, at) => ({
      _id: `${name}-${String(at + 1).padStart(2, '0')}`,
      package: name,
      ...question,
    })),
  )
}
writeFileSync(structureFile, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
