// Does finding a module that is outside the corpus take the same time among thousands of packages?
import { expect, it } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { readFormat } from '../../../model/config/read-formats.ts'
import { makeCodeCatalogue } from './code-catalogue.ts'
import { findModule } from './find-module.ts'

it('finds modules in time that does not grow with the packages', () => {
  const { modules } = readFormat('python')
  const outline = JSON.stringify({ symbols: [], imports: [], exports: [] })
  const timeOf = (packages: number): number => {
    const entries = Array.from({ length: packages }, (_, at) => ({
      path: `components/p${at}/__init__.py`,
      language: 'python',
      outline,
    }))
    const catalogue = makeCodeCatalogue({ entries, rulesOf: () => ({ modules, self: new Set() }) })
    const origin = { path: 'components/p1/__init__.py', language: 'python' }
    const started = processorTime()
    for (let at = 0; at < 3_000; at++) findModule(catalogue, `outside${at}.module`, origin)
    expect(findModule(catalogue, 'elsewhere.p1', origin).kind).toBe('external')
    expect(findModule(catalogue, 'components.p1', { ...origin, path: 'a/b.py' }).kind).toBe('file')
    return processorTime() - started
  }
  timeOf(100)
  const [small, large] = [timeOf(100), timeOf(10_000)]
  // A hundred times the packages.
  expect(large).toBeLessThan(5 * Math.max(small, 30))
})
