// Does anything in a file, a name or a question break yore from end to end? T13, T17, T18 and T22 through the engine.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { YoreError } from '../src/model/errors.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { parseDigest } from './parse-digest.ts'
import { processorTime } from './processor-time.ts'
import { copyFixture, type Files, makeFolder, openCorpus, slow, writeFiles } from './temporary-corpus.ts'

const QUESTIONS = slow ? 10_000 : 500

/** What a reader cannot see: controls but line ends and tabs, direction switches, zero-width characters, tags. */
const invisible =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

const many = (text: string, chars = 40_000): string => text.repeat(Math.ceil(chars / text.length))

const hostileMarkdown: Readonly<Record<string, string>> = {
  brackets: many('['),
  links: many('[a](', 30_000),
  images: many('![', 30_000),
  emphasis: many('*a **a '),
  'list-on-one-line': many('- '),
  'deep-list': Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  quotes: `${many('> ', 20_000)}a`,
  'lazy-quotes': many('> a\nb\n'),
  backticks: Array.from({ length: 250 }, (_, length) => `e${'`'.repeat(length)}`).join('\n'),
  fences: many('```a\n~~~\n'),
  comments: many('<!-- \n'),
  tags: many('<a href="', 30_000),
  html: many('<?\n<!A\n<![CDATA[\n<script>\n'),
  'long-table': `| a | b |\n|---|---|\n${many('| x | y |\n')}`,
  'wide-table': `${many('|a', 10_000)}|\n${many('|-', 10_000)}|\n`,
  'table-heads': many('a|b\n-|-\n\n'),
  definitions: Array.from({ length: 1500 }, (_, at) => `[label ${at}]: <url> "title"`).join('\n'),
  'open-definitions': many('[a\n'),
  'open-titles': many('[a]: b "\n'),
  entities: many('&amp;&#35;&x', 30_000),
  headings: many('# a\n', 8_000),
  'climbing-headings': many('# a\n###### a\n## a\n', 8_000),
  'long-setext': `${many('word word\n')}===\n`,
  blanks: `x\n${many(' \n\t\n')}`,
  returns: `x${many('\r\r\n\n')}`,
  rules: many('---\n***\n- - -\n'),
}

describe('T13: hostile Markdown', () => {
  it('is indexed and quoted like any other', async () => {
    const root = makeFolder()
    const files = Object.entries(hostileMarkdown).map(([name, text]) => [
      `${name}.md`,
      `# The ${name} page\n\nThe lighthouse keeper wrote this.\n\n${text}\n\n## Afterwards\n\nThe lighthouse again.\n`,
    ])
    writeFiles(root, Object.fromEntries(files))
    using engine = openCorpus(root)
    const started = processorTime()
    const report = await engine.index()
    expect(report.skipped).toEqual([])
    expect(report.indexed).toBe(files.length)
    expect(processorTime() - started).toBeLessThan(5_000 * files.length)
    const { output } = await engine.assemble('lighthouse keeper', { sections: 100, maxTokens: 20_000 })
    expect(parseDigest(output).passages.length).toBeGreaterThan(0)
    const { hits } = await engine.search('lighthouse keeper', { limit: 100 })
    expect(new Set(hits.map(({ path }) => path)).size).toBe(files.length)
  }, 130_000)
})

describe('T17: hostile frontmatter', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (let at = 1; at < 12; at++) {
    const [name, before] = [String.fromCharCode(97 + at), String.fromCharCode(96 + at)]
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`)
  }
  const files: Files = {
    'js.md': '---js\nglobalThis.ranFrontmatter = true; process.exit(3)\n---\n# One\n\nlighthouse one\n',
    'javascript.md':
      '---javascript\n{ get title() { globalThis.ranFrontmatter = true } }\n---\n# Two\n\nlighthouse two\n',
    'tag.md':
      '---\ntitle: !!js/function "function () { globalThis.ranFrontmatter = true }"\n---\n# Three\n\nlighthouse three\n',
    'bomb.md': `---\n${bomb.join('\n')}\n---\n# Four\n\nlighthouse four\n`,
    'proto.md':
      '---\n__proto__:\n  polluted: yes\nconstructor:\n  prototype:\n    polluted: yes\ntitle: Five\n---\n# Five\n\nlighthouse five\n',
    'merge.md': '---\nbase: &base\n  __proto__: {polluted: yes}\n<<: *base\n---\n# Six\n\nlighthouse six\n',
  }

  it('runs nothing, pollutes nothing, costs nothing, and the document is found', async () => {
    const root = makeFolder()
    writeFiles(root, files)
    using engine = openCorpus(root)
    const started = processorTime()
    const report = await engine.index()
    expect(report.indexed).toBe(6)
    expect(processorTime() - started).toBeLessThan(3_000)
    expect(globalThis).not.toHaveProperty('ranFrontmatter')
    expect({}).not.toHaveProperty('polluted')
    const { hits } = await engine.search('lighthouse', { mode: 'lexical' })
    expect(hits.map(({ path }) => path).sort()).toEqual(Object.keys(files).sort())
  })
})

function utf16(text: string, order: 'LE' | 'BE'): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return order === 'LE' ? bytes : bytes.swap16()
}

describe('T18: hostile characters', () => {
  const page = (name: string): string => `# ${name}\n\nfirst line\n\nThe lighthouse of ${name} stands here.\n`
  const files: Files = {
    'utf16le.md': utf16(page('little'), 'LE'),
    'utf16be.md': utf16(page('big'), 'BE'),
    'bom.md': `\ufeff${page('marked')}`,
    'nul.md': Buffer.from(page('nul').replace('first', 'fi\0rst')),
    'late-nul.md': Buffer.from(`${page('late')}${'x '.repeat(5000)}\n\0\n`),
    'invalid.md': Buffer.concat([Buffer.from(page('invalid').repeat(5)), Buffer.from([0xc3, 0x28, 0xff])]),
    'surrogate.md': utf16(page('lone').repeat(20).replace('first', 'fi\ud800rst'), 'LE'),
    'bidi.md': page('bidi \u202eedis\u202c \u2066x\u2069').replace(
      'first',
      'fi\u200brst \u00ad\u200e\u{e0041}',
    ),
    'heading.md': '# zero\u200bwidth \u202eheading\n\nfirst line\n\nThe lighthouse of headings.\n',
    'separators.md': page('separators').replace('first', 'a\u2028b\u2029c\u0085d'),
    'returns.md': page('returns').replaceAll('\n', '\r'),
    'both.md': page('both').replaceAll('\n', '\r\n'),
    'zero\u200bwidth.md': page('names'),
    'right\u202eleft.md': page('switched'),
    'emoji-👩‍👩‍👧.md': page('👩‍👩‍👧 🏳️‍🌈'),
  }
  let engine: Engine
  beforeAll(async () => {
    const root = makeFolder()
    writeFiles(root, files)
    engine = openCorpus(root)
    await engine.index()
  })
  afterAll(() => engine.close())

  it('skips what is no text or cannot be shown, with the reason', async () => {
    const { skipped, files: count } = await engine.status()
    const reasons = Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))
    expect(Object.values(reasons).sort()).toEqual(['binary', 'unusual-name'])
    expect(reasons['nul.md']).toBe('binary')
    expect(count).toBe(Object.keys(files).length - 2)
  })

  it('shows every invisible character, in text, headings and names, in both formats', async () => {
    for (const format of ['markdown', 'json'] as const) {
      const { output, digest } = await engine.assemble('lighthouse', {
        format,
        sections: 100,
        maxTokens: 20_000,
      })
      expect(digest.primary.length).toBeGreaterThanOrEqual(13)
      expect(output).not.toMatch(invisible)
      expect(output.isWellFormed()).toBe(true)
    }
  })

  it('names the right lines, whatever the encoding and the line ends', async () => {
    const { output } = await engine.assemble('lighthouse', { sections: 100, maxTokens: 20_000 })
    const { passages } = parseDigest(output)
    for (const name of 'utf16le.md utf16be.md bom.md bidi.md separators.md returns.md both.md'.split(' ')) {
      const passage = passages.find(({ path }) => path === name)
      expect([name, passage?.ranges], name).toEqual([name, [{ start: 1, end: 5 }]])
      const text = passage?.texts[0] ?? []
      expect(text.findIndex((line) => line.includes('lighthouse')) - text.length).toBe(-1)
      expect(text).toHaveLength(3)
    }
  })

  it('keeps search excerpts and answers well formed', async () => {
    const { hits } = await engine.search('lighthouse', { limit: 50 })
    for (const { excerpt, path } of hits) {
      expect(excerpt.text.isWellFormed(), path).toBe(true)
      expect(excerpt.text).toContain('lighthouse')
    }
  })
})

describe('T22: arbitrary questions', () => {
  let engine: Engine
  beforeAll(async () => {
    const root = makeFolder()
    copyFixture('services', root)
    engine = openCorpus(root)
    await engine.index()
  })
  afterAll(() => engine.close())

  const syntax = fc.constantFrom(
    ...[
      '"',
      "'",
      '*',
      'AND',
      'OR',
      'NOT',
      'NEAR(',
      ')',
      '^',
      ':',
      '-',
      '--',
      '\\',
      '\0',
      '%',
      '_',
      ';',
      '{',
      '}',
      '$(',
      '`',
    ],
    ...[
      'service',
      'deploy',
      'retry',
      '“',
      '”',
      '部署',
      '\u202e',
      '\ud800',
      '👩‍👩‍👧',
      '\n',
      '\t',
      'services.yaml',
      'a'.repeat(300),
    ],
  )
  const question = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.array(syntax, { maxLength: 40 }).map((parts) => parts.join(' ')),
    fc.array(syntax, { maxLength: 40 }).map((parts) => parts.join('')),
    fc
      .tuple(syntax, fc.integer({ min: 1, max: 5_000 }))
      .map(([part, times]) => part.repeat(Math.min(times, 20_000 / part.length))),
  )

  it(
    'are answered or refused, never a crash',
    async () => {
      await fc.assert(
        fc.asyncProperty(question, fc.constantFrom('markdown', 'json'), async (text, format) => {
          try {
            const { output } = await engine.assemble(text, { format, maxTokens: 2000 })
            if (format === 'json') JSON.parse(output)
            else parseDigest(output)
            await engine.search(text)
          } catch (cause) {
            if (!(cause instanceof YoreError)) throw cause
          }
        }),
        { numRuns: QUESTIONS },
      )
    },
    slow ? 1_200_000 : 120_000,
  )
})
