// Is the corpus the folder that a person would expect?
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { findCorpus } from './find-root.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'yore-root-')))
  for (const name of ['repository/.git', 'repository/docs/deep', 'loose/docs', 'loose/more']) {
    mkdirSync(path.join(folder, name), { recursive: true })
  }
})

const at = (name: string) => path.join(folder, name)

describe('inside a repository', () => {
  it('is the top folder, from any depth', () => {
    const found = findCorpus({ cwd: at('repository/docs/deep') })
    expect(found).toEqual({ root: at('repository'), indexDir: at('repository/.yore'), paths: [] })
  })

  it('confines to given paths, relative to the top', () => {
    const found = findCorpus({ cwd: at('repository/docs'), paths: ['deep', '.'] })
    expect(found).toMatchObject({ root: at('repository'), paths: ['docs/deep', 'docs'] })
  })

  it('means everything when the top folder itself is named', () => {
    expect(findCorpus({ cwd: at('repository'), paths: ['docs', '.'] }).paths).toEqual([])
  })

  it('counts a .git file, as worktrees have it', () => {
    writeFileSync(at('loose/docs/.git'), 'gitdir: elsewhere')
    expect(findCorpus({ cwd: at('loose/docs') }).root).toBe(at('loose/docs'))
  })

  it('refuses a path outside, with the command that would make it a corpus', () => {
    expect(() => findCorpus({ cwd: at('repository'), paths: ['../loose'] })).toThrow(
      expect.objectContaining({
        code: 'OUTSIDE_ROOT',
        hint: expect.stringContaining('yore index --root ../loose'),
      }),
    )
  })
})

describe('outside of any repository', () => {
  it('is the one folder that is given', () => {
    const found = findCorpus({ cwd: at('loose'), paths: ['docs'] })
    expect(found).toEqual({ root: at('loose/docs'), indexDir: at('loose/docs/.yore'), paths: [] })
  })

  it('is the current folder for several paths, one file or none', () => {
    writeFileSync(at('loose/a.md'), '')
    expect(findCorpus({ cwd: at('loose'), paths: ['docs', 'more'] })).toMatchObject({
      root: at('loose'),
      paths: ['docs', 'more'],
    })
    expect(findCorpus({ cwd: at('loose'), paths: ['a.md'] })).toMatchObject({
      root: at('loose'),
      paths: ['a.md'],
    })
    expect(findCorpus({ cwd: at('loose') }).root).toBe(at('loose'))
  })

  it('is the folder around an index called .yore', () => {
    expect(findCorpus({ cwd: at('loose'), index: 'docs/.yore' })).toMatchObject({
      root: at('loose/docs'),
      indexDir: at('loose/docs/.yore'),
    })
  })

  it('finds an existing index upwards', () => {
    mkdirSync(at('loose/.yore'))
    expect(findCorpus({ cwd: at('loose/docs') }).root).toBe(at('loose'))
  })
})

it('always obeys --root', () => {
  expect(findCorpus({ cwd: at('repository'), root: '../loose' })).toMatchObject({
    root: at('loose'),
    indexDir: at('loose/.yore'),
  })
  expect(() => findCorpus({ cwd: folder, root: 'missing' })).toThrow('no such folder')
})

it('refuses a path that does not exist and an index that is a file', () => {
  expect(() => findCorpus({ cwd: at('loose'), paths: ['missing', 'docs'] })).toThrow(
    'no such file or folder: missing',
  )
  writeFileSync(at('loose/index.db'), '')
  expect(() => findCorpus({ cwd: at('loose'), index: 'index.db' })).toThrow('--index must name a folder')
})
