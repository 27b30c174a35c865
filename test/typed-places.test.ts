// Do places mean what they mean in the folder where they are typed, and are documents safe from `--output`?
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { atPlace, namePlace } from '../src/offer/cli/name-place.ts'
import { refuseSourceFile } from '../src/offer/cli/write-output.ts'
import { type Ran, runYore } from './run-command-line.ts'
import { indexFolder, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

let root: string

beforeAll(async () => {
  root = makeFolder()
  writeFiles(root, {
    'guide.md': '# Outer guide\n\nThe walrus of the root.\n',
    'docs/guide.md': '# Inner guide\n\nThe walrus of the documents.\n\n## Deep end\n\nA walrus swims.\n',
    'docs/a b.md': '# Blank\n\nA name with a blank.\n',
    'docs/emoji.md': '# Ship \u26a1\ufe0f\n\n## Tests\n\nRun them.\n',
    'docs/draft.md': '# Draft\n\nNot for everybody.\n',
    'docs/huge.md': `# Huge\n\n${'word '.repeat(600_000)}\n`,
    'docs/logo.png': 'a,b\n',
    'docs/.cache/note.md': '# Note\n',
    '.gitignore': 'draft.md\nDocs/\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
  })
  await indexFolder(root, { 'embedding.provider': 'none' })
  // As on a file system that ignores case: the same file under another spelling, which no walk lists.
  mkdirSync(path.join(root, 'Docs'), { recursive: true })
  const respelled = path.join(root, 'Docs/guide.md')
  if (!existsSync(respelled)) linkSync(path.join(root, 'docs/guide.md'), respelled)
})

function yore(folder: string, ...args: string[]): Ran {
  return runYore(args, { cwd: path.join(root, folder) })
}

describe('a place', () => {
  it.each([
    ['docs', 'guide.md', 'docs/guide.md'],
    ['docs', './guide.md:3', 'docs/guide.md:3'],
    ['docs', '../guide.md', 'guide.md'],
    ['docs', 'guide.md#deep-end', 'docs/guide.md#deep-end'],
    ['docs', 'docs/guide.md:5-7', 'docs/guide.md:5-7'],
    ['docs', 'a b.md', 'docs/a b.md'],
    ['docs', './guyde.md', 'docs/guyde.md'],
    ['docs', 'ADR-013', 'ADR-013'],
    ['docs', '../../elsewhere.md', '../../elsewhere.md'],
    ['', 'guide.md', 'guide.md'],
    ['..', 'guide.md', 'guide.md'],
  ])('typed in %j as %j is %j', (folder, typed, place) => {
    expect(namePlace(typed, { root, cwd: path.join(root, folder) })).toBe(place)
  })

  it('may be absolute, also through a link to the root', () => {
    const link = `${root}-link`
    symlinkSync(root, link)
    try {
      for (const top of [root, link])
        expect(namePlace(path.join(top, 'docs/guide.md:3'), { root, cwd: '/' })).toBe('docs/guide.md:3')
    } finally {
      rmSync(link)
    }
  })

  it('is understood by read, uses and expand', () => {
    expect(yore('docs', 'read', 'guide.md').stdout).toContain('docs/guide.md:1-7')
    expect(yore('docs', 'uses', 'guide.md').stdout).toContain('docs/guide.md')
    expect(yore('docs', 'expand', '../docs/guide.md#deep-end').stdout).toContain('from docs/guide.md#')
  })

  it('may be copied from a digest, which shows invisible characters as marks', () => {
    expect(yore('', 'read', 'docs/emoji.md#ship-⟦U+FE0F⟧.tests').stdout).toContain('Run them.')
    expect(yore('', 'expand', 'docs/emoji.md#ship-⟦U+FE0F⟧.tests').status).toBe(0)
  })

  it.each([
    ['docs/draft.md', 'ignore rules exclude it'],
    ['docs/draft.md:1-2', 'ignore rules exclude it'],
    ['docs/huge.md', 'the limit is'],
    ['docs/logo.png', 'files that end in .png are not text'],
    ['docs/.cache/note.md', 'folders called .cache are never read'],
    ['Docs/guide.md', 'the index contains nothing named "Docs/guide.md"'],
    ['docs/guyde.md', 'the index contains nothing named "docs/guyde.md"'],
  ])('that is not indexed says why: %s', async (named, reason) => {
    using engine = openCorpus(root)
    const asked = atPlace(engine, { root, cwd: root, named }, (place) => engine.read(place))
    await expect(asked).rejects.toThrow(reason)
  })

  it('in other case names the indexed file', () => {
    expect(yore('', 'read', 'Docs/guide.md').stderr).toContain('did you mean docs/guide.md?')
  })
})

describe('--output', () => {
  it('spares documents of the corpus, and writes nothing', () => {
    const before = readFileSync(path.join(root, 'docs/guide.md'), 'utf8')
    const run = yore('docs', 'assemble', 'walrus', '--output', 'guide.md')
    expect([run.status, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toContain('it is a document of this corpus\nhint: name another file for --output')
    expect(readFileSync(path.join(root, 'docs/guide.md'), 'utf8')).toBe(before)
  })

  it('spares what a link leads to and what is not indexed yet, but nothing that is left out or outside', async () => {
    writeFiles(root, { 'docs/new.md': '# New\n\nAnother walrus.\n' })
    symlinkSync('docs/guide.md', path.join(root, 'link.md'))
    const engine = openCorpus(root)
    const spare = (file: string): Promise<void> => refuseSourceFile(engine, root, path.join(root, file))
    for (const file of ['link.md', 'docs/new.md'])
      await expect(spare(file)).rejects.toThrow('a document of this corpus')
    for (const file of ['docs/draft.md', 'docs/logo.png', 'none.md', '../none.md', '/dev/null'])
      await expect(spare(file)).resolves.toBeUndefined()
    engine.close()
    for (const file of ['link.md', 'docs/new.md']) rmSync(path.join(root, file))
  })

  it.each([
    ['digest.md', 'markdown'],
    ['digest.txt', 'json'],
  ])('writes %s anew when it is a digest', (file, format) => {
    for (const question of ['walrus', 'blank'])
      expect(yore('', 'assemble', question, '--format', format, '--output', file).status).toBe(0)
    expect(readFileSync(path.join(root, file), 'utf8')).toContain('blank')
    rmSync(path.join(root, file))
  })
})
