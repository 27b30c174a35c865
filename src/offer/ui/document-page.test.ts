// Does the page of a document show each fact once?
import { expect, it } from 'vitest'
import type { DocumentDescription } from '../../explore/describe-document.ts'
import { showDocument } from './document-page.ts'
import { renderDocument } from './render-document.ts'

const noFindings = {
  ...{ broken: [], moved: [], ambiguous: [], anchors: [], superseded: [], stale: null },
  ...{ doubtful: [], unindexed: [] },
}

it('lists a line that refers to a document twice once', () => {
  const reference = { path: 'docs/a.md', target: 'b.md', form: 'link', outcome: 'resolved', to: 'docs/b.md' }
  const found = {
    ...{ path: 'docs/a.md', title: 'A', language: 'markdown', text: '# A\n', tokens: 3, modifiedAt: 0 },
    canonicality: { score: 1, reasons: [] },
    ...{ status: 'canonical', sections: [], referencedBy: [] },
    references: [7, 7, 9].map((line) => ({ ...reference, line })),
    freshness: { state: 'fresh', changedFiles: 0, indexedAt: 0 },
  } as unknown as DocumentDescription
  const { text } = showDocument(found, { marked: null, now: 0, links: noFindings })
  expect(text.match(/>7<\/a>/g)).toHaveLength(1)
  // Nobody reads them as lines of the other document.
  expect(text).toContain('this file links to it at lines <a')
  expect(text).toContain('>9</a>')
})

it('marks references by the verdict of the link check, not by their resolution', () => {
  const reference = { path: 'docs/a.md', form: 'link', outcome: 'missing', to: null }
  const found = {
    ...{ path: 'docs/a.md', title: 'A', language: 'markdown', text: '# A\n', tokens: 3, modifiedAt: 0 },
    canonicality: { score: 1, reasons: [] },
    ...{ status: 'canonical', sections: [], referencedBy: [] },
    references: ['gone.md', 'Makefile', 'crate::args'].map((target, at) => ({
      ...reference,
      target,
      line: at + 3,
    })),
    freshness: { state: 'fresh', changedFiles: 0, indexedAt: 0 },
  } as unknown as DocumentDescription
  const link = { path: 'docs/a.md', form: 'link' as const, candidates: [] }
  const links = {
    ...noFindings,
    broken: [{ ...link, line: 3, target: 'gone.md' }],
    doubtful: [{ ...link, line: 5, target: 'crate::args', why: 'a documentation tool makes it' }],
  }
  const { text } = showDocument(found, { marked: null, now: 0, links })
  expect(text.match(/class="tag [a-z]+">[a-z]+</g)).toEqual([
    'class="tag bad">broken<',
    'class="tag plain">doubtful<',
  ])
})

it('lists no reference of a file to itself, names definitions shortly, and links the lists before the text', () => {
  const own = { path: 'src/a.ts', form: 'code', outcome: 'resolved' }
  const found = {
    ...{ path: 'src/a.ts', title: 'a.ts', language: 'typescript', text: 'one()\n', tokens: 3, modifiedAt: 0 },
    canonicality: { score: 1, reasons: [] },
    status: 'canonical',
    sections: [
      {
        id: 'src/a.ts#Tasks.run',
        name: 'async function run(',
        headings: ['Tasks', 'run'],
        level: 1,
        lines: { start: 1, end: 1 },
        tokens: 3,
      },
      {
        id: 'src/a.ts#Tasks.run-1',
        name: 'function run(one: string)',
        headings: ['Tasks', 'run'],
        level: 1,
        lines: { start: 1, end: 1 },
        tokens: 3,
      },
    ],
    references: [
      { ...own, line: 1, target: 'one', to: 'src/a.ts#one' },
      { ...own, line: 1, target: 'two', to: 'src/b.ts#two' },
    ],
    referencedBy: [3, 5].map((line) => ({
      ...own,
      path: 'src/c.ts',
      line,
      target: 'run',
      to: 'src/a.ts#Tasks.run',
    })),
    freshness: { state: 'fresh', changedFiles: 0, indexedAt: 0 },
  } as unknown as DocumentDescription
  const { text } = showDocument(found, { marked: null, now: 0, links: noFindings })
  expect(text).toContain('Refers to · 1<')
  expect(text).toMatch(/title="src\/c\.ts">.*names code of this file at its lines <a/)
  expect(text).toContain('title="async function run(">Tasks.run</span>')
  expect(text).toContain('title="function run(one: string)">Tasks.run</span>')
  expect(text).toContain('<a href="#in">Referenced by · 1</a>')
  expect(text).toContain('id="in"><h2>Referenced by · 1<')
})

it('shows the title of what a role leads to, but not instead of words of its own', async () => {
  const found = {
    ...{ path: 'a.rst', title: 'A', language: 'text', sections: [], canonicality: { score: 1, reasons: [] } },
    text: 'See :ref:`how`, :ref:`this <how>`, :doc:`/b` and :ref:`gone`.',
    references: [
      { target: 'role:how', to: 'b.rst#how', title: 'How to' },
      { target: 'doc:/b', to: 'b.rst', title: 'The b' },
    ],
  } as unknown as DocumentDescription
  const shown = (await renderDocument(found))?.text ?? ''
  expect(shown.match(/>[^<>]+<\/a>/g)).toEqual(['>How to</a>', '>this</a>', '>The b</a>', '>gone</a>'])
})

it('leads to labels and documents of AsciiDoc, by their titles', async () => {
  const set = { id: 'a.adoc#set-up', name: 'Set up', anchor: 'set', lines: { start: 3, end: 4 }, level: 2 }
  const found = {
    ...{
      path: 'a.adoc',
      title: 'A',
      language: 'text',
      sections: [set],
      canonicality: { score: 1, reasons: [] },
    },
    text: '= A\n\n[#set]\n== Set up\n\n<<set>>, <<set,here>>, xref:b.adoc[] and xref:b.adoc#x[there]\n',
    references: [
      { target: 'b.adoc', to: 'b.adoc', title: 'The b' },
      { target: 'b.adoc#x', to: 'b.adoc#x', title: 'X' },
    ],
  } as unknown as DocumentDescription
  const shown = (await renderDocument(found))?.text ?? ''
  expect(shown.match(/>[^<>]+<\/a>/g)).toEqual(['>Set up</a>', '>here</a>', '>The b</a>', '>there</a>'])
  expect(shown.match(/href="[^"]+"/g)).toEqual(
    ['#at-set-up', '#at-set-up', '#at-set-up', '/doc/b.adoc', '/doc/b.adoc#at-x'].map((to) => `href="${to}"`),
  )
})

it('leads from a name in prose to the lines of its definition, or to a search for it', async () => {
  const found = {
    ...{ path: 'a.rst', title: 'A', language: 'text', sections: [], canonicality: { score: 1, reasons: [] } },
    text: 'Call :func:`run`.\n\n.. autofunction:: tasks.stop\n',
    references: [
      { target: ':func:run', to: 'src/b.py#run', definition: { name: 'run', lines: { start: 3, end: 5 } } },
    ],
  } as unknown as DocumentDescription
  const shown = (await renderDocument(found))?.text ?? ''
  expect(shown).toContain('href="/doc/src/b.py?lines=3-5#L3"')
  expect(shown).toContain('href="/doc/stop"')
})
