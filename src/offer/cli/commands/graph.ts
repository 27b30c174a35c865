// What is around a document or a section? `yore graph`: lines for people, or JSON; names are never trusted.
import type { GraphEdge, GraphReport } from '../../../explore/read-graph.ts'
import { type Command, corpusCommand } from '../command.ts'
import { oneLine, outPalette, type Palette } from '../format.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { noteFreshness, show } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'graph',
    summary:
      'Show what a document or a section defines, links to and cites, and what refers to it, with the lines.',
    details: [
      'Name a document by its path, a section by its canonical id or as path#anchor, a decision by its id such as ADR-013, and code by a unique name such as Task.cancel. path:198 means the smallest section around that line. A document includes all its sections.',
    ],
    arguments: {
      node: {
        form: 'words',
        required: true,
        help: 'A path, path#anchor, path:line, a canonical id, a decision id or a name in code.',
      },
    },
    options: {
      direction: {
        type: 'text',
        default: 'both',
        choices: ['in', 'out', 'both'],
        help: 'Incoming edges, outgoing edges, or both.',
      },
      refresh,
      ...corpusOptions,
      json,
    },
    examples: [
      'yore graph docs/adr/ADR-013-retries.md',
      'yore graph ADR-013 --direction in',
      'yore graph "docs/guide.md#install" --json',
    ],
  },
  async ({ input, now, useAt }) => {
    const { graph, freshness } = await useAt(input.node, (engine, node) => engine.graph(node, input))
    show(input, graph, () => printGraph(graph, outPalette()))
    noteFreshness(freshness, now)
    return 0
  },
)

function placeOf({ evidence }: GraphEdge): string {
  return `${oneLine(evidence.path)}:${evidence.line}`
}

const headings = { out: 'refers to', in: 'is referred to by' } as const

/** What a relation is called from each of its ends. */
const relations: Readonly<Record<GraphEdge['kind'], Readonly<Record<GraphEdge['direction'], string>>>> = {
  DEFINES: { out: 'contains', in: 'is in' },
  MEMBER_FUNCTIONS: { out: 'has method', in: 'method of' },
  CLASS_NAME: { out: 'method of', in: 'has method' },
  DOCSTRING: { out: 'described in', in: 'describes' },
  LINKS: { out: 'links to', in: 'linked from' },
  CITES: { out: 'cites', in: 'cited by' },
  DOCUMENTS: { out: 'describes', in: 'described in' },
  USES: { out: 'uses', in: 'used by' },
  IMPORTS: { out: 'imports', in: 'imported by' },
  EXTERNAL_SCRIPTS: { out: 'loads', in: 'loaded by' },
}
const longestRelation = 12

export function printGraph({ subject, edges }: GraphReport, palette: Palette): string {
  const { id, name, kind, lines, place } = subject
  const where = place === undefined ? '' : `, ${oneLine(place)}`
  const about = palette.dim(`(${kind}, lines ${lines.start}-${lines.end}${where})`)
  const blocks = [`${palette.bold(oneLine(id))}  ${oneLine(name)} ${about}`]
  for (const direction of ['out', 'in'] as const) {
    const some = edges.filter((edge) => edge.direction === direction)
    if (some.length === 0) continue
    const rows = some.map((edge) => {
      const other = oneLine(direction === 'out' ? edge.to : edge.from)
      return `  ${palette.cyan(relations[edge.kind][direction].padEnd(longestRelation))}  ${other}  ${palette.dim(placeOf(edge))}`
    })
    blocks.push([headings[direction], ...rows].join('\n'))
  }
  if (edges.length === 0) blocks.push('no references')
  return `${blocks.join('\n\n')}\n`
}
