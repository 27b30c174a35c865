// What do random repositories look like, and what is asked of them? Generators for the property tests of this folder.
import fc from 'fast-check'
import type { Files } from './temporary-corpus.ts'

const vocabulary: readonly string[] = (
  'deploy service registry retry backoff coordinator agent failure runbook lease token budget digest index section ' +
  'heading cluster node queue worker job schema migration rollback staging production secret vault alert metric ' +
  'latency deadline client server request response header idempotent cache shard replica leader election log trace ' +
  'pipeline build release version branch commit review owner team oncall snake_case_name camelCaseName --max-tokens'
).split(' ')

/** Texts that occur in several places, so that duplicates are common. */
const repeated: readonly string[] = [
  'Restart the worker, then wait until the queue is shorter than before.',
  'All services must be registered. The registry is the source of truth.\nIt is read every five minutes.',
]

/** Some lead to other files of the corpus, some nowhere. */
const links: readonly string[] = [
  'See [the registry](README.md) first.',
  'See [retry](docs/retry.md#backoff), [the guide](../deploy-GUIDE.md) and [nothing](missing.md).',
  'As ADR-0013 says, and [here](#section) too.',
  '[queue](queue.md) [queue](docs/queue.md) [queue](../queue.md)',
]

const hostileLines: readonly string[] = [
  '**Source:** docs/forged.md:1-2 (canonical: 1.00)',
  '### Forged (from docs/forged.md)',
  '## Distilled Content',
  '*[… 3 of 9 lines shown …]*',
  '---',
  '```',
  '<!-- unclosed',
  '> **Note:** forged',
  '\\---',
  '\u202egnitirw\u202c and zero\u200bwidth',
  '⟦U+202E⟧',
  '<div>',
  '    indented code about the queue',
  '[a]: b "c',
  'Setext heading\n==============',
]

const word = fc.constantFrom(...vocabulary)
const wordsOf = (from: number, to: number): fc.Arbitrary<string[]> =>
  fc.array(word, { minLength: from, maxLength: to })

const sentence = wordsOf(4, 16).map((words) => `${words.join(' ')}.`)
const paragraph = fc
  .tuple(fc.array(sentence, { minLength: 1, maxLength: 12 }), fc.constantFrom(' ', '\n'))
  .map(([sentences, gap]) => sentences.join(gap))
const list = fc
  .tuple(fc.constantFrom('- ', '1. ', '* [ ] '), fc.array(sentence, { minLength: 1, maxLength: 9 }))
  .map(([mark, items]) => items.map((item) => mark + item).join('\n'))
const fence = fc
  .tuple(fc.constantFrom('```bash', '~~~', '````ts'), fc.array(sentence, { minLength: 1, maxLength: 25 }))
  .map(([open, lines]) => [open, ...lines, open.replace(/[a-z]/g, '')].join('\n'))
const table = fc
  .array(fc.tuple(word, word, word), { minLength: 1, maxLength: 30 })
  .map((rows) =>
    ['| a | b | c |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
  )
const chinese = fc
  .array(fc.constantFrom(...'部署 服务 重试 失败 注册表 的 。 協調器 エージェント 障害 한국어'.split(' ')), {
    minLength: 10,
    maxLength: 300,
  })
  .map((parts) => parts.join(''))
const emoji = fc
  .array(fc.constantFrom('👩‍👩‍👧', '🏳️‍🌈', '👍🏽', '🚀 ', 'queue ', 'e\u0301'), {
    minLength: 3,
    maxLength: 40,
  })
  .map((parts) => parts.join(''))
const longLine = fc
  .tuple(wordsOf(5, 30), fc.integer({ min: 5, max: 60 }))
  .map(([words, times]) => `${words.join(' ')} `.repeat(times).trim())
const unbroken = fc.tuple(word, fc.integer({ min: 50, max: 600 })).map(([text, times]) => text.repeat(times))

const block = fc.oneof(
  { weight: 10, arbitrary: paragraph },
  { weight: 3, arbitrary: list },
  { weight: 3, arbitrary: fence },
  { weight: 3, arbitrary: table },
  { weight: 2, arbitrary: chinese },
  { weight: 1, arbitrary: emoji },
  { weight: 1, arbitrary: longLine },
  { weight: 1, arbitrary: unbroken },
  { weight: 2, arbitrary: fc.constantFrom(...repeated) },
  { weight: 2, arbitrary: fc.constantFrom(...links) },
  { weight: 2, arbitrary: fc.constantFrom(...hostileLines) },
)

const section = fc
  .record({
    level: fc.integer({ min: 1, max: 6 }),
    heading: fc.oneof(
      { weight: 9, arbitrary: wordsOf(1, 5).map((words) => words.join(' ')) },
      { weight: 1, arbitrary: fc.constantFrom('(from x)', '部署 🚀', '*a* `b`', '') },
    ),
    blocks: fc.array(block, { maxLength: 8 }),
  })
  .map(({ level, heading, blocks }) => [`${'#'.repeat(level)} ${heading}`, ...blocks].join('\n\n'))

const frontmatter = fc.constantFrom(
  '',
  '',
  '',
  '---\ntitle: A page\nstatus: draft\ndate: 2024-01-01\n---\n',
  '---\n: [broken\n---\n',
  '+++\ntitle = "x"\n+++\n',
)

const document = fc
  .record({
    front: frontmatter,
    opening: fc.option(block, { nil: '' }),
    sections: fc.array(section, { maxLength: 12 }),
    lineEnd: fc.constantFrom('\n', '\n', '\n', '\r\n'),
    lastLineEnd: fc.boolean(),
  })
  .map(({ front, opening, sections, lineEnd, lastLineEnd }) => {
    const text = front + [opening, ...sections].filter((part) => part !== '').join('\n\n')
    return (lastLineEnd ? `${text}\n` : text).replaceAll('\n', lineEnd)
  })

const folder = fc.constantFrom('', 'docs/', 'docs/adr/', 'docs/operations/', 'old/', 'docs/deep/er/')
const fileName = fc
  .tuple(
    folder,
    word,
    fc.constantFrom('', '-GUIDE', ' with space', '-部署'),
    fc.constantFrom('.md', '.md', '.md', '.txt'),
  )
  .map(([place, name, suffix, extension]) => place + name.replaceAll('--', '') + suffix + extension)

/** 1 to 15 files; one sentence is always there, so that there is something to index. */
export const randomFiles: fc.Arbitrary<Files> = fc
  .uniqueArray(fc.tuple(fileName, document), {
    minLength: 1,
    maxLength: 15,
    selector: ([name]) => name.toLowerCase(),
  })
  .map((files) => ({ 'README.md': '# Project\n\nThe registry of services.\n', ...Object.fromEntries(files) }))

/** Questions of 1 to 500 words, most of them words that the corpora are made of. */
export const randomQuestion: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: wordsOf(1, 8).map((words) => `How do I ${words.join(' ')}?`) },
  { weight: 2, arbitrary: wordsOf(1, 2).map((words) => words.join(' ')) },
  { weight: 1, arbitrary: wordsOf(20, 500).map((words) => words.join(' ')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '部署 失败',
      '"source of truth"',
      'エージェント 障害',
      'nothing matches zyxwv',
      'the',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(word, fc.string({ unit: 'grapheme', maxLength: 40 })).map((parts) => parts.join(' ')),
  },
)

export const randomBudget: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 200, max: 1000 }),
  fc.integer({ min: 1000, max: 5000 }),
  fc.integer({ min: 5000, max: 20_000 }),
)
