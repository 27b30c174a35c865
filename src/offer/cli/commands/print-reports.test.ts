// Do the summaries of index, status and doctor say what happened and what to do next?
import { describe, expect, it } from 'vitest'
import type { DoctorCheck, IndexReport, StatusReport } from '../../../model/report.ts'
import type { SkippedFile } from '../../../model/source-file.ts'
import { makePalette } from '../format.ts'
import { freshnessNote } from '../terminal.ts'
import { hasProblem, printDoctor } from './doctor.ts'
import { printIndex } from './index.ts'
import { printStatus } from './status.ts'

const palette = makePalette(false)
const large = (path: string): SkippedFile => ({
  path,
  reason: 'too-large',
  detail: '3.1 MB, the limit is 2 MB',
})
const skipped: readonly SkippedFile[] = [
  { path: '.env', reason: 'secret', detail: 'its name' },
  ...['a.md', 'b.md', 'c.md', 'd.md', 'e.md'].map(large),
]
const counts = { files: 12, sections: 1234, tokens: 45_678, indexBytes: 2_000_000, sourceBytes: 3000 }
const report: IndexReport = {
  ...counts,
  root: '/r',
  indexPath: '/r/.yore/index.db',
  indexed: 12,
  unchanged: 0,
  removed: 1,
  skipped,
  ignored: 7,
  unsupported: { '.png': 3, '.ts': 20 },
  milliseconds: 400,
  rebuilt: false,
  notices: [],
  vectors: { model: null, embedded: 0, total: 0, note: 'no built-in model in this installation' },
}
const status: StatusReport = {
  ...counts,
  root: '/r',
  indexPath: '/r/.yore/index.db',
  schemaVersion: 1,
  yoreVersion: '0.1.0',
  indexedAt: 0,
  freshness: { state: 'fresh', changedFiles: 0, indexedAt: 0 },
  fragments: 1300,
  languages: { markdown: 10, text: 2 },
  kinds: { docs: 10, code: 2 },
  generic: {},
  roles: {},
  skipped,
  ignored: 7,
  unsupported: {},
  masked: [],
  vectors: {
    model: 'static-512-1a5ed699c266',
    embedded: 30,
    total: 40,
    note: 'run `yore index` to embed the rest',
  },
  sources: [
    { name: 'wiki', entry: 'wiki=../wiki', origin: null, fetchedAt: null },
    { name: 'kit', entry: 'kit=https://example.org/kit.git#v1', origin: 'v1, 3f1c9a', fetchedAt: 0 },
  ],
}

describe('printIndex', () => {
  it('counts what was read, left out by reason, and held', () => {
    expect(
      printIndex(report, { palette, rootFlag: '' }),
    ).toBe(`indexed 12 files (0 unchanged, 1 removed, 6 skipped) in 400 ms, 30 files/s
  skipped     5 too large: a.md, b.md, c.md, and 2 more
              1 secret: .env
              \`yore status --skipped\` lists them all
  excluded    7 by ignore rules
              23 that are not text by their names: .ts 20, .png 3
  content     12 files, 1,234 sections, 45,678 tokens
  embeddings  words only: no built-in model in this installation
  index       /r/.yore/index.db (1.9 MB for 2.9 KB of text)
  next        yore assemble "<your question>"
`)
  })

  it('says how to reach a corpus that is not the one of the current folder', () => {
    const text = printIndex(report, { palette, rootFlag: ' --root docs' })
    expect(text).toContain('`yore status --skipped --root docs`')
    expect(text).toContain('yore assemble "<your question>" --root docs')
  })
})

describe('printStatus', () => {
  const options = { palette, now: 3 * 3_600_000, skipped: false, masked: false }

  it('says how many secrets were masked, and where', () => {
    const masked = [1, 2, 3, 4].map((line) => ({ path: 'a.md', line, kind: 'aws-key' }))
    const text = printStatus({ ...status, masked }, options)
    expect(text).toContain('masked      4 secrets in 1 file: aws-key 4\n            a.md:1 aws-key\n')
    expect(text).toContain('(`yore status --masked` lists them all)')
    expect(printStatus({ ...status, masked }, { ...options, masked: true })).toContain('a.md:4 aws-key\n')
    expect(printStatus(status, { ...options, masked: true })).toBe('nothing was masked\n')
  })

  it('says how fresh the index is in words', () => {
    expect(printStatus(status, options)).toContain('yes, indexed 3 hours ago; no file has changed since')
    const stale: StatusReport = { ...status, freshness: { state: 'stale', changedFiles: 1, indexedAt: 0 } }
    expect(printStatus(stale, options)).toContain(
      'no, indexed 3 hours ago; 1 file has changed since: run `yore index`',
    )
    const empty = { files: 0, languages: {}, sourceBytes: 0 }
    const begun = { ...status, ...empty, freshness: { state: 'incomplete', changedFiles: 0, indexedAt: 0 } }
    const text = printStatus(begun as StatusReport, options)
    expect(text).toContain('no, the index is not complete: run `yore index`')
    expect(text).toContain('content     0 files, 0 B of text')
  })

  it('says what is read beside the root, and since when it is here', () => {
    expect(printStatus(status, options)).toContain(
      `sources     wiki: ../wiki
            kit: https://example.org/kit.git#v1 (v1, 3f1c9a), fetched 3 hours ago
            (\`yore index --fetch\` fetches again)
`,
    )
  })

  it('lists every skipped file with its reason when asked', () => {
    const list = printStatus(status, { ...options, skipped: true })
    for (const { path, detail } of skipped) expect(list).toContain(`  ${path}  ${detail}\n`)
    expect(printStatus({ ...status, skipped: [] }, { ...options, skipped: true })).toBe(
      'no file was skipped\nnot listed: 7 by ignore rules\n',
    )
    const others = { ...status, ignored: 0, unsupported: { '.png': 3, '.csv': 1 } }
    expect(printStatus(others, { ...options, skipped: true })).toContain(
      '\nnot listed: 4 that are not text by their names: .png 3, .csv 1\n',
    )
  })
})

describe('printDoctor', () => {
  const ok: DoctorCheck = { name: 'index', verdict: 'ok', looked: 'index.db', found: 'opens', fix: null }
  const bad: DoctorCheck = { ...ok, verdict: 'problem', found: 'damaged', fix: '`yore index --rebuild`' }

  it('shows mark, what was looked at and found, and the fix', () => {
    expect(printDoctor([ok, bad], palette)).toBe(
      '✓ index: opens (index.db)\n✗ index: damaged (index.db)\n  fix: `yore index --rebuild`\n\n1 problem found\n',
    )
  })

  it('counts only problems as failure', () => {
    expect(hasProblem([ok, { ...bad, verdict: 'warning' }])).toBe(false)
    expect(hasProblem([ok, bad])).toBe(true)
    expect(printDoctor([ok], palette)).toContain('no problem found')
  })
})

describe('freshnessNote', () => {
  it('speaks only when the index was or is behind', () => {
    expect(freshnessNote({ state: 'fresh', changedFiles: 0, indexedAt: 0 }, 1)).toBeNull()
    expect(freshnessNote({ state: 'unchecked', changedFiles: 0, indexedAt: 0 }, 120_000)).toBe(
      'no file was compared with the index, which was built 2 minutes ago',
    )
    const compared = { files: 20_000, of: 104_000 }
    expect(freshnessNote({ state: 'fresh', changedFiles: 0, indexedAt: 0, compared }, 1)).toBe(
      '20,000 of 104,000 files and those shown were compared with the index: `yore index` compares all',
    )
    expect(freshnessNote({ state: 'refreshed', changedFiles: 1, indexedAt: 0 }, 1)).toBe(
      're-indexed 1 changed file first',
    )
    expect(freshnessNote({ state: 'stale', changedFiles: 2, indexedAt: 0 }, 120_000)).toBe(
      '2 changed files since the index was built (2 minutes ago): run `yore index` to include the changes',
    )
    expect(
      freshnessNote({ state: 'stale', changedFiles: 2, indexedAt: 0, readOnly: true }, 120_000),
    ).toContain('not included, because the index cannot be written here')
    expect(freshnessNote({ state: 'incomplete', changedFiles: 1200, indexedAt: 0 }, 120_000)).toBe(
      'the index is not complete, 1,200 files are missing: run `yore index`',
    )
  })
})
