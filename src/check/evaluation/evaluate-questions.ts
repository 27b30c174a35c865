// Do the digests contain what the questions need? Each question is assembled as for a user, and every miss gets its cause.

import { type Assembled, assembleRanked } from '../../answer/answering/assemble-context.ts'
import type { AssembleContext } from '../../answer/answering/choose-passages.ts'
import { type AskedMeaning, noMeaning } from '../../answer/answering/find-meaning.ts'
import { chooseSections } from '../../answer/assemble/select-sections.ts'
import type { Passage } from '../../model/digest.ts'
import { YoreError } from '../../model/errors.ts'
import type { ArtifactRow } from '../../model/section.ts'
import { yoreVersion } from '../../model/version.ts'
import { CorpusCatalogue, type ExpectedPlace } from './corpus-catalogue.ts'
import {
  type EvaluateOptions,
  type Evaluation,
  evaluationVersion,
  type FoundExpectation,
  type Miss,
  passMark,
  type Question,
  type QuestionResult,
} from './evaluation.ts'
import {
  type Attempt,
  type Cause,
  describeHit,
  explainMiss,
  makeAttempt,
  notIndexed,
  notReached,
} from './explain-miss.ts'
import {
  judgeQuestion,
  nothingFits,
  type OpenMiss,
  type OpenResult,
  roundShare,
  sumUp,
} from './judge-question.ts'
import {
  foldText,
  holdsPhrase,
  namesDocument,
  quotedForbidden,
  quotedLines,
  quotedPassages,
  quotedTexts,
  shareOfLines,
} from './match-expectations.ts'

/** Evaluates all questions on one snapshot of the index. */
export function evaluateQuestions(
  asked: { readonly questions: readonly Question[]; readonly file: string | null },
  options: EvaluateOptions,
  context: AssembleContext,
  meanings: ReadonlyMap<string, AskedMeaning> = new Map(),
): Evaluation {
  const { reader } = context
  return reader.snapshot(() => {
    const evaluator = new Evaluator(options, context, meanings)
    const results = evaluator.settle(asked.questions.map((question) => evaluator.evaluate(question)))
    const totals = sumUp(results)
    const { maxTokens, depth, tokenizer, minCoverage } = options
    const sections = options.sections || chooseSections(maxTokens)
    return {
      schemaVersion: evaluationVersion,
      yoreVersion,
      generatedAt: new Date(context.now).toISOString(),
      questionsFile: asked.file,
      fingerprint: reader.meta('fingerprint') ?? '',
      settings: { maxTokens, sections, depth, tokenizer, relevanceThreshold: context.relevanceThreshold },
      minCoverage,
      passed: totals.passRate >= roundShare(minCoverage),
      totals,
      questions: results,
    }
  })
}

class Evaluator {
  readonly #options: EvaluateOptions
  readonly #context: AssembleContext
  readonly #meanings: ReadonlyMap<string, AskedMeaning>
  readonly #catalogue: CorpusCatalogue

  constructor(
    options: EvaluateOptions,
    context: AssembleContext,
    meanings: ReadonlyMap<string, AskedMeaning>,
  ) {
    this.#meanings = meanings
    this.#options = options
    this.#context = context
    this.#catalogue = new CorpusCatalogue(context.reader)
  }

  evaluate(question: Question): OpenResult {
    const { expectedContains, expectedDocs, expectedSections } = question
    const assembled = this.#assemble(question.question)
    if (typeof assembled === 'string') return nothingFits(question, assembled)
    const { result, ranking } = assembled
    const attempt = makeAttempt(result.digest, ranking.sections)
    const texts = quotedTexts(result.digest, (section) => this.#catalogue.heading(section))
    const passages = quotedPassages(result.digest)
    const hits: FoundExpectation[] = []
    /** Expectations without a passage; the others become hits. */
    const missing = (
      kind: FoundExpectation['kind'],
      expectations: readonly string[],
      isIn: (expected: string, at: number) => boolean,
    ): string[] =>
      expectations.filter((expected) => {
        const at = passages.findIndex((_, index) => isIn(expected, index))
        if (at !== -1) hits.push({ kind, expected, ...describeHit(at, attempt) })
        return at === -1
      })
    const phrases = missing('phrase', expectedContains, (phrase, at) => holdsPhrase(texts[at] ?? [], phrase))
    const documents = missing('document', expectedDocs, (doc, at) =>
      namesDocument(doc, passages[at]?.path ?? ''),
    )
    const sections = expectedSections.flatMap((expected) => this.#missSection(expected, attempt) ?? [])
    const missed = new Set(sections.map(({ expected }) => expected))
    missing(
      'section',
      expectedSections.filter((expected) => !missed.has(expected)),
      (expected, at) => this.#quotes(passages[at], expected),
    )
    const forbidden = quotedForbidden(result.digest, question.forbiddenDocs)
    const misses = [
      ...this.#missPhrases(phrases, attempt),
      ...documents.map((expected) => this.#missDocument(expected, attempt)),
      ...sections,
    ]
    return judgeQuestion(question, {
      tokens: result.tokensUsed,
      phrases: expectedContains.length - phrases.length,
      documents: expectedDocs.length - documents.length,
      sections: expectedSections.length - sections.length,
      hits,
      misses,
      forbidden,
    })
  }

  /** The digest, or a sentence why the budget is too small for one. */
  #assemble(question: string): Assembled | string {
    const asked = {
      ...this.#options,
      mode: 'hybrid',
      format: 'markdown',
      layout: 'auto',
      fill: false,
      explain: false,
    } as const
    try {
      const { notices: _, ...meaning } = this.#meanings.get(question) ?? noMeaning
      return assembleRanked(question, asked, { ...this.#context, ...meaning })
    } catch (error) {
      if (error instanceof YoreError && error.code === 'BUDGET_TOO_SMALL')
        return `${error.message}; ${error.hint}`
      throw error
    }
  }

  #missPhrases(phrases: readonly string[], attempt: Attempt): (Miss | OpenMiss)[] {
    if (phrases.length === 0) return []
    const texts = attempt.ranking.map(({ artifact }) => foldText(this.#catalogue.prose(artifact)))
    return phrases.map((phrase) => {
      const folded = foldText(phrase)
      const holders = attempt.ranking.filter((_, index) => texts[index]?.includes(folded))
      const ids = holders.map(({ artifact }) => artifact.id)
      const cause = explainMiss(ids, attempt)
      return cause === null ? { phrase, attempt } : { kind: 'phrase', expected: phrase, ...cause }
    })
  }

  #missDocument(expected: string, attempt: Attempt): Miss {
    const sections = this.#catalogue.sectionsNamed(expected)
    const [first] = sections
    const cause =
      first === undefined
        ? notIndexed(this.#whyNoDocument(expected))
        : this.#explain(sections, first, attempt)
    return { kind: 'document', expected, ...cause }
  }

  #whyNoDocument(expected: string): string {
    const path = expected.startsWith('./') ? expected.slice(2) : expected
    const skipped = this.#catalogue.skipped(path)
    return skipped === null ? `no document ${path} in the index` : `it was skipped (${skipped})`
  }

  #missSection(expected: string, attempt: Attempt): Miss | null {
    const place = this.#catalogue.place(expected)
    const miss = { kind: 'section', expected } as const
    if (typeof place === 'string') return { ...miss, ...notIndexed(place) }
    const share = shareOfLines(place.numbers, quotedLines(attempt.digest, place.path))
    if (roundShare(share) >= passMark) return null
    const [first] = place.sections
    if (first === undefined)
      return { ...miss, ...notIndexed(`no text at ${place.path}:${place.lines.start}`) }
    const cause = this.#explain(this.#incomplete(place, attempt), first, attempt)
    const partly = share > 0 ? `${Math.round(share * 100)} % of its lines are in; ` : ''
    return { ...miss, ...cause, detail: `${partly}${cause.detail}` }
  }

  /** Does the passage contain lines of the expected place? */
  #quotes(passage: Passage | undefined, expected: string): boolean {
    const place = this.#catalogue.place(expected)
    if (passage === undefined || typeof place === 'string' || passage.path !== place.path) return false
    const lines = passage.excerpts.map((excerpt) => excerpt.lines)
    return shareOfLines(place.numbers, lines) > 0
  }

  /** Sections of the place that are not completely in the digest. */
  #incomplete(place: ExpectedPlace, { digest }: Attempt): readonly ArtifactRow[] {
    const quoted = quotedLines(digest, place.path)
    return place.sections.filter(({ ownLines }) => {
      const own = place.numbers.filter(
        (line) => ownLines !== null && ownLines.start <= line && line <= ownLines.end,
      )
      return own.length > 0 && shareOfLines(own, quoted) < 1
    })
  }

  #explain(sections: readonly ArtifactRow[], first: ArtifactRow, attempt: Attempt): Cause {
    const ids = sections.map((section) => section.id)
    return explainMiss(ids, attempt) ?? notReached(first, this.#pathOf(first), attempt)
  }

  #pathOf(section: ArtifactRow): string {
    return this.#context.reader.file(section.file).path
  }

  /** Searches the whole index for phrases without a ranked section, once for all questions. */
  settle(drafts: readonly OpenResult[]): readonly QuestionResult[] {
    const open = drafts.flatMap(({ misses }) =>
      misses.flatMap((miss) => ('phrase' in miss ? [miss.phrase] : [])),
    )
    const places = this.#catalogue.findPhrases(open)
    const settleMiss = (miss: Miss | OpenMiss): Miss => {
      if (!('phrase' in miss)) return miss
      const { phrase, attempt } = miss
      const section = places.get(phrase)
      const cause =
        section === undefined
          ? notIndexed('no document text in the index holds it')
          : notReached(section, this.#pathOf(section), attempt)
      return { kind: 'phrase', expected: phrase, ...cause }
    }
    return drafts.map((draft) => ({ ...draft, misses: draft.misses.map(settleMiss) }))
  }
}
