// Are the commands of the documents found, and their outputs compared fairly?
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { maskOutput, readBlocks } from '../scripts/run-documents.ts'

const root = path.join(import.meta.dirname, '..')

it('finds the blocks that run, each with the output that follows it', () => {
  const page =
    '# A\n\n```sh\nyore index\n```\n\n```text\nindexed 2 files\n```\n\n```bash\nyore ui\n```\n\n```sh\nyore status\n```\n\nText.\n\n```text\nno output\n```\n'
  const blocks = readBlocks(page)
  expect(blocks.map(({ commands, output }) => [commands, output])).toEqual([
    ['yore index\n', 'indexed 2 files\n'],
    ['yore status\n', null],
  ])
  expect(page.slice(blocks[0]?.at)).toMatch(/^indexed 2 files\n/)
})

it('masks times, sizes, scores and dates, and nothing else', () => {
  const first =
    'indexed 18 files in 113 ms, 159 files/s\n1. a.md:2-5  Retry  0.88\n**Generated:** 2026-11-17T03:41:53Z\n'
  const later =
    'indexed 18 files in 1.7 s, 11 files/s\n1. a.md:2-5  Retry  0.91\n**Generated:** 2027-01-01T00:00:00Z\n'
  expect(maskOutput(first)).toBe(maskOutput(later))
  expect(maskOutput(first)).not.toBe(maskOutput(later.replace('18', '19')))
})

it('runs commands in every tutorial and in most guides', () => {
  const pages = ['docs/tutorial', 'docs/guides'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  )
  const running = pages.filter((page) => readBlocks(readFileSync(path.join(root, page), 'utf8')).length > 0)
  expect(running.length).toBeGreaterThan(11)
})

it('gives every tutorial on one machine the sample that its reader makes', () => {
  for (const page of ['first-digest', 'care-for-documents', 'with-an-agent']) {
    const [first] = readBlocks(readFileSync(path.join(root, `docs/tutorial/${page}.md`), 'utf8'), 'bash')
    expect(first?.commands).toMatch(
      /^npx yore demo services && cd services\ngit init .*\nnpm install --save-dev yore\n$/,
    )
  }
})
