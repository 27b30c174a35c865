// Which operations measure how good digests are? Entries of the table of operations.
import {
  defaultQuestionsFile,
  type EvaluateOptions,
  type EvaluateResult,
} from '../../check/evaluation/evaluation.ts'
import type { Operation, OperationSpec } from './operation.ts'
import { type CorpusInput, corpusOptions, json, now, refresh } from './shared-options.ts'

interface EvalInput extends CorpusInput, EvaluateOptions {
  readonly questions?: string
  readonly json: boolean
  readonly compare?: string
  readonly now?: number
}

export interface EvalInitInput extends CorpusInput {
  readonly questions?: string
  readonly force: boolean
}

export const evaluate: Operation<EvalInput, EvaluateResult> = {
  name: 'eval',
  summary:
    'Ask the questions of a file and say which digests hold what they need, and why the others do not.',
  details: [
    'Each line of the file is one question: {"id": 1, "question": "How do I deploy?", "expected_contains": ["deploy.sh"]}, with expected_docs, expected_sections and forbidden_docs beside or instead of phrases.',
    'A question passes when its digest holds 0.8 of what it expects. Exits with 1 when fewer questions pass than --min-coverage asks for.',
  ],
  arguments: {
    questions: {
      form: 'file',
      required: false,
      help: `File of questions, one JSON object per line; ${defaultQuestionsFile} when none is named.`,
    },
  },
  options: {
    minCoverage: {
      type: 'number',
      whole: false,
      default: 0.8,
      min: 0,
      max: 1,
      help: 'The share of questions that must pass.',
    },
    maxTokens: { type: 'number', setting: 'maxTokens', help: 'Token budget of each digest.' },
    sections: {
      type: 'number',
      default: 0,
      min: 0,
      max: 1000,
      help: 'How many sections a digest may hold; 0 for as many as its budget suggests.',
    },
    depth: { type: 'number', setting: 'depth', help: 'How many hops of references to follow; 0 for none.' },
    compare: {
      type: 'file',
      value: 'path',
      help: 'An earlier --json output: say what got better and worse since.',
      cliOnly: true,
    },
    json,
    tokenizer: {
      type: 'text',
      setting: 'tokenizer',
      help: 'Count tokens exactly, or estimate them as length / 4.',
    },
    refresh,
    now,
    ...corpusOptions,
  },
  examples: [
    'yore eval',
    'yore eval --max-tokens 2000 --json > baseline.json',
    'yore eval --compare baseline.json',
  ],
  readOnly: true,
  cliOnly: true,
  run(engine, input) {
    const { minCoverage, maxTokens, sections, depth, tokenizer, refresh } = input
    const source = { file: input.questions ?? defaultQuestionsFile }
    return engine.evaluate(source, { minCoverage, maxTokens, sections, depth, tokenizer, refresh })
  },
}

export const evaluateInit: OperationSpec = {
  name: 'eval init',
  summary: 'Write a file with two example questions for yore eval.',
  details: ['Replace the examples by what people ask. A file that exists is kept unless --force is given.'],
  arguments: {
    questions: {
      form: 'file',
      required: false,
      help: `File to write; ${defaultQuestionsFile} when none is named.`,
    },
  },
  options: { force: { type: 'switch', help: 'Replace a file that exists.' }, ...corpusOptions },
  examples: ['yore eval init'],
  readOnly: false,
  cliOnly: true,
}
