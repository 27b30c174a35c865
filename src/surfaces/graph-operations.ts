// Which operations look at the graph of references? Entries of the table of operations.
import type { LinkResult } from '../exploring/check-links.ts'
import type { GraphOptions, GraphResult } from '../exploring/read-graph.ts'
import type { Operation } from './operation.ts'
import { type CorpusInput, corpusOptions, json, refresh } from './shared-options.ts'

export type GraphFormat = 'text' | 'json' | 'mermaid' | 'dot'

interface GraphInput extends CorpusInput, GraphOptions {
  readonly node: string
  readonly format: GraphFormat
  readonly json: boolean
}

interface LinksInput extends CorpusInput {
  readonly orphans: boolean
  readonly anchors: boolean
  readonly doubtful: boolean
  readonly unindexed: boolean
  readonly json: boolean
  readonly refresh: 'auto' | 'never'
}

export const graph: Operation<GraphInput, GraphResult> = {
  name: 'graph',
  summary:
    'Show what a document or a section defines, links to and cites, and what refers to it, with the lines.',
  details: [
    'A document is named by its path, a section by its canonical id or as path#anchor, a decision by its id, such as ADR-013, and code by a name that only one piece has, such as Task.cancel. path:198 means the smallest section around that line. A document stands for all its sections.',
  ],
  arguments: {
    node: {
      form: 'words',
      required: true,
      help: 'A path, path#anchor, path:line, a canonical id, a decision id or a name in code.',
    },
  },
  options: {
    format: {
      type: 'text',
      default: 'text',
      choices: ['text', 'json', 'mermaid', 'dot'],
      help: 'Form of the output.',
      cliOnly: true,
    },
    direction: {
      type: 'text',
      default: 'both',
      choices: ['in', 'out', 'both'],
      help: 'Which edges to show: those that lead to it, those that leave it, or both.',
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
  readOnly: true,
  run: (engine, { node, direction, refresh }) => engine.graph(node, { direction, refresh }),
}

export const links: Operation<LinksInput, LinkResult> = {
  name: 'links',
  summary: 'List references that lead nowhere or to several documents, with their lines.',
  details: [
    'Exits with 1 when a reference is broken, so that CI can stop. Ambiguous ids, lost anchors and orphans are told and do not fail.',
    'A link to a file that is there but not in the index (ignored, too large, no text) is not broken; it is counted, and --unindexed lists it.',
    'A link that a template writes, an example in code or in a test, and a page that a tool may make are doubtful and not broken; they are counted, and --doubtful lists them with the reason.',
    'A comment with yore-ignore-link on the line of a link or the line above silences it; so does the setting ignoreLinks.',
    'An anchor is lost when its document is there and none of its headings has that name; sites that make anchors of their own have many of these.',
  ],
  arguments: {},
  options: {
    orphans: { type: 'switch', help: 'List the documents that no other refers to.', cliOnly: true },
    anchors: { type: 'switch', help: 'List the links whose heading is not there.', cliOnly: true },
    doubtful: {
      type: 'switch',
      help: 'List what leads nowhere and may be right, with the reason.',
      cliOnly: true,
    },
    unindexed: {
      type: 'switch',
      help: 'List the links to files that are there and not in the index.',
      cliOnly: true,
    },
    refresh,
    ...corpusOptions,
    json,
  },
  examples: ['yore links', 'yore links --orphans', 'yore links --json'],
  readOnly: true,
  run: (engine, { refresh }) => engine.checkLinks({ refresh }),
}
