// What is measured? Every task with its corpus, and how much of it belongs to the small run.
import type { Ask, Figure } from './figures.ts'
import type { CorpusName } from './prepare-corpus.ts'
import { scoreCoverage } from './score-coverage.ts'
import { scoreHops } from './score-hops.ts'
import { scoreOwn } from './score-own.ts'
import { scoreRanking, searchLimits } from './score-ranking.ts'
import { scoreRequired } from './score-required.ts'
import { scoreSpans } from './score-spans.ts'

export interface Task {
  /** What `--set` names. */
  readonly set: string
  readonly corpus: CorpusName
  readonly what: string
  /** Questions in the small run; null when the task is not part of it. */
  readonly small: number | null
  readonly run: (ask: Ask, small: boolean) => Promise<Figure[]>
}

const everyBudget = [1000, 2000, 4000, 8000]

type RankedSet = 'scifact' | 'k8sdocs' | 'raydocs' | 'eips' | 'twowiki'

function rankingOf(set: RankedSet, small: number | null, limit: number = searchLimits.every): Task {
  const run: Task['run'] = (ask, isSmall) => scoreRanking(ask, isSmall ? searchLimits.few : limit)
  return { set, corpus: set, what: 'ranking', small, run }
}

export const tasks: readonly Task[] = [
  {
    set: 'own',
    corpus: 'own',
    what: 'digests',
    small: Number.POSITIVE_INFINITY,
    run: (ask) => scoreOwn(ask, { budgets: [2000, 4000] }),
  },
  rankingOf('scifact', 60, searchLimits.oneEach),
  rankingOf('k8sdocs', 60),
  rankingOf('raydocs', null),
  {
    set: 'raydocs',
    corpus: 'raydocs',
    what: 'coverage of digests',
    small: 60,
    run: (ask, small) =>
      scoreCoverage(
        ask,
        small ? { budgets: [2000, 8000], depths: [1] } : { budgets: everyBudget, depths: [0, 1] },
      ),
  },
  {
    set: 'raydocs',
    corpus: 'raydocs',
    what: 'coverage of brief digests',
    small: null,
    run: (ask) => scoreCoverage(ask, { budgets: everyBudget, depths: [1], layout: 'brief' }),
  },
  rankingOf('eips', null),
  {
    set: 'eips',
    corpus: 'eips',
    what: 'required documents',
    small: 40,
    run: (ask) => scoreRequired(ask, { maxTokens: 8000, depths: [0, 1] }),
  },
  rankingOf('twowiki', null, searchLimits.oneEach),
  { set: 'twowiki', corpus: 'twowiki-linked', what: 'links', small: null, run: scoreHops },
  {
    set: 'chroma_spans',
    corpus: 'chroma_spans',
    what: 'gold characters',
    small: null,
    run: (ask) => scoreSpans(ask, { budgets: [500, 1000, 2000] }),
  },
]

/** What `--set` may name. */
export const setNames: readonly string[] = [
  ...new Set(tasks.map(({ set }) => set)),
  'real',
  'messages',
  'references',
]
