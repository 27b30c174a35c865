// What do repositories look like whose pages refer to each other at random? Generators for tests of references.
import path from 'node:path'
import fc from 'fast-check'
import type { Files } from './temporary-corpus.ts'

/** Every page that a random repository may have. */
export const pages: readonly string[] = [
  'README.md',
  'docs/alpha.md',
  'docs/beta.md',
  'docs/adr/ADR-001-alpha.md',
  'docs/adr/ADR-002-beta.md',
  'docs/archive/ADR-002-gamma.md',
  'team/adr-003-delta.md',
  'docs/architecture/alpha-design.md',
  'docs/operations/beta-runbook.md',
  'guide/_index.md',
  'guide/setup.md',
  'guide/deep/beta.md',
  'notes/plain.txt',
  'with space/page one.md',
]
const headings = ['Context', 'Decision', 'Restart', 'Overview', 'Alpha beta', 'Gamma', 'Ünïcode & more']
const anchors = ['context', 'decision', 'restart', 'overview', 'alpha-beta', 'gamma', 'nowhere', 'Gamma']
const words = (
  'alpha beta gamma delta queue worker retry lease token budget digest index cluster shard replica leader election ' +
  'pipeline release branch review vault alert metric latency deadline client server cache trace'
).split(' ')
/** Every word that the corpora are made of. */
export const topics: readonly string[] = words

type Style = 'relative' | 'absolute' | 'bare' | 'site' | 'name' | 'host'

function targetOf(style: Style, from: string, to: string): string {
  const encoded = to.replaceAll(' ', '%20')
  switch (style) {
    case 'relative':
      return path.posix.relative(path.posix.dirname(from), to).replaceAll(' ', '%20')
    case 'absolute':
      return `/${encoded}`
    case 'bare':
      return path.posix
        .relative(path.posix.dirname(from), to)
        .replaceAll(' ', '%20')
        .replace(/\.\w+$/, '')
    case 'site':
      return `/${encoded
        .split('/')
        .slice(1)
        .join('/')
        .replace(/\.\w+$/, '')}/`
    case 'name':
      return path.posix.basename(encoded)
    case 'host':
      return `https://github.com/some/where/blob/main/${encoded}`
  }
}

const page = fc.constantFrom(...pages)
const link = fc.record({
  style: fc.constantFrom<Style>(
    'relative',
    'relative',
    'relative',
    'absolute',
    'bare',
    'site',
    'name',
    'host',
  ),
  to: page,
  anchor: fc.option(fc.constantFrom(...anchors), { nil: null, freq: 2 }),
})
const loose = fc.constantFrom(
  'ADR-001',
  'adr 2',
  'ADR_003',
  'ADR-004',
  '[gone](gone.md)',
  '[here](#context)',
  '[out](https://example.com/a.md)',
  '![picture](alpha.png)',
  '`ADR-001`',
  '[guide](/guide/)',
)
type Reference = { readonly style: Style; readonly to: string; readonly anchor: string | null } | string
const reference: fc.Arbitrary<Reference> = fc.oneof(
  { weight: 3, arbitrary: link },
  { weight: 2, arbitrary: loose },
)
const sentence = fc.record({
  before: fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 12 }),
  references: fc.array(reference, { minLength: 1, maxLength: 3 }),
})
const section = fc.record({
  level: fc.integer({ min: 1, max: 3 }),
  heading: fc.constantFrom(...headings),
  sentences: fc.array(sentence, { minLength: 1, maxLength: 4 }),
})

/** A page before it has a place: relative links are written for the place that it gets. */
export interface PageText {
  readonly front: string
  readonly sections: readonly {
    readonly level: number
    readonly heading: string
    readonly sentences: readonly {
      readonly before: readonly string[]
      readonly references: readonly Reference[]
    }[]
  }[]
}

export const randomPage: fc.Arbitrary<PageText> = fc.record({
  front: fc.constantFrom(
    '',
    '',
    '',
    '---\ntitle: ADR-003 of the team\n---\n',
    '---\naliases: [/docs/gamma]\n---\n',
    '---\nstatus: superseded\nsuperseded_by: ADR-001\n---\n',
    '---\nslug: beta\n---\n',
  ),
  sections: fc.array(section, { minLength: 1, maxLength: 5 }),
})

/** The text of a page at its place. */
export function writePage(place: string, { front, sections }: PageText): string {
  const write = (one: Reference): string =>
    typeof one === 'string'
      ? one
      : `[${one.to}](${targetOf(one.style, place, one.to)}${one.anchor === null ? '' : `#${one.anchor}`})`
  const blocks = sections.flatMap(({ level, heading, sentences }) => [
    `${'#'.repeat(level)} ${heading}`,
    ...sentences.map(({ before, references }) => [...before, ...references.map(write)].join(' ')),
  ])
  return `${front}${blocks.join('\n\n')}\n`
}

/** Two to fourteen pages. */
export const randomLinks: fc.Arbitrary<Files> = fc
  .uniqueArray(fc.tuple(page, randomPage), {
    minLength: 2,
    maxLength: pages.length,
    selector: ([place]) => place,
  })
  .map((entries) => Object.fromEntries(entries.map(([place, text]) => [place, writePage(place, text)])))
