// What is looked at in documents, how bad is each finding, and what does a report hold? Plain data for every surface.
import type { Freshness } from '../../model/report.ts'

/** Worst first. */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

interface HealthRule {
  readonly severity: Severity
  /** What its findings are called together. */
  readonly title: string
  /** Why it matters, in one sentence. */
  readonly help: string
}

/** Every rule, in the order in which a report lists them. */
export const healthRules = {
  'broken-reference': {
    severity: 'error',
    title: 'Broken references',
    help: 'A reader who follows it arrives nowhere, and a digest cannot bring along what it names.',
  },
  'ambiguous-reference': {
    severity: 'warning',
    title: 'Ambiguous references',
    help: 'Several documents answer to the name, so that none is followed.',
  },
  'lost-anchor': {
    severity: 'warning',
    title: 'Lost anchors',
    help: 'The document is there and the heading is not: the reader lands at its top.',
  },
  'superseded-citation': {
    severity: 'warning',
    title: 'Superseded documents that are still cited',
    help: 'Readers are led to a decision that no longer holds.',
  },
  'stale-document': {
    severity: 'warning',
    title: 'Canonical documents behind the code they describe',
    help: 'The code that the document names has changed since the document last did.',
  },
  orphan: {
    severity: 'note',
    title: 'Orphans among linked documents',
    help: 'Its neighbours are linked from other documents, and nothing leads to this one.',
  },
} as const satisfies Record<string, HealthRule>

export type HealthRuleName = keyof typeof healthRules

export interface HealthFinding {
  readonly rule: HealthRuleName
  readonly path: string
  /** From 1. */
  readonly line: number
  /** What is wrong, in one sentence. */
  readonly message: string
  /** What to do about it. */
  readonly fix: string
  /** Other places that the finding is about. */
  readonly related: readonly { readonly path: string; readonly line: number }[]
}

export interface HealthReport {
  readonly documents: number
  /** References between documents that were looked at. */
  readonly references: number
  /** In the order of the rules, then by place. */
  readonly findings: readonly HealthFinding[]
  /** What could not be looked at, and why. */
  readonly notices: readonly string[]
}

export interface HealthResult {
  readonly health: HealthReport
  readonly freshness: Freshness
}
