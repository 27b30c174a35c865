// Do the digests contain what the questions need? Each question is assembled as for a user; only quoted document text counts.

import { type Assembled, assembleRanked } from '../../answer/answering/assemble-context.ts'
import type { AssembleContext } from '../../answer/answering/digest-parts.ts'
import { type AskedMeaning, noMeaning } from '../../answer/answering/find-meaning.ts'
import { chooseSections } from '../../answer/assemble/fit-digest.ts'
import { ArtifactFinder } from '../../corpus/lookup/find-artifact.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Digest, Passage } from '../../model/digest.ts'
import { YoreError } from '../../model/errors.ts'
import type { ArtifactRow } from '../../model/section.ts'
import { yoreVersion } from '../../model/version.ts'
import { findLines, lineAt } from '../../read/parse/find-lines.ts'
import {
  type EvaluateOptions,
  type Evaluation,
  evaluationVersion,
  type Miss,
  passMark,
  type Question,
  type QuestionResult,
} from './evaluation.ts'

/** Evaluates all questions on one snapshot of the index. */
export function evaluateQuestions(
  asked: { readonly questions: readonly Question[]; readonly file: string | null },
  options: EvaluateOptions,
  context: AssembleContext,
  meanings: ReadonlyMap<string, AskedMeaning> = new Map(),
): Evaluation {
  const { reader, relevanceThreshold } = context
  return reader.snapshot(() => {
    const places = expectPlaces(reader)
    const results = asked.questions.map((question) => {
      const { notices: _, ...meaning } = meanings.get(question.question) ?? noMeaning
      return judgeQuestion(question, assemble(question.question, options, { ...context, ...meaning }), places)
    })
    const mean = (value: (result: QuestionResult) => number): number =>
      results.reduce((sum, result) => sum + value(result), 0) / Math.max(1, results.length)
    const { maxTokens, depth, minCoverage } = options
    const sections = options.sections || chooseSections(maxTokens)
    const passRate = roundShare(mean(({ passed }) => (passed ? 1 : 0)))
    return {
      schemaVersion: evaluationVersion,
      yoreVersion,
      generatedAt: new Date(context.now).toISOString(),
      questionsFile: asked.file,
      fingerprint: reader.meta('fingerprint') ?? '',
      settings: { maxTokens, sections, depth, relevanceThreshold },
      minCoverage,
      passed: passRate >= roundShare(minCoverage),
      totals: {
        questions: results.length,
        passed: results.filter(({ passed }) => passed).length,
        passRate,
        meanCoverage: roundShare(mean(({ coverage }) => coverage)),
        meanTokens: Math.round(mean(({ tokens }) => tokens)),
      },
      questions: results,
    }
  })
}

/** Shares have four decimals, so that rounding errors decide nothing. */
const roundShare = (value: number): number => Math.round(value * 10_000) / 10_000

/** The digest, or a sentence why the budget is too small for one. */
function assemble(question: string, options: EvaluateOptions, context: Parameters<typeof assembleRanked>[2]) {
  const digest = { mode: 'hybrid', format: 'markdown', layout: 'auto', fill: false, explain: false } as const
  try {
    return assembleRanked(question, { ...options, ...digest }, context).result
  } catch (error) {
    if (error instanceof YoreError && error.code === 'BUDGET_TOO_SMALL')
      return `${error.message}; ${error.hint}`
    throw error
  }
}

/** Compares the digest with what the question expects. */
function judgeQuestion(
  question: Question,
  assembled: Assembled['result'] | string,
  places: ExpectedPlaces,
): QuestionResult {
  const { id, question: text, expectedContains, expectedDocs, expectedSections, forbiddenDocs } = question
  const digest = typeof assembled === 'string' ? null : assembled.digest
  const passages = digest === null ? [] : quotedPassages(digest)
  const texts = passages.flatMap((passage) => quotedTexts(passage, places))
  const misses: Miss[] = []
  /** The share that the digest holds. `judge` gives a sentence for what no digest can hold. */
  const shareOf = (
    kind: Miss['kind'],
    list: readonly string[],
    judge: (expected: string) => boolean | string,
  ): number => {
    const missed = list.flatMap((expected) => {
      const judged = typeof assembled === 'string' ? assembled : judge(expected)
      return judged === true ? [] : [{ kind, expected, problem: judged === false ? null : judged }]
    })
    misses.push(...missed)
    return list.length === 0 ? 1 : 1 - missed.length / list.length
  }
  const isShown = (expected: string): boolean | string =>
    passages.some(({ path }) => namesDocument(expected, path)) || places.problemOfDocument(expected)
  const shares = [
    shareOf('phrase', expectedContains, (phrase) => {
      const folded = foldText(phrase)
      return texts.some((quoted) => quoted.includes(folded))
    }),
    shareOf('document', expectedDocs, isShown),
    shareOf('section', expectedSections, (expected) => places.isQuoted(expected, passages)),
  ]
  const forbidden = passages
    .filter(({ path }) => forbiddenDocs.some((expected) => namesDocument(expected, path)))
    .flatMap(({ path, excerpts }) => excerpts.map(({ lines }) => ({ path, lines })))
  const coverage = roundShare(Math.min(...shares))
  const passed = coverage >= passMark && forbidden.length === 0
  const tokens = typeof assembled === 'string' ? 0 : assembled.tokensUsed
  return { id, question: text, passed, coverage, tokens, misses, forbidden }
}

/** Makes texts equal that differ only in case, white space or the encoding of accents. */
const foldText = (text: string): string => text.toLowerCase().normalize('NFC').replaceAll(/\s+/gu, ' ').trim()

/** Every passage that quotes a document: search results and followed references. */
const quotedPassages = (digest: Digest): readonly Passage[] => [
  ...digest.primary,
  ...digest.expanded.flatMap((document) => document.passages),
]

/** The folded text of each unbroken run of lines, with the heading that the digest shows above the first. */
const quotedTexts = ({ artifacts: [first], excerpts }: Passage, places: ExpectedPlaces): string[] =>
  excerpts.map(({ text, lines }, index) => {
    const shown = (text.match(/\r\n?|\n/g)?.length ?? 0) + 1
    const startsWithHeading = index === 0 && first !== undefined && shown < lines.end - lines.start + 1
    return foldText(startsWithHeading ? `${places.heading(first)}\n${text}` : text)
  })

function namesDocument(expected: string, path: string): boolean {
  const wanted = expected.replace(/^\.\//, '')
  return wanted.endsWith('/') ? path.startsWith(wanted) : path === wanted
}

type ExpectedPlaces = ReturnType<typeof expectPlaces>

/** Where in the index the expectations are. */
function expectPlaces(reader: CorpusReader) {
  const finder = new ArtifactFinder(reader)

  /** A section's heading as in the digest and as in the document. */
  function heading(id: string): string {
    const row = finder.byId(id)?.row
    if (row === undefined) return ''
    const { text, pieces } = reader.text(row.rowId)
    const [first] = pieces
    if (first === undefined || row.level === 0) return row.name
    return `${row.name}\n${text.slice(first.start, first.end)}`
  }

  /** A sentence for a document that the index does not have; false for one that it has. */
  function problemOfDocument(expected: string): string | false {
    const path = expected.replace(/^\.\//, '')
    if (path.endsWith('/') || finder.document(path) !== null) return false
    return `no document ${path} in the index; see \`yore status --skipped\``
  }

  /** Whether the passages quote most of its lines; a sentence if the index has no such place. */
  function isQuoted(expected: string, passages: readonly Passage[]): boolean | string {
    try {
      const { path, numbers } = linesOf(expected)
      if (numbers.length === 0) return `no text at ${expected}`
      const quoted = passages.filter((passage) => passage.path === path).flatMap(({ excerpts }) => excerpts)
      const covered = numbers.filter((line) =>
        quoted.some(({ lines }) => lines.start <= line && line <= lines.end),
      )
      return roundShare(covered.length / numbers.length) >= passMark
    } catch (error) {
      if (error instanceof YoreError && error.code === 'BAD_INPUT') return error.message
      throw error
    }
  }

  /** A place's own lines with text; with the sections below it if it has only a heading. */
  function linesOf(expected: string): { readonly path: string; readonly numbers: readonly number[] } {
    const { row, file, lines } = finder.find(expected)
    const rows = finder.document(file.path)?.rows ?? []
    const within = ({ start, end }: { start: number; end: number }): number[] =>
      rows.flatMap((one) => textLines(one)).filter((line) => start <= line && line <= end)
    const own = lines === null ? textLines(row) : within(lines)
    const hasOnlyHeading = lines === null && own.length <= (row.level > 0 ? 1 : 0)
    return { path: file.path, numbers: hasOnlyHeading ? within(row.lines) : own }
  }

  /** Numbers of a section's own lines that are neither blank nor frontmatter, which is never quoted. */
  function textLines({ rowId, level, ownLines }: ArtifactRow): number[] {
    if (ownLines === null) return []
    const { text, pieces } = reader.text(rowId)
    const from = level === 0 && /^(?:---|\+\+\+)/.test(text) ? (pieces[0]?.end ?? 0) : 0
    const found = findLines(text)
    return found.starts.flatMap((start, line) =>
      start >= from && lineAt(found, line).trim() !== '' ? [ownLines.start + line] : [],
    )
  }

  return { heading, problemOfDocument, isQuoted }
}
