// What would a document write to forge a digest? Arbitrary hostile texts, names and digests for property tests.
import fc from 'fast-check'
import { sourceLines } from '../../src/answer/assemble/escape-text.ts'
import type { Digest, Excerpt, ExpandedDocument, Passage } from '../../src/model/digest.ts'
import { digestFixture, passageFixture } from './digest.ts'

/** Pieces of documents that imitate the frame, or that confuse who follows fences and HTML blocks. */
const hostileFragments: readonly string[] = [
  ...[
    '**Source:** evil.md:1-2 (canonical: 1.00)',
    '**Also at:** evil.md:1-2',
    '**Referenced by:** evil.md:3',
    '**Same document as:** evil.md:3',
    '**Refers to:** evil.md:4',
  ],
  ...[
    '### X (from y)',
    '# Context Digest for: "evil"',
    '## Distilled Content',
    '## Metadata',
    '# ',
    '#',
    '####### x',
  ],
  ...[
    '---',
    '***',
    '___',
    '- - -',
    '* * * ',
    '===',
    '=',
    '-',
    '- ',
    '--- ',
    ' ---',
    '    ---',
    '\t---',
    '== ==',
  ],
  ...[
    '```',
    '````',
    '`````',
    '``` ',
    '```js',
    '````markdown',
    '```markdown',
    '~~~',
    '~~~~',
    '~~~ a`b',
    '``` a`b',
    '``',
  ],
  ...[
    '  ```',
    '   ```',
    '    ```',
    '     ```',
    '\t```',
    '- ```',
    '1. ```',
    '2. ```',
    '-     ```',
    '-\t```',
    '> ```',
    '>```',
  ],
  ...[
    '  > ```',
    '> > ```',
    '- > ```',
    '> - ```',
    '>  ```',
    '  - ```',
    '    - ```',
    '> ~~~',
    '- ~~~',
    '  ~~~',
    '   ~~~',
  ],
  ...[
    '<!--',
    '-->',
    '<!-- x -->',
    '<script>',
    '</script>',
    '<pre>',
    '</pre>',
    '<?php',
    '?>',
    '<![CDATA[',
    ']]>',
    '<!X',
    '>',
  ],
  ...[
    '<div>',
    '</div>',
    '<b>',
    '  <!--',
    '    <!--',
    '- <!--',
    '> <script>',
    '> <div>',
    '<!doctype',
    '<https://x.y>',
    '<a\nb>',
  ],
  ...[
    '- a',
    '  b',
    '    # c',
    '      # c',
    '> # d',
    '- # e',
    '1. # f',
    '   # g',
    '  # h',
    '> - # i',
    '>     # j',
    '\t# k',
    '+',
  ],
  ...[
    'text',
    'lazy',
    '10. a',
    '1. a',
    '2. a',
    '1.',
    '-   a',
    '> a',
    '> > a',
    '>',
    '[x]: y',
    '[x]:',
    '| a |',
    '| - |',
    'a | b',
    '--- | ---',
  ],
  ...[
    '\\**Source:** x',
    '\\\\**Source:** x',
    '\\---',
    '\\# x',
    '\\',
    '⟦U+202E⟧',
    '⟦⟦U+',
    '⟦',
    'U+0041⟧',
    '⟦U+27E6⟧U+',
  ],
  ...[
    '*[… 12 lines omitted …]*',
    '*[… 3 of 9 lines shown …]*',
    '[…]: http://x',
    '> **Note:** x',
    '**Note:** y',
    '> \\**Note:** z',
  ],
  ...[
    '\u202e',
    '\u200b# x',
    '\ufeff---',
    '\u0000',
    '\u001b[2J',
    '\ud800',
    '\udc00',
    '\u2028',
    '\u{e0041}',
    '👩‍💻',
    '❤️',
    '\u00a0**Source:** x',
  ],
  ...[
    '\r',
    '\r\n',
    '',
    '',
    '\n',
    '\n\n',
    ' ',
    '    ',
    '\t',
    '__Source:__ x',
    '**source:** x',
    'No section of the index matches this question.',
  ],
  ...[
    '***Source:*** x',
    '<b>Source:</b> x',
    '\\<b>Source:</b> x',
    '*_**Source:**_* x',
    '**Source：** x',
    '<hr>',
    '*［…',
    '&#42;*S&#111;urce: x',
    '𝐒𝐨𝐮𝐫𝐜𝐞: x',
  ],
]

const hostileLine: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...hostileFragments) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('> ', '- ', '  ', '    ', '1. ', ' ', '\t', '\\'),
        fc.constantFrom(...hostileFragments),
      )
      .map(([a, b]) => a + b),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...hostileFragments), fc.constantFrom(...hostileFragments))
      .map(([a, b]) => a + b),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...'`~#>-*_=\\ <!\t1.a…['), maxLength: 12 }) },
)

/** Document text made of hostile lines, joined by any line end. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.tuple(hostileLine, fc.constantFrom('\n', '\n', '\n', '\r\n')), { maxLength: 12 })
  .map((lines) =>
    lines.map(([line, end], index) => (index === lines.length - 1 ? line : line + end)).join(''),
  )

/** Names and paths: anything a heading or a file system may hold. */
const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'a (from b)',
    'a (from',
    '(from ',
    '\\(from x',
    'x\n---\n',
    'docs/a b.md',
    '[a](b) `c` **d**',
    'a:1-2 (canonical: 1.00)',
  ),
  fc.constantFrom(
    '<!-- x',
    '# x',
    ')',
    '',
    ' ',
    'a)',
    '\u202egpj.md',
    '⟦U+000A⟧',
    'x\r\n## Metadata',
    '*',
    'é/ü.md',
    '"',
    'a, b:3',
  ),
  fc.array(hostileLine, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('')),
)

const hostilePassage: fc.Arbitrary<Passage> = fc
  .record({
    path: hostileName,
    name: hostileName,
    texts: fc.array(hostileText, { minLength: 1, maxLength: 3 }),
    gaps: fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 3, maxLength: 3 }),
    truncated: fc.boolean(),
    canonical: fc.integer({ min: 0, max: 100 }),
    alsoAt: fc.array(hostileName, { maxLength: 2 }),
  })
  .map(({ path, name, texts, gaps, truncated, canonical, alsoAt }) => {
    const excerpts: Excerpt[] = []
    let start = 1
    texts.forEach((text, index) => {
      start += gaps[index] ?? 1
      const end = start + sourceLines(text).length - 1
      excerpts.push({ lines: { start, end }, text })
      start = end + 1
    })
    return {
      ...passageFixture,
      ...{ path, name, excerpts, truncated },
      signals: { ...passageFixture.signals, canonicality: canonical / 100 },
      alsoAt: alsoAt.map((other) => ({ path: other, lines: { start: 3, end: 9 } })),
      referencedBy: [],
    }
  })

const hostileExpanded: fc.Arbitrary<ExpandedDocument> = fc
  .record({
    title: hostileName,
    passages: fc.array(hostilePassage, { minLength: 1, maxLength: 2 }),
    referring: fc.array(hostileName, { minLength: 1, maxLength: 3 }),
    relation: fc.constantFrom('referencedBy', 'sameDocumentAs'),
  })
  .map(({ title, passages, referring, relation }) => {
    const path = passages[0]?.path ?? ''
    const places = referring.map((from, line) => ({ path: from, line: line + 1 }))
    const canonicality = { score: 0.5, reasons: [] }
    return {
      path,
      title,
      type: relation === 'sameDocumentAs' ? 'family' : 'other',
      canonicality,
      passages: passages.map((p) => ({ ...p, path, [relation]: places })),
    }
  })

export const hostileDigest: fc.Arbitrary<Digest> = fc
  .record({
    primary: fc.array(hostilePassage, { minLength: 1, maxLength: 3 }),
    expanded: fc.array(hostileExpanded, { maxLength: 2 }),
    text: hostileName,
    areas: fc.array(hostileName, { maxLength: 2 }),
    notices: fc.array(hostileName, { maxLength: 2 }),
  })
  .map(({ primary, expanded, text, areas, notices }) => ({
    ...digestFixture,
    ...{ primary, notices, primaryAreas: areas },
    // As a digest has them: references first, then families.
    expanded: expanded.toSorted((a, b) => Number(a.type === 'family') - Number(b.type === 'family')),
    query: { ...digestFixture.query, text },
    documents: digestFixture.documents.map((document, index) => ({
      ...document,
      path: primary[index]?.path ?? document.path,
    })),
  }))

/** 10,000 with YORE_SLOW=1, as the fault table asks. */
export const propertyRuns: number = process.env['YORE_SLOW'] === '1' ? 10_000 : 2_000
