// Which operations look around instead of asking? Entries of the table of operations.

import type { HealthResult, Severity } from '../../check/health/health-rules.ts'
import type { LinkResult } from '../../check/links/check-links.ts'
import type { ChangeReport } from '../../explore/describe-changes.ts'
import type { Uses, UsesOptions } from '../../explore/find-uses.ts'
import type { Report, ReportOptions } from '../../explore/fit-report.ts'
import type { MappedFile } from '../../explore/map-corpus.ts'
import type { GraphOptions, GraphResult } from '../../explore/read-graph.ts'
import { roomFor } from './agent-operations.ts'
import type { Operation } from './operation.ts'
import { type CorpusInput, corpusOptions, json, refresh } from './shared-options.ts'

interface LookInput extends CorpusInput, ReportOptions {
  readonly json: boolean
}

interface UsesInput extends LookInput, UsesOptions {
  readonly name: string
}

interface OutlineInput extends LookInput {
  readonly place?: string
  readonly question?: string
}

interface DiffInput extends LookInput {
  readonly ref: string
}

export const uses: Operation<UsesInput, Report<Uses>> = {
  name: 'uses',
  summary: 'Find who uses this and what it uses: callers and callees with lines, nearest first.',
  details: [
    'Code is named as Task.cancel, src/task.py#Task.cancel or src/task.py:42, a document by its path. A class stands for its methods, a file for all that is in it; documents that name code count as users.',
  ],
  arguments: { name: { form: 'words', required: true, help: 'Name, handle or path:line.' } },
  options: {
    direction: {
      type: 'text',
      default: 'both',
      choices: ['callers', 'callees', 'both'],
      help: 'Which way to look.',
    },
    depth: { type: 'number', default: 1, min: 1, max: 5, help: 'Steps to follow.' },
    maxTokens: roomFor(4000),
    refresh,
    ...corpusOptions,
    json,
  },
  examples: ['yore uses Task.cancel', 'yore uses src/task.py --direction callers --depth 3'],
  readOnly: true,
  run: (engine, { name, direction, depth, maxTokens, refresh }) =>
    engine.uses(name, { direction, depth, maxTokens, refresh }),
}

export const outline: Operation<OutlineInput, Report<readonly MappedFile[]>> = {
  name: 'outline',
  summary:
    'Outline a file; without one, map the repository: the files that matter most, for a question or at all.',
  details: [
    'Files are ranked by PageRank over links, citations, imports and uses; with --question the walk starts from what the question finds. Code shows its signatures.',
  ],
  arguments: { place: { form: 'words', required: false, help: 'File or section.' } },
  options: {
    question: { type: 'text', value: 'words', help: 'What the map is for.' },
    maxTokens: roomFor(2000),
    refresh,
    ...corpusOptions,
    json,
  },
  examples: [
    'yore outline src/server.ts',
    'yore outline',
    'yore outline --question "Where are retries made?"',
  ],
  readOnly: true,
  run: (engine, { place, question, maxTokens, refresh }) =>
    engine.outline(place ?? null, { question, maxTokens, refresh }),
}

export const diff: Operation<DiffInput, Report<ChangeReport>> = {
  name: 'diff',
  summary: 'Say which sections differ from a commit, what they rely on, and what may now be stale.',
  details: [
    'Files are compared as they are, committed or not. A document that names touched code, or links to what is gone, may be stale; whether it is, its reader must judge.',
  ],
  arguments: { ref: { form: 'choice', required: true, help: 'Commit, branch or tag.' } },
  options: { maxTokens: roomFor(4000), refresh, ...corpusOptions, json },
  examples: ['yore diff main', 'yore diff HEAD~3 --json'],
  readOnly: true,
  run: (engine, { ref, maxTokens, refresh }) => engine.diff(ref, { maxTokens, refresh }),
}

export type GraphFormat = 'text' | 'json' | 'mermaid' | 'dot'

interface GraphInput extends CorpusInput, GraphOptions {
  readonly node: string
  readonly format: GraphFormat
  readonly json: boolean
}

interface LinksInput extends CorpusInput {
  readonly fix: boolean
  readonly yes: boolean
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
    'An anchor is lost when its document is there and neither a heading nor an anchor in its text has that name.',
    'With --fix, a link of Markdown whose file is gone while exactly one other file has its name is rewritten to lead there; nothing else of a document changes.',
  ],
  arguments: {},
  options: {
    fix: {
      type: 'switch',
      help: 'Rewrite links of Markdown to files that moved, after showing the lines and asking.',
      cliOnly: true,
    },
    yes: { type: 'switch', help: 'With --fix: write without asking.', cliOnly: true },
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

export type FailOn = Severity | 'never'

interface HealthInput extends CorpusInput {
  readonly failOn: FailOn
  readonly all: boolean
  readonly sarif: boolean
  readonly json: boolean
  readonly refresh: 'auto' | 'never'
}

export const health: Operation<HealthInput, HealthResult> = {
  name: 'health',
  summary: 'Find documents that need care, each with the place and the fix.',
  details: [
    'Errors: references that lead nowhere. Warnings: ambiguous references, lost anchors, superseded documents that are still cited, canonical documents behind the code they describe (by git). Notes: orphans among linked documents.',
    'Tests, vendored and generated files, translations and folders of other versions are not looked at. A comment with yore-ignore-link and the setting ignoreLinks silence references.',
    'Exits with 1 when there is a finding as bad as --fail-on, so that CI can stop.',
  ],
  arguments: {},
  options: {
    failOn: {
      type: 'text',
      default: 'error',
      choices: ['error', 'warning', 'note', 'never'],
      help: 'The mildest finding that makes it exit with 1.',
      cliOnly: true,
    },
    all: { type: 'switch', help: 'List every finding; otherwise ten of each kind.', cliOnly: true },
    sarif: {
      type: 'switch',
      help: 'Print SARIF 2.1.0, for code hosts that annotate changes.',
      cliOnly: true,
    },
    refresh,
    ...corpusOptions,
    json,
  },
  examples: ['yore health', 'yore health --fail-on warning', 'yore health --sarif > health.sarif'],
  readOnly: true,
  run: (engine, { refresh }) => engine.checkHealth({ refresh }),
}
