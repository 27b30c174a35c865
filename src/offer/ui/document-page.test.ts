// Does the page of a document show each fact once?
import { expect, it } from 'vitest'
import type { DocumentDescription } from '../../explore/describe-document.ts'
import { showDocument } from './document-page.ts'

it('lists a line that refers to a document twice once', () => {
  const reference = { path: 'docs/a.md', target: 'b.md', form: 'link', outcome: 'resolved', to: 'docs/b.md' }
  const found = {
    ...{ path: 'docs/a.md', title: 'A', language: 'markdown', text: '# A\n', tokens: 3, modifiedAt: 0 },
    canonicality: { score: 1, reasons: [] },
    ...{ status: 'canonical', sections: [], referencedBy: [] },
    references: [7, 7, 9].map((line) => ({ ...reference, line })),
    freshness: { state: 'fresh', changedFiles: 0, indexedAt: 0 },
  } as unknown as DocumentDescription
  const { text } = showDocument(found, { marked: null, now: 0, root: null })
  expect(text.match(/>7<\/a>/g)).toHaveLength(1)
  expect(text).toContain('>9</a>')
})
