// What does a health check look for, how severe is each finding, and what is in a report? Data for every surface.
import type { Freshness } from '../../model/report.ts'

/** Worst first. */
export const severities = ['error', 'warning'] as const
export type Severity = (typeof severities)[number]

interface HealthRule {
  readonly severity: Severity
  /** Title of its findings. */
  readonly title: string
  /** Why it matters, in one sentence. */
  readonly help: string
}

/** Every rule, in the order of the report. */
export const healthRules = {
  'broken-reference': {
    severity: 'error',
    title: 'Broken references',
    help: 'A reader cannot follow it, and neither can a digest.',
  },
  'ambiguous-reference': {
    severity: 'warning',
    title: 'Ambiguous references',
    help: 'Several documents have the name, so that none is followed.',
  },
  'lost-anchor': {
    severity: 'warning',
    title: 'Lost anchors',
    help: 'The document exists but the heading does not: the reader lands at its top.',
  },
  'superseded-citation': {
    severity: 'warning',
    title: 'Superseded documents that are still cited',
    help: 'Readers find a decision that is no longer valid.',
  },
  'stale-document': {
    severity: 'warning',
    title: 'Documents that quote code which is gone',
    help: 'The code had it when the document was last changed, and has it no longer.',
  },
} as const satisfies Record<string, HealthRule>

export type HealthRuleName = keyof typeof healthRules

export interface HealthFinding {
  readonly rule: HealthRuleName
  readonly path: string
  /** From 1. */
  readonly line: number
  /** The problem in one sentence. */
  readonly message: string
  /** The line as the document has it. */
  readonly evidence: string
  /** How to fix it. */
  readonly fix: string
  /** The line with the fix, which was applied to a copy and leads to its target; null where a person must decide. */
  readonly fixed: string | null
  /** Other places of the finding. */
  readonly related: readonly { readonly path: string; readonly line: number }[]
}

export interface HealthReport {
  readonly documents: number
  /** Checked references between documents. */
  readonly references: number
  /** In the order of the rules, then by path and line. */
  readonly findings: readonly HealthFinding[]
  /** What could not be checked, and why. */
  readonly notices: readonly string[]
}

export function countFindings({ findings }: Pick<HealthReport, 'findings'>, severity: Severity): number {
  return findings.filter(({ rule }) => healthRules[rule].severity === severity).length
}

export interface HealthResult {
  readonly health: HealthReport
  readonly freshness: Freshness
}
