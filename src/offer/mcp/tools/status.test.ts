// Does an agent learn how the index stands?
import { expect, it } from 'vitest'
import type { StatusReport } from '../../../model/report.ts'
import { statusResult } from './status.ts'

const report: StatusReport = {
  root: '/r',
  indexPath: '/r/.yore/index.db',
  schemaVersion: 1,
  yoreVersion: '1.0.0',
  indexedAt: 0,
  freshness: { state: 'incomplete', changedFiles: 12, indexedAt: 0 },
  files: 0,
  sections: 0,
  fragments: 0,
  tokens: 0,
  indexBytes: 0,
  sourceBytes: 0,
  languages: {},
  generic: {},
  roles: {},
  skipped: [],
  ignored: 0,
  unsupported: {},
  masked: [],
  sources: [],
  vectors: { model: null, embedded: 0, total: 0, note: null },
}

it('says that an index was never completed, and names no time at which it was', () => {
  const { content, structuredContent } = statusResult(report)
  const text = JSON.stringify(content)
  expect(text).toContain('the index is not complete, 12 files are missing: run `yore index`')
  expect(text).not.toContain('1970')
  expect(structuredContent).toMatchObject({
    freshness: { state: 'incomplete', changedFiles: 12, indexedAt: null },
  })
})
