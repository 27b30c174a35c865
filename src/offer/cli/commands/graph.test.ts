// Can a name from a document become markup, an escape or another line in what is shown of the graph?
import { describe, expect, it } from 'vitest'
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
  expect(printGraph(graph, 'text', plain)).toBe(
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

it('draws an edge once, however often it is said', () => {
  expect(printGraph(graph, 'mermaid', plain)).toBe(
    [
      'graph LR',
      '  n0["a.md"]',
      '  n1["a.md#35;x"]',
      '  n2["b.md"]',
      '  n1 -->|"LINKS a.md:3 +1"| n2',
      '  n2 -->|"CITES b.md:7"| n0',
      '  style n0 stroke-width:3px',
      '',
    ].join('\n'),
  )
  expect(printGraph(graph, 'dot', plain)).toContain('  "a.md#x" -> "b.md" [label="LINKS a.md:3 +1"]\n')
})

const evil = 'x"]; click n0 href "javascript:alert(1)" %% \\" \\N <b>`|\n--> y\u001b[31m\u202e.md'
const hostile: GraphReport = {
  subject: { id: evil, kind: 'markdown_module', path: evil, name: evil, lines },
  neighbours: [],
  edges: [edge('LINKS', 'out', evil, `${evil}#b`, 1)],
}

describe('a hostile name', () => {
  it.each(['text', 'json', 'mermaid', 'dot'] as const)(
    'moves no cursor and reorders nothing in %s',
    (format) => {
      expect(printGraph(hostile, format, plain)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/)
    },
  )

  it('stays inside its quotes in Mermaid', () => {
    const rows = printGraph(hostile, 'mermaid', plain).trimEnd().split('\n')
    expect(rows).toHaveLength(5)
    for (const row of rows.slice(1, 3)) expect(row).toMatch(/^ {2}n\d\["[^"[\]<>`|\\\n]*"\]$/)
    expect(rows[3]).toMatch(/^ {2}n0 -->\|"[^"[\]<>`|\\]*"\| n1$/)
  })

  it('stays inside its quotes in DOT, and none of its backslashes is an escape', () => {
    const rows = printGraph(hostile, 'dot', plain).trimEnd().split('\n')
    expect(rows).toHaveLength(7)
    const quoted = '"(?:[^"\\\\]|\\\\\\\\|\\\\")*"'
    expect(rows[3]).toMatch(new RegExp(`^ {2}${quoted} \\[penwidth=3\\]$`))
    expect(rows[5]).toMatch(new RegExp(`^ {2}${quoted} -> ${quoted} \\[label=${quoted}\\]$`))
  })

  it('comes back whole from JSON', () => {
    expect((JSON.parse(printGraph(hostile, 'json', plain)) as GraphReport).subject.id).toBe(evil)
  })
})
