// How do a person and a code host read what is wrong with documents? By kind with the fix below each, or as SARIF.
import {
  type HealthFinding,
  type HealthReport,
  type HealthRuleName,
  healthRules,
  severities,
} from '../../check/health/health-rules.ts'
import { product, yoreVersion } from '../../model/version.ts'
import type { FailOn } from '../operations/explore-operations.ts'
import type { Palette } from './colors.ts'
import { formatMany } from './format-numbers.ts'
import { printable, printableJson } from './printable.ts'

/** Of each kind, unless all are wanted. */
const LISTED = 10

function oneLine(text: string): string {
  return printable(text).replaceAll(/[\n\t]/g, ' ')
}

/** The text for standard output. */
export function printHealth(
  report: HealthReport,
  options: { readonly all: boolean; readonly palette: Palette },
): string {
  const { palette, all } = options
  const marks = { error: palette.red('✗'), warning: palette.yellow('!'), note: palette.dim('·') }
  const byRule = Map.groupBy(report.findings, ({ rule }) => rule)
  const blocks = [...byRule].map(([rule, findings]) => {
    const { severity, title } = healthRules[rule]
    const shown = all ? findings : findings.slice(0, LISTED)
    const hidden = findings.length - shown.length
    return [
      `${marks[severity]} ${palette.bold(title)}: ${findings.length}`,
      ...shown.map(
        ({ path, line, message, fix }) =>
          `  ${palette.cyan(`${oneLine(path)}:${line}`)} ${oneLine(message)}\n    ${palette.dim('fix:')} ${oneLine(fix)}`,
      ),
      ...(hidden > 0 ? [`  ${palette.dim(`${hidden} more (--all lists them)`)}`] : []),
      '',
    ].join('\n')
  })
  const counts = severities.map((severity) => formatMany(countOf(report, severity), severity))
  const looked = `${formatMany(report.documents, 'document')} and ${formatMany(report.references, 'reference')} checked`
  return `${[...blocks, ...report.notices.map(oneLine), `${looked}: ${counts.join(', ')}`].join('\n')}\n`
}

function countOf({ findings }: HealthReport, severity: (typeof severities)[number]): number {
  return findings.filter(({ rule }) => healthRules[rule].severity === severity).length
}

/** Is there a finding as bad as this? */
export function isFailed({ findings }: HealthReport, failOn: FailOn): boolean {
  if (failOn === 'never') return false
  return findings.some(
    ({ rule }) => severities.indexOf(healthRules[rule].severity) <= severities.indexOf(failOn),
  )
}

const ruleNames = Object.keys(healthRules) as HealthRuleName[]

/** SARIF 2.1.0: the form in which GitHub, GitLab and Azure DevOps take findings. */
export function renderSarif({ findings }: HealthReport): string {
  const location = (path: string, line: number): object => ({
    physicalLocation: {
      artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
      region: { startLine: line },
    },
  })
  const result = ({ rule, path, line, message, fix, related }: HealthFinding): object => ({
    ruleId: rule,
    ruleIndex: ruleNames.indexOf(rule),
    level: healthRules[rule].severity,
    message: { text: `${message}. ${fix}.` },
    locations: [location(path, line)],
    ...(related.length === 0
      ? {}
      : { relatedLocations: related.map((one, id) => ({ id, ...location(one.path, one.line) })) }),
  })
  const rules = ruleNames.map((id) => {
    const { title, help, severity } = healthRules[id]
    return {
      id,
      shortDescription: { text: title },
      fullDescription: { text: help },
      defaultConfiguration: { level: severity },
    }
  })
  return printableJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: product.name, version: yoreVersion, rules } },
        columnKind: 'utf16CodeUnits',
        results: findings.map(result),
      },
    ],
  })
}
