// Does every published figure come from a recorded run?
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { figureFiles, fillMarkers, findTypedFigures, publishedPages } from './figures/fill-pages.ts'
import { collectFigures, readFigures, repository } from './figures/read-records.ts'

const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8')

it('publishes the numbers of the recorded runs', () => {
  const { figures } = collectFigures()
  expect(Object.keys(figures).length).toBeGreaterThan(60)
  expect(readFigures().figures).toEqual(figures)
})

it('shows them on every page and chart', () => {
  for (const [file, text] of figureFiles(readFigures())) expect(read(file), file).toBe(text)
})

it('fills a marker inside a sentence, and refuses a name that no run has', () => {
  const figures = readFigures()
  const shown = fillMarkers('It holds <!-- figure needs-2k -->?<!-- /figure --> of them.', figures)
  expect(shown).toMatch(/^It holds <!-- figure needs-2k -->\d+ %<!-- \/figure --> of them\.$/)
  expect(() => fillMarkers('<!-- figure gone --><!-- /figure -->', figures)).toThrow('no figure gone')
})

it('sees a number that is typed by hand, not one in code or between markers', () => {
  const page =
    'It holds .702 of them.\n\nIn 27 ms, for 70 % of them.\n\n`0.15` <!-- figure x -->70 %<!-- /figure -->\n\n```\n.55\n```\n'
  expect(findTypedFigures(page)).toEqual(['1: .702', '3: 27 ms', '3: 70 %'])
})

it.each(publishedPages())('%s has no figure that is typed by hand', (page) => {
  expect(findTypedFigures(read(page))).toEqual([])
})
