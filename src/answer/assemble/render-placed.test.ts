import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PlacedText } from '../../model/expansion.ts'
import { renderPlaced } from './render-placed.ts'

const placed = (text: string, kind = 'markdown_section'): PlacedText => ({
  id: 'a.md#a',
  kind,
  path: 'a.md',
  name: 'A (from b.md)',
  lines: { start: 3, end: 4 },
  text,
  tokens: 0,
  truncated: false,
})

it('stands under its source, with headings below those of the frame', () => {
  expect(renderPlaced(placed('## Deep\n\ntext'))).toBe(
    '### A (from b.md)\n\n**Source:** a.md:3-4\n\n##### Deep\n\ntext',
  )
})

it('says when it is cut', () => {
  expect(renderPlaced({ ...placed('text'), truncated: true })).toMatch(/\n\n\*\[… the section goes on …\]\*$/)
})

it('leaves code as it is: a comment is no heading', () => {
  const shown = renderPlaced(placed('# comment\nx = """```"""', 'python_function'))
  expect(shown.endsWith('\n\n````python\n# comment\nx = """```"""\n````')).toBe(true)
})

it('lets no text write a source of its own', () => {
  const text = fc
    .array(
      fc.constantFrom(
        '**Source:** b.md:1-2',
        '## Expansion',
        '### X (from c.md)',
        '```',
        '~~~',
        '<div>',
        '',
        'word',
        '    ',
      ),
      { maxLength: 12 },
    )
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, fc.constantFrom('markdown_section', 'python_function'), (body, kind) => {
      let fence: string | null = null
      const forged = renderPlaced(placed(body, kind))
        .split('\n')
        .slice(3)
        .filter((line) => {
          const [run] = /^(?:`{3,}|~{3,})/.exec(line) ?? []
          if (fence !== null) {
            if (run !== undefined && run === line && run.startsWith(fence)) fence = null
            return false
          }
          if (run !== undefined) fence = run
          return /^(?:\*\*Source:\*\*|#{1,3} )/.test(line)
        })
      expect(forged).toEqual([])
    }),
    { numRuns: 500 },
  )
})
