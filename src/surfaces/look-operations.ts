// Which operations look around instead of asking? Entries of the table of operations.
import type { ChangeReport } from '../exploring/describe-changes.ts'
import type { Uses, UsesOptions } from '../exploring/find-uses.ts'
import type { Report, ReportOptions } from '../exploring/fit-report.ts'
import type { MappedFile } from '../exploring/map-corpus.ts'
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
