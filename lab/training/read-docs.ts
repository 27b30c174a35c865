// Which sections of documentation are trained on? Those of a gzipped JSON-lines file under permissive licences.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Section, wordsOf } from './section.ts'

interface Row {
  readonly repo: string
  readonly licence: string
  readonly path: string
  readonly title: string
  readonly heading: string
  readonly body: string
}

const leastWords = 12
const permissive = /^(?:MIT|Apache-2\.0|BSD|CC-BY-4\.0)(?: or (?:MIT|Apache-2\.0))?$/

/** Template marks, tags and the targets of links say nothing about the text. Each pattern ends at its first closing mark. */
export function cleanProse(text: string): string {
  return text
    .replaceAll(/\{%[^%]{0,300}%\}/g, ' ')
    .replaceAll(/\{\{[^}]{0,300}\}\}/g, ' ')
    .replaceAll(/\]\([^)\s]{0,400}\)/g, ']')
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,200}>/g, ' ')
    .replaceAll(/\s{2,}/g, ' ')
    .trim()
}

/** Sections whose licence is not permissive are refused, not skipped: the file promises that there are none. */
export function readDocs(file: string): Section[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n')
  const sections: Section[] = []
  for (const line of lines) {
    if (line === '') continue
    const row = JSON.parse(line) as Row
    if (!permissive.test(row.licence))
      throw new Error(`${row.repo}: the licence ${row.licence} is not cleared`)
    const body = cleanProse(row.body)
    if (wordsOf(body).length < leastWords) continue
    sections.push({
      source: 'docs',
      group: row.repo,
      document: `${row.repo}/${row.path}`,
      title: cleanProse(row.title),
      // A page's own description has a heading that nobody wrote.
      heading: row.heading.startsWith('@') ? '' : cleanProse(row.heading),
      body,
    })
  }
  return sections
}
