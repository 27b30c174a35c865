// Is what lies beside the root part of the corpus, as fresh as the rest, and only when the user says so? Real folders and git.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { readAddedRoots, writeAddedRoots } from '../src/model/config/added-roots.ts'
import { loadSettings } from '../src/model/config/load-settings.ts'
import { isInsideEntry, readRootEntry } from '../src/model/config/root-entries.ts'
import type { Settings } from '../src/model/config/settings.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { dropUnusedSources, findCachedSource } from '../src/read/source/fetch/cached-sources.ts'

let base: string
let root: string
let env: Record<string, string>

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'yore-roots-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  root = path.join(base, 'app')
  env = { HOME: path.join(base, 'home'), PATH: process.env['PATH'] ?? '' }
  write('app/README.md', '# App\n\nThe app flies kites.\n')
})

function write(file: string, text: string): void {
  const place = path.join(base, file)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, text)
}

const quiet = { 'embedding.provider': 'none', workers: 1 } as const

function open(settings: Partial<Settings>, at: string = root, index = 'index') {
  const loaded = loadSettings({ root: at, env, flags: { ...quiet, ...settings } }).settings
  const engine = openEngine({ root: at, indexDir: path.join(base, index), settings: loaded, now: 0, env })
  onTestFinished(() => engine.close())
  return engine
}

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: path.join(base, folder),
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_COMMITTER_DATE: '2025-09-15T12:00:00Z',
      GIT_AUTHOR_DATE: '2025-09-15T12:00:00Z',
    },
  })

const found = async (engine: ReturnType<typeof open>, words: string): Promise<string[]> =>
  (await engine.search(words)).hits.map(
    (hit) => `${hit.path}${hit.place === undefined ? '' : ` (${hit.place})`}`,
  )

describe('an entry of roots', () => {
  it.each([
    ['wiki=../wiki', { kind: 'folder', name: 'wiki', folder: '../wiki' }],
    ['../x.git#v1', { kind: 'git', name: 'x@v1', repository: '../x.git', ref: 'v1' }],
    [
      'https://example.org/a/b.git',
      { kind: 'git', name: 'b', repository: 'https://example.org/a/b.git', ref: 'HEAD' },
    ],
    ['dependencies', { kind: 'dependencies', name: 'dependencies' }],
  ])('%s is read', (text, entry) => {
    expect(readRootEntry(text)).toEqual(entry)
  })

  it.each([
    ...[
      'http://example.org/x.git',
      'ssh://git@example.org/x',
      'ext::sh -c id',
      'file:///etc',
      'x=file:///etc',
    ],
    ...[
      'https://u:p@example.org/x.git',
      'https://example.org/x.git#--upload-pack=id',
      'x.git#a..b',
      '..',
      '',
    ],
    ...['node_modules=../x', 'dependencies:some', 'dependencies:all', 'https://example.org/x?y'],
    ...['commits', 'commits:20', 'https://example.org/llms.txt', 'x=https://example.org/a-sitemap.xml'],
  ])('%s is refused', (text) => {
    expect(() => readRootEntry(text)).toThrow(expect.objectContaining({ code: 'BAD_CONFIG' }))
  })

  it.each([
    'x=..',
    'x=../y',
    'x=a/../../y',
    'x=/etc',
    'x=~/y',
    'x=C:/y',
    'x=\\\\host\\y',
    'x=y.git',
    'https://example.org/y.git',
  ])('%s is nothing that a repository may name by itself', (text) => {
    expect(isInsideEntry(text)).toBe(false)
  })
})

describe('a repository that names a folder outside of it', () => {
  it('gets nothing of it, until the user adds that very folder', async () => {
    write('secrets/diary.md', '# Diary\n\nThe treasure lies below the oak.\n')
    write('app/yore.json', JSON.stringify({ roots: ['diary=../secrets', 'https://example.org/x.git'] }))
    const { settings, warnings } = loadSettings({ root, env })
    expect(settings.roots).toEqual([])
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('`yore index` with the entry adds it')
    const engine = open({})
    await engine.index()
    expect(await found(engine, 'treasure')).toEqual([])
    writeAddedRoots(root, env, [`diary=${path.join(base, 'secrets')}`])
    expect(loadSettings({ root, env })).toMatchObject({ warnings: [expect.stringContaining('example.org')] })
    const allowed = open({})
    await allowed.index()
    expect(await found(allowed, 'treasure')).toContain('diary/diary.md')
    // Another folder of the same name is another question.
    write('app/yore.json', JSON.stringify({ roots: ['diary=../..'] }))
    expect(loadSettings({ root, env }).settings.roots).toEqual([`diary=${path.join(base, 'secrets')}`])
    writeAddedRoots(root, env, [])
    expect(readAddedRoots(root, env)).toEqual([])
  })

  it.each([
    ['folders that are missing', Array.from({ length: 400 }, (_, at) => `missing-${at}`)],
    ['folders outside', Array.from({ length: 400 }, (_, at) => `x${at}=../outside-${at}`)],
    ['a name of 300 characters', ['n'.repeat(300)]],
    ['a folder of 300 characters', [`x=${'n'.repeat(300)}`]],
    ['a folder outside of 300 characters', [`x=../${'n'.repeat(300)}`]],
    ['a folder with NUL', ['x=docs\0/y']],
    ['a name with line breaks', ['\n1. docs/a.md forged\n']],
    ['commits, which are no source', ['commits']],
    ['a file', ['x=README.md']],
    ['the repository itself', ['x=.']],
  ])('gets short warnings for %s, and answers', async (_, entries) => {
    write('app/docs/kites.md', '# Kites\n\nKites need wind.\n')
    write('app/yore.json', JSON.stringify({ roots: ['kites=docs', ...entries] }))
    const { settings, warnings } = loadSettings({ root, env })
    expect(settings.roots).toEqual(['kites=docs'])
    expect(warnings.length).toBe(Math.min(entries.length, 4))
    expect(warnings.join('')).not.toMatch(/[\x00-\x1f]/)
    expect(warnings.join('').length).toBeLessThan(800)
    if (entries.length > 4)
      expect(warnings.at(-1)).toBe('yore.json: roots has 397 more entries that are skipped')
    const engine = open({})
    await engine.index()
    expect(await found(engine, 'wind')).toEqual(['kites/kites.md'])
  })

  it('gets nothing through a link inside of it either', async () => {
    write('secrets/diary.md', '# Diary\n\nThe treasure lies below the oak.\n')
    symlinkSync(path.join(base, 'secrets'), path.join(root, 'inner'))
    write('app/yore.json', JSON.stringify({ roots: ['diary=inner'] }))
    await expect(open({}).index()).rejects.toMatchObject({ code: 'OUTSIDE_ROOT' })
  })
})

describe('a folder beside the root', () => {
  it('is found below its name, refreshed, linked to, and equal to an index made at once', async () => {
    write('wiki/Strings.md', '# Strings\n\nStrings are made of dyneema.\n')
    write('app/README.md', '# App\n\nSee [strings](wiki/Strings.md).\n')
    write('wiki/.env', 'KEY=abc\n')
    const roots = ['wiki=../wiki']
    const engine = open({ roots })
    await engine.index()
    expect(await found(engine, 'dyneema')).toContain('wiki/Strings.md')
    expect((await engine.checkLinks()).links.broken).toEqual([])
    write('wiki/Strings.md', '# Strings\n\nStrings are made of hemp.\n')
    write('wiki/new/Wind.md', '# Wind\n\nWind comes from the west.\n')
    expect(await found(engine, 'hemp')).toContain('wiki/Strings.md')
    expect(await found(engine, 'west')).toContain('wiki/new/Wind.md')
    const { output } = await engine.assemble('What are strings made of?')
    expect(output).toContain('**Source:** wiki/Strings.md:1-3')
    const fresh = open({ roots }, root, 'second')
    await fresh.index()
    expect((await fresh.assemble('What are strings made of?')).output).toBe(output)
    // Without it, it is gone.
    const without = open({})
    await without.index()
    expect(await found(without, 'hemp')).toEqual([])
  })

  it('is fresh in an engine that stays open', async () => {
    write('wiki/Strings.md', '# Strings\n\nStrings are made of dyneema.\n')
    const engine = open({ roots: ['wiki=../wiki'] })
    await engine.index()
    const ask = async (words: string) => {
      const { hits, freshness } = await engine.search(words)
      return { paths: hits.map((hit) => hit.path), state: freshness.state }
    }
    expect(await ask('strings')).toMatchObject({ state: 'fresh' })
    write('wiki/Strings.md', '# Strings\n\nStrings are made of hemp.\n')
    expect((await ask('hemp')).paths).toContain('wiki/Strings.md')
    write('wiki/new/Wind.md', '# Wind\n\nWind comes from the west.\n')
    expect((await ask('west')).paths).toContain('wiki/new/Wind.md')
    expect(await ask('strings')).toMatchObject({ state: 'fresh' })
    // Another folder in its place.
    write('next/Knots.md', '# Knots\n\nA bowline holds.\n')
    renameSync(path.join(base, 'wiki'), path.join(base, 'before'))
    renameSync(path.join(base, 'next'), path.join(base, 'wiki'))
    expect((await ask('bowline')).paths).toContain('wiki/Knots.md')
    write('wiki/Knots.md', '# Knots\n\nA reef knot slips.\n')
    expect((await ask('slips')).paths).toContain('wiki/Knots.md')
  })

  it.each([
    ['has a name that is taken', ['README.md=../wiki'], 'BAD_CONFIG'],
    ['contains the corpus itself', ['all=..'], 'BAD_INPUT'],
    ['is not there', ['gone=../gone'], 'BAD_INPUT'],
  ])('is refused where it %s', async (_, roots, code) => {
    write('wiki/Strings.md', '# Strings\n')
    await expect(open({ roots }).index()).rejects.toMatchObject({ code })
  })
})

describe('a repository of git', () => {
  it('is read at its ref without a checkout, and its version stands beside each citation', async () => {
    write('work/guide.md', '# Guide\n\nPress the red button.\n')
    git('work', 'init', '--quiet', '--initial-branch=main')
    write('work/.git/hooks/post-checkout', '#!/bin/sh\ntouch ran\n')
    git('work', 'add', '-A')
    git('work', 'commit', '--quiet', '-m', 'first')
    git('work', 'tag', 'v1')
    write('work/guide.md', '# Guide\n\nPress the green button.\n')
    git('work', 'commit', '--quiet', '-am', 'second')
    git('work', 'clone', '--quiet', '--bare', '.', '../mirror.git')
    const engine = open({ roots: ['guide=../mirror.git#v1'] })
    await engine.index()
    const commit = git('work', 'rev-parse', 'v1').slice(0, 12)
    expect(await found(engine, 'button')).toContain(`guide/guide.md (v1, ${commit})`)
    expect((await engine.assemble('Which button?')).output).toContain('Press the red button.')
    const newer = open({ roots: ['guide=../mirror.git#main'] })
    await newer.index()
    expect((await newer.assemble('Which button?')).output).toContain('Press the green button.')
    await expect(open({ roots: ['guide=../mirror.git#gone'] }).index()).rejects.toMatchObject({
      code: 'CANNOT_FETCH',
    })
  })

  it.each(['x=--upload-pack=id.git#main', 'x=README.md.git', 'x=../gone.git', 'x=-rf', 'x=a\0b'])(
    'that is nothing, as %s, is refused with what a root may be',
    async (entry) => {
      write('app/README.md.git', 'text\n')
      await expect(open({ roots: [entry] }).index()).rejects.toMatchObject({
        code: 'BAD_INPUT',
        hint: expect.stringContaining('NAME=FOLDER.git#REF'),
      })
    },
  )
})

describe('dependencies', () => {
  const npm = (name: string, version: string): void => {
    write(`app/node_modules/${name}/package.json`, JSON.stringify({ name, version }))
    write(`app/node_modules/${name}/README.md`, `# ${name}\n\n${name} tames dragons.\n`)
    write(
      `app/node_modules/${name}/index.d.ts`,
      `/** Calls the ${name} dragon. */\nexport declare function call${name}(): void\n`,
    )
    write(`app/node_modules/${name}/index.js`, 'exports.dragons = 1\n')
  }
  it('are read as installed, those that a manifest names, with their version and below the own documents', async () => {
    npm('smaug', '1.2.3')
    npm('hidden', '9.9.9')
    write('app/package.json', JSON.stringify({ dependencies: { smaug: '*', '../../etc': '*' } }))
    write('app/docs/dragons.md', '# Dragons\n\nOur app tames dragons with smaug.\n')
    write('app/requirements.txt', 'Puff>=1\n')
    write(
      'app/.venv/lib/python3.12/site-packages/puff-2.0.dist-info/METADATA',
      'Name: puff\n\nPuff is a magic lizard for everybody.\n',
    )
    write('app/.venv/lib/python3.12/site-packages/puff/api.pyi', 'def lizard() -> None: ...\n')
    const engine = open({ roots: ['dependencies'] })
    await engine.index()
    const hits = await found(engine, 'tames dragons')
    expect(hits[0]).toBe('docs/dragons.md')
    expect(hits).toContain('node_modules/smaug/README.md (smaug 1.2.3)')
    const all = (await engine.artifactIds()).join('\n')
    expect(all).toContain('node_modules/smaug/index.d.ts')
    expect(all).not.toMatch(/hidden|index\.js|etc/)
    expect((await found(engine, 'magic lizard')).join()).toContain('METADATA (puff 2.0)')
    // The same text in a new version.
    write('app/node_modules/smaug/package.json', JSON.stringify({ name: 'smaug', version: '2.0.0' }))
    await engine.index()
    expect(await found(engine, 'smaug tames')).toContain('node_modules/smaug/README.md (smaug 2.0.0)')
  })
})

describe('the copies of sources on this machine', () => {
  it('survive that the user had added a kind of source that is gone', async () => {
    writeAddedRoots(root, env, ['commits', 'docs=https://example.org/llms.txt', 'wiki=../wiki'])
    expect(readAddedRoots(root, env)).toEqual(['wiki=../wiki'])
  })

  it('are kept as long as a corpus names them, and their age is told', async () => {
    write('work/guide.md', '# Guide\n\nPress the red button.\n')
    git('work', 'init', '--quiet', '--initial-branch=main')
    git('work', 'add', '-A')
    git('work', 'commit', '--quiet', '-m', 'first')
    git('work', 'clone', '--quiet', '--bare', '.', '../mirror.git')
    write('other/README.md', '# Other\n')
    const copies = (): number => readdirSync(path.join(base, 'home/.cache/yore/sources')).length
    git('work', 'clone', '--quiet', '--bare', '.', '../second.git')
    const roots = ['guide=../mirror.git', 'second=../second.git']
    const engine = open({ roots })
    await engine.index()
    const { sources } = await engine.status()
    expect(sources).toMatchObject([{ name: 'guide', fetchedAt: expect.any(Number) }, { name: 'second' }])
    expect(Date.now() - (sources[0]?.fetchedAt ?? 0)).toBeLessThan(60_000)
    // A second corpus has its own copy of a repository on this machine.
    const other = open({ roots: roots.slice(0, 1) }, path.join(base, 'other'), 'third')
    await other.index()
    expect(copies()).toBe(3)
    await open({ roots: roots.slice(0, 1) }).index()
    expect(copies()).toBe(2)
    expect(await found(open({ roots: roots.slice(0, 1) }), 'button')).toHaveLength(1)
    await open({}).index()
    expect(copies()).toBe(1)
    // That of a corpus whose folder is gone for long goes with the next run of any other.
    rmSync(path.join(base, 'other'), { recursive: true })
    await open({}).index()
    expect(copies()).toBe(1)
    const cache = path.join(base, 'home/.cache/yore/sources')
    const marks = readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /used-by.\w+$/.test(name),
    )
    for (const mark of marks) utimesSync(path.join(cache, mark), new Date(0), new Date(0))
    await open({}).index()
    expect(copies()).toBe(0)
  })

  it('stay for the corpus that still names what two of them named', async () => {
    const [one, two] = ['app', 'other'].map((name) => path.join(base, name)) as [string, string]
    write('other/README.md', '# Other\n')
    const source = findCachedSource(env, 'https://example.org/kit.git')
    if (source === null) throw new Error('no cache')
    for (const corpus of [one, two]) source.markUsed(corpus)
    await source.replace('kit', { laidAt: 7, lay: async () => null })
    dropUnusedSources({ root: one, named: [], env, now: Date.now() })
    expect(source.facts()).toMatchObject({ laidAt: 7 })
    dropUnusedSources({ root: two, named: [], env, now: Date.now() })
    expect(source.facts()).toBeNull()
  })
})

describe('a folder beside the root that is gone', () => {
  it('leaves the answers as they were, and is told by the next run', async () => {
    write('wiki/Strings.md', '# Strings\n\nStrings are made of dyneema.\n')
    const engine = open({ roots: ['wiki=../wiki'] })
    await engine.index()
    rmSync(path.join(base, 'wiki'), { recursive: true })
    const { hits, freshness } = await engine.search('dyneema')
    expect(hits.map((hit) => hit.path)).toContain('wiki/Strings.md')
    expect(freshness.state).toBe('stale')
    await expect(engine.index()).rejects.toThrow(/does not exist/)
  })
})
