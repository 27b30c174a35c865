// Is the source written in plain English? Comments, messages and identifiers contain none of these phrases.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Each phrase with the words to use instead. */
const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'anyone, the caller'],
  [/\b(?:nobody|somebody)\b/i, 'name the actor'],
  [/\ball the same\b/i, 'still'],
  [/\bso many\b/i, 'a maximum, a number'],
  [/(?<!\bthere )\bis none\b/i, 'is not a …'],
  [/(?<!\bthere )\bis no (?!longer\b|such\b|more\b)[a-z]/i, 'is not a …'],
  [/\b(?:is|are) (?:told|said)\b/i, 'reports, prints'],
  [/\bbeside\b/i, 'next to, in addition to'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\b(?:came|comes?|coming|brings?|brought) along\b/i, 'follow a reference'],
  [/\bstands?\b/i, 'is, means'],
  [/\b(?:left|leaves?|stays?) out\b/i, 'skip, ignore, exclude'],
  [/\bas it was written\b/i, 'checksum mismatch'],
  [/\bnear in meaning\b/i, 'embeddings'],
  [/\bsettings hold\b/i, 'effective settings'],
  [/\blook(?:s|ed)? at\b/i, 'read, check, examine'],
  [/\bvery (?:file|path|place|name|document)\b/i, 'exact'],
  [/\b(?:desk|furniture|foundAlike|isQuiet|telling)\b/, "the field's noun"],
  [/\b(?:Kept|Standing|Leads)[A-Z]\w*/, 'cached, authority, outgoing links'],
]

/** Phrases that other wings still contain; each number only falls, and ends at 0. */
const remaining: Readonly<Record<string, number>> = {
  'src/model': 0,
  'src/read': 0,
  'src/corpus': 0,
  'src/answer': 0,
  'src/explore': 0,
  'src/check': 0,
  'src/offer': 0,
  server: 0,
  'server/src/control': 0,
  'docs/decisions': 0,
  'docs/explanation': 0,
  'docs/guides': 0,
  'docs/reference': 0,
  'docs/tutorial': 0,
  'README.md': 0,
  'CHANGELOG.md': 0,
  'ARCHITECTURE.md': 0,
  plugin: 0,
}

function isProduct(file: string): boolean {
  return /\.(?:tsx?|md)$/.test(file) && !/\.test\.|\/test\/|fixture|generated/.test(file)
}

function listFiles(wing: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', wing], {
    encoding: 'utf8',
  })
  const own = listed.split('\n').filter(isProduct)
  return wing === 'server' ? own.filter((file) => !file.startsWith('server/src/control/')) : own
}

/** Without code and addresses, which quote others; lines keep their numbers. */
function hideQuotes(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```|\]\([^)]*\)|`[^`\n]*`/gm, (quote) =>
    quote.replaceAll(/.+/g, ''),
  )
}

function findPhrases(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return (file.endsWith('.md') ? hideQuotes(text) : text).split('\n').flatMap((line, at) =>
    phrases.flatMap(([phrase, instead]) => {
      const found = phrase.exec(line)
      return found === null ? [] : [`${file}:${at + 1} "${found[0]}": ${instead}`]
    }),
  )
}

describe('the phrases of the list', () => {
  it.each(Object.entries(remaining))('%s contains at most %i', (wing, most) => {
    const found = listFiles(wing).flatMap(findPhrases)
    expect(found.length > most ? found : []).toEqual([])
  })

  it('are found in a comment, a message and an identifier', () => {
    const lines = [
      '// It is told anew.',
      "throw new Error('the cursor is none of ours')",
      'class KeptRows {}',
    ]
    for (const line of lines) expect(phrases.some(([phrase]) => phrase.test(line))).toBe(true)
  })
})
