// Are the documents written in plain English? Phrases that readers outside of the project cannot follow are refused.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..')

/** Each phrase with what to write instead. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:br(?:ing|ings|ought|inging)|c(?:ome|omes|ame|oming)) along\b/i,
    'follow a reference; referenced section',
  ],
  [/\bbrought in\b/i, 'added, followed'],
  [/\brel(?:y|ies|ied) (?:up)?on\b/i, 'refers to, depends on, uses'],
  [/\b(?:near|nearest|search|searched|found) (?:in|by) meaning\b/i, 'semantic search, embeddings'],
  [/\bstanding\b/i, 'authority'],
  [/\bsettings? (?:that )?holds?\b|\bwho said so\b/i, 'effective setting; where it comes from'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\bbeside\b/i, 'next to, compared with'],
  [/\b(?:leave|leaves|left|leaving|stay|stays|stayed) out\b/i, 'skip, ignore, exclude, omit'],
  [/\bfaults?\b(?! (?:tests?|suite))/i, 'error, failure'],
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\b(?:is|are|was) none\b/i, 'there is no, is not a'],
  [/\b(?:is|are|was|were) (?:told|said)\b/i, 'reports, prints, says'],
  [/\ball the same\b/i, 'still'],
  [/\bso many\b/i, 'that many'],
  [/\bnobody\b/i, 'no one; or name what does not happen'],
  [/\bwhat is looked at\b|\blooked at again\b/i, 'checked, re-ranked'],
  [/\bin figures\b/i, 'evidence, measurements'],
]

function filesBelow(folder: string): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))).sort()
}

/** Pages written by hand: not the generated reference, and not digests, which quote other documents. */
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...filesBelow('docs')].filter(
  (file) => file.endsWith('.md') && !/^docs\/(?:reference|examples)\//.test(file),
)

/** Without code, names of files, quotations and names of tests. */
function proseOf(text: string): string {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ')
  return text
    .replaceAll(/^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2/gm, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)]*\)/g, blank)
    .replaceAll(/"[^"\n]*"/g, blank)
}

function findPhrases(text: string): string[] {
  return proseOf(text)
    .split('\n')
    .flatMap((line, at) =>
      phrases.flatMap(([phrase, instead]) => {
        const found = phrase.exec(line)?.[0]
        return found === undefined ? [] : [`line ${at + 1}: "${found}"; write: ${instead}`]
      }),
    )
}

it('finds a phrase in prose and not in code', () => {
  expect(findPhrases('It comes along.\n\n`anew` and ```\n')).toEqual([
    'line 1: "comes along"; write: follow a reference; referenced section',
  ])
})

it.each(pages)('%s is written in plain words', (page) => {
  expect(findPhrases(readFileSync(path.join(root, page), 'utf8'))).toEqual([])
})
