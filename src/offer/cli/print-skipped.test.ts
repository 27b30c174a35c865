// Does a person see every package that is missing, and not only the first?
import { expect, it } from 'vitest'
import type { SkippedFile } from '../../model/source-file.ts'
import { skippedByReason } from './print-skipped.ts'

it('files are gathered by reason, and by package where one is missing', () => {
  const needs = (path: string, name: string): SkippedFile => ({
    path,
    reason: 'needs-package',
    detail: `npm install ${name}`,
  })
  const large: SkippedFile = { path: 'x.md', reason: 'too-large', detail: '3 MB' }
  expect(
    skippedByReason([needs('a.pdf', 'one'), needs('b.eml', 'two'), large, needs('c.pdf', 'one'), large]),
  ).toEqual([
    '2 needs package: a.pdf, c.pdf; npm install one',
    '2 too large: x.md, x.md',
    '1 needs package: b.eml; npm install two',
  ])
})
