// Where do published figures stand? Between markers in README.md and docs/, which this fills from lab/figures.json.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Figures, repository } from './read-records.ts'
import { renderCharts, renderFigure } from './render-figures.ts'

const marker = /<!-- figure ([\w-]+) -->[\s\S]*?<!-- \/figure -->/g

export function fillMarkers(text: string, figures: Figures): string {
  return text.replaceAll(
    marker,
    (_, name: string) => `<!-- figure ${name} -->${renderFigure(name, figures)}<!-- /figure -->`,
  )
}

/** Pages that users read. Decisions quote their own time; the reference and the examples are generated. */
export function publishedPages(): string[] {
  const names = readdirSync(path.join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
  const pages = names
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => name.endsWith('.md'))
  return [
    'README.md',
    ...pages.filter((name) => !/^docs\/(?:decisions|reference|examples)\//.test(name)).sort(),
  ]
}

/** Path and text of every file that the figures decide. */
export function figureFiles(figures: Figures): Map<string, string> {
  const files = new Map(
    publishedPages().map((page) => [
      page,
      fillMarkers(readFileSync(path.join(repository, page), 'utf8'), figures),
    ]),
  )
  for (const [name, svg] of Object.entries(renderCharts(figures))) files.set(`docs/images/${name}.svg`, svg)
  return files
}

/** What a page says outside markers, code and links. */
function proseOf(text: string): string {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ')
  return text
    .replaceAll(marker, blank)
    .replaceAll(/^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2/gm, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)]*\)/g, blank)
}

/** Shapes in which results of measurements are written: a share, a percentage, a time, a rate. */
const measured = /(?<![\w.])(?:0?\.\d{2,}|\d[\d,.]* ?%|\d[\d,.]* (?:ms|milliseconds|MB\/s))(?![\w])/g

/** Results that are typed by hand: `line: number`. */
export function findTypedFigures(text: string): string[] {
  return proseOf(text)
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(measured)].map(([found]) => `${at + 1}: ${found}`))
}
