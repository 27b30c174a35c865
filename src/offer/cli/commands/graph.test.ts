// Can a name from a document become markup, an escape or another line in what is shown of the graph?
import { expect, it } from 'vitest'
import type { GraphReport } from '../../../explore/read-graph.ts'
import { makePalette } from '../format.ts'
import { printGraph } from './graph.ts'

const plain = makePalette(false)
const lines = { start: 1, end: 9 }
const graph: GraphReport = {
  subject: { id: 'a.md', kind: 'markdown_module', path: 'a.md', name: 'A', lines },
  neighbours: [{ id: 'b.md', kind: 'markdown_module', path: 'b.md', name: 'B', lines }],
  edges: [
    edge('LINKS', 'out', 'a.md#x', 'b.md', 3),
    edge('LINKS', 'out', 'a.md#x', 'b.md', 5),
    edge('CITES', 'in', 'b.md', 'a.md', 7),
  ],
}

function edge(
  kind: 'LINKS' | 'CITES',
  direction: 'in' | 'out',
  from: string,
  to: string,
  line: number,
): GraphReport['edges'][number] {
  return { kind, direction, from, to, evidence: { path: from.split('#')[0] as string, line }, text: to }
}

it('lists edges by direction, each with its line', () => {
  expect(printGraph(graph, plain)).toBe(
    [
      'a.md  A (markdown_module, lines 1-9)',
      '',
      'refers to',
      '  links to      b.md  a.md:3',
      '  links to      b.md  a.md:5',
      '',
      'is referred to by',
      '  cited by      b.md  b.md:7',
      '',
    ].join('\n'),
  )
})

const evil = 'x"]; click n0 href "javascript:alert(1)" %% \\" \\N <b>`|\n--> y\u001b[31m\u202e.md'
const hostile: GraphReport = {
  subject: { id: evil, kind: 'markdown_module', path: evil, name: evil, lines },
  neighbours: [],
  edges: [edge('LINKS', 'out', evil, `${evil}#b`, 1)],
}

it('shows a hostile name without moving the cursor or reordering anything', () => {
  expect(printGraph(hostile, plain)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/)
})
