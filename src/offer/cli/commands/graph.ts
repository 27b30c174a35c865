// What is around a document or a section? `yore graph`: lines for people, or JSON, Mermaid or DOT; names are never trusted.
import type { GraphEdge, GraphReport } from '../../../explore/read-graph.ts'
import { type Command, corpusCommand } from '../command.ts'
import { oneLine, outPalette, type Palette, printableJson } from '../format.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { noteFreshness, out } from '../terminal.ts'

const formats = ['text', 'json', 'mermaid', 'dot'] as const

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
      format: { type: 'text', default: 'text', choices: formats, help: 'Form of the output.' },
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
      'yore graph "docs/guide.md#install" --format mermaid',
    ],
  },
  async ({ input, now, useAt }) => {
    const { graph, freshness } = await useAt(input.node, (engine, node) => engine.graph(node, input))
    out(printGraph(graph, input.json ? 'json' : input.format, outPalette()))
    noteFreshness(freshness, now)
    return 0
  },
)

export function printGraph(graph: GraphReport, format: (typeof formats)[number], palette: Palette): string {
  return { text: printText, json: printableJson, mermaid: printMermaid, dot: printDot }[format](
    graph,
    palette,
  )
}

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

function printText({ subject, edges }: GraphReport, palette: Palette): string {
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

/** Merges equal edges, with all their lines. */
function joinEdges(edges: readonly GraphEdge[]): { from: string; to: string; label: string }[] {
  const joined = new Map<string, { from: string; to: string; kind: string; places: string[] }>()
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.kind, edge.to])
    const known = joined.get(key)
    if (known === undefined)
      joined.set(key, { from: edge.from, to: edge.to, kind: edge.kind, places: [placeOf(edge)] })
    else if (!known.places.includes(placeOf(edge))) known.places.push(placeOf(edge))
  }
  return [...joined.values()].map(({ from, to, kind, places }) => ({
    from,
    to,
    label: `${kind} ${places[0]}${places.length > 1 ? ` +${places.length - 1}` : ''}`,
  }))
}

/** Every end of an edge, the subject first. */
function endsOf({ subject, edges }: GraphReport): string[] {
  return [...new Set([subject.id, ...edges.flatMap(({ from, to }) => [from, to])])]
}

/** Escapes everything but letters, digits and harmless marks: a name cannot end its quotes or become markup. */
function mermaidText(text: string): string {
  return oneLine(text).replaceAll(
    /[^\p{L}\p{N} ._/:,+-]/gu,
    (character) => `#${character.codePointAt(0) as number};`,
  )
}

function printMermaid(graph: GraphReport): string {
  const ends = endsOf(graph)
  const name = (id: string): string => `n${ends.indexOf(id)}`
  const lines = [
    ...ends.map((id) => `  ${name(id)}["${mermaidText(id)}"]`),
    ...joinEdges(graph.edges).map(
      ({ from, to, label }) => `  ${name(from)} -->|"${mermaidText(label)}"| ${name(to)}`,
    ),
    `  style ${name(graph.subject.id)} stroke-width:3px`,
  ]
  return `graph LR\n${lines.join('\n')}\n`
}

/** A quoted string of DOT; doubled backslashes disable its escapes. */
function dotText(text: string): string {
  return `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function printDot(graph: GraphReport): string {
  const lines = [
    '  rankdir=LR',
    '  node [shape=box]',
    ...endsOf(graph).map((id) => `  ${dotText(id)}${id === graph.subject.id ? ' [penwidth=3]' : ''}`),
    ...joinEdges(graph.edges).map(
      ({ from, to, label }) => `  ${dotText(from)} -> ${dotText(to)} [label=${dotText(label)}]`,
    ),
  ]
  return `digraph yore {\n${lines.join('\n')}\n}\n`
}
