// Which operations do several surfaces offer? Each once, without what concerns the caller's machine; the command line adds its own options.
import { fileKinds } from '../../model/file-kind.ts'
import { type OperationSpec, type OptionSpec, oneOf, toggle } from './operation.ts'

/** The largest result for an agent in tokens, so that text and JSON together stay below 25,000 (decision 0019). */
export const mostTokens = 12_000
/** The smallest result: fewer tokens hold no text. */
export const leastTokens = 100
/** Of a digest for an agent that names no budget. */
export const agentTokens = 1500

export const budget = <const Tokens extends number>(tokens: Tokens) =>
  ({
    type: 'number',
    default: tokens,
    min: leastTokens,
    max: mostTokens,
    help: 'Token budget of the result.',
  }) as const satisfies OptionSpec

/** Limits a question to some files. */
export const scopeOptions = {
  path: { type: 'text', value: 'paths', help: 'Only these files, folders or globs.' },
  kind: { type: 'text', choices: fileKinds, help: 'Only files of this kind.' },
  lang: { type: 'text', value: 'language', help: 'Only this language.' },
} as const satisfies Record<string, OptionSpec>

/** The caller's guess at the answer: it orders what the question finds. */
export const callerOptions = {
  words: {
    type: 'list',
    value: 'words',
    help: 'Words that you expect in the answer but not in the question.',
  },
  names: { type: 'list', value: 'names', help: 'Identifiers that you expect there: requestTimeout.' },
} as const satisfies Record<string, OptionSpec>

const mode = oneOf(
  'hybrid',
  ['lexical', 'hybrid', 'vector'],
  'Search by words, by words and embeddings, or by embeddings alone.',
)

export const operations = {
  search: {
    name: 'search',
    summary: 'Find the files and sections that match some words, best first.',
    arguments: { query: { form: 'words', required: true, help: 'What to look for.' } },
    options: {
      match: oneOf(
        'words',
        ['words', 'exact', 'regex'],
        'By words, as exact text or as a regular expression.',
      ),
      limit: {
        type: 'number',
        short: 'n',
        default: 10,
        min: 1,
        max: 1000,
        help: 'How many results to show.',
      },
      allSections: toggle(
        'List every matching section. Without it a file is listed once, with its best section.',
      ),
      ...callerOptions,
      ...scopeOptions,
      mode,
    },
  },
  assemble: {
    name: 'assemble',
    summary: 'Write one digest that answers a question within a token budget, with the source of every line.',
    arguments: { question: { form: 'words', required: true, help: 'A question or a task.' } },
    options: {
      maxTokens: { type: 'number', setting: 'maxTokens', help: 'Token budget of the digest.' },
      format: oneOf('markdown', ['markdown', 'json'], 'Form of the digest.'),
      layout: {
        type: 'text',
        setting: 'layout',
        help: 'With list of documents, legend and usage, or sources only; auto is full from 3,000 tokens.',
      },
      depth: { type: 'number', setting: 'depth', help: 'How many hops of references to follow; 0 for none.' },
      sections: {
        type: 'number',
        default: 0,
        min: 0,
        max: 1000,
        help: 'How many sections the digest may hold; 0 for one per 250 tokens, at least 20.',
      },
      fill: toggle('Fill the budget. By default a digest ends where more sections add little.'),
      ...callerOptions,
      ...scopeOptions,
      explain: toggle('Explain what was chosen and dropped, on standard error or inside the JSON.'),
      mode,
    },
  },
  expand: {
    name: 'expand',
    summary: 'Follow a reference from a section, or explain why the rulebook denies it.',
    arguments: { from: { form: 'words', required: true, help: 'Section: handle or path:lines.' } },
    options: {
      via: { type: 'text', value: 'relation', help: 'Relation: links, cites or defines.' },
      target: { type: 'text', value: 'name', help: 'Handle, heading or id.' },
      maxTokens: budget(4000),
    },
  },
  read: {
    name: 'read',
    summary: 'Read the exact lines of a section, a document or a place.',
    arguments: {
      place: {
        form: 'words',
        required: true,
        help: 'Handle, path, path:lines, decision id or name in code.',
      },
    },
    options: { maxTokens: budget(8000) },
  },
  ask: {
    name: 'ask',
    summary: 'Answer a question with an LLM from what the documents say, with a source for each statement.',
    arguments: { question: { form: 'words', required: true, help: 'A question.' } },
    options: {
      maxTokens: {
        type: 'number',
        setting: 'maxTokens',
        help: 'Token budget of the sections that the search finds first.',
      },
      mode,
    },
  },
  uses: {
    name: 'uses',
    summary: 'Find callers and callees with their lines, nearest first.',
    arguments: { name: { form: 'words', required: true, help: 'Name, handle or path:line.' } },
    options: {
      direction: oneOf('both', ['callers', 'callees', 'both'], 'Which way to look.'),
      depth: { type: 'number', default: 1, min: 1, max: 5, help: 'Steps to follow.' },
      maxTokens: budget(4000),
    },
  },
  outline: {
    name: 'outline',
    summary: 'Outline a file; without one, map the files that matter most, or list what changed.',
    arguments: { place: { form: 'words', required: false, help: 'File or section.' } },
    options: {
      question: { type: 'text', value: 'words', help: 'What the map is for.' },
      since: {
        type: 'text',
        value: 'ref',
        help: 'Commit, branch or tag: lists what changed, and stale documents.',
      },
      maxTokens: budget(2000),
    },
  },
  status: {
    name: 'status',
    summary: 'Show what is indexed and how fresh it is.',
    arguments: {},
    options: {},
  },
} as const satisfies Record<string, OperationSpec>
