import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankRegions } from './explore.ts'

const hit = (path: string, start: number, end: number, matched?: [number, number]) => ({
  path,
  lines: { start, end },
  matchedLines: matched === undefined ? [] : [{ start: matched[0], end: matched[1] }],
})

describe('regions of hits', () => {
  it('keep the order of the hits, and whole sections where they fit', () => {
    const hits = [hit('b.py', 10, 30), hit('a.py', 1, 5)]
    expect(rankRegions(hits, { lines: 500, regions: 5 })).toEqual([
      { path: 'b.py', start: 10, end: 30 },
      { path: 'a.py', start: 1, end: 5 },
    ])
  })

  it('are cut around the best match', () => {
    expect(rankRegions([hit('a.py', 1, 1000, [500, 509])], { lines: 500, regions: 5 })).toEqual([
      { path: 'a.py', start: 455, end: 554 },
    ])
  })

  it('grow by the sections that continue them', () => {
    const hits = [hit('a.py', 10, 19), hit('a.py', 20, 29), hit('a.py', 40, 49)]
    expect(rankRegions(hits, { lines: 500, regions: 2 })).toEqual([
      { path: 'a.py', start: 10, end: 29 },
      { path: 'a.py', start: 40, end: 49 },
    ])
  })

  it('never exceed the limits, overlap or leave a section', () => {
    const one = fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }))
      .map(([path, at, length]) => hit(path, at * 20 + 1, at * 20 + length))
    const limits = fc.record({
      lines: fc.integer({ min: 1, max: 600 }),
      regions: fc.integer({ min: 1, max: 8 }),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 40 }), limits, (hits, most) => {
        const regions = rankRegions(hits, most)
        const lines = regions.flatMap(({ path, start, end }) =>
          Array.from({ length: end - start + 1 }, (_, at) => ({ path, line: start + at })),
        )
        expect(regions.length).toBeLessThanOrEqual(most.regions)
        expect(lines.length).toBeLessThanOrEqual(most.lines)
        expect(new Set(lines.map(({ path, line }) => `${path}:${line}`)).size).toBe(lines.length)
        for (const { path, line } of lines)
          expect(
            hits.some((some) => some.path === path && some.lines.start <= line && line <= some.lines.end),
          ).toBe(true)
      }),
    )
  })

  it('are written for each instance of a benchmark', () => {
    const folder = mkdtempSync(join(tmpdir(), 'yore-explore-'))
    try {
      mkdirSync(join(folder, 'repos/shop'), { recursive: true })
      writeFileSync(
        join(folder, 'repos/shop/cart.py'),
        'def add_discount(cart, code):\n    return cart.total - code.value\n',
      )
      writeFileSync(join(folder, 'repos/shop/mail.py'), 'def send_letter(to):\n    return to\n')
      const issue = { instance_id: 'shop-1', repo_dir: 'shop', problem_statement: 'add_discount is negative' }
      writeFileSync(join(folder, 'bench.jsonl'), `${JSON.stringify(issue)}\n`)
      const script = join(import.meta.dirname, 'explore.ts')
      const run = spawnSync(
        process.execPath,
        [script, join(folder, 'bench.jsonl'), '--repos', join(folder, 'repos')],
        { env: { ...process.env, TMPDIR: folder }, encoding: 'utf8' },
      )
      const { instance_id, regions } = JSON.parse(run.stdout)
      expect(instance_id).toBe('shop-1')
      expect(regions[0]).toEqual({ path: 'cart.py', start: 1, end: 2 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
