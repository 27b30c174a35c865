// Which documents need care? `yore health` lists findings by kind with the fix below each, or prints SARIF for code hosts.
import {
  countFindings,
  type HealthFinding,
  type HealthReport,
  type HealthRuleName,
  healthRules,
  type Severity,
  severities,
} from '../../../check/health/health-rules.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { clip } from '../../../model/mark-invisible.ts'
import { product, yoreVersion } from '../../../model/version.ts'
import { type Command, corpusCommand } from '../command.ts'
import { oneLine, outPalette, type Palette, printableJson } from '../format.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { noteFreshness, out, show } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'health',
    summary: 'Find documents that need care, each with the place and the fix.',
    details: [
      'Errors: broken references. Warnings: ambiguous ids, lost anchors, superseded documents that are still cited, and documents that quote code which is gone (by git).',
      'Findings are certain, and a corrected line was checked to lead to its target; `yore links --doubtful` lists the rest.',
      'Tests, vendored and generated files, translations, changelogs, posts and dated pages are not checked. A comment with yore-ignore-link and the setting ignoreLinks silence references.',
      'Exits with 1 when a finding is at least as severe as --fail-on, so that CI fails.',
    ],
    arguments: {},
    options: {
      failOn: {
        type: 'text',
        default: 'error',
        choices: ['error', 'warning', 'never'],
        help: 'Lowest severity that makes it exit with 1.',
      },
      all: { type: 'switch', help: 'List every finding; otherwise ten of each kind.' },
      sarif: { type: 'switch', help: 'Print SARIF 2.1.0, for code hosts that annotate changes.' },
      refresh,
      ...corpusOptions,
      json,
    },
    examples: ['yore health', 'yore health --fail-on warning', 'yore health --sarif > health.sarif'],
  },
  async ({ input, now, use }) => {
    const { health, freshness } = await use((engine) => engine.checkHealth(input))
    if (input.sarif) out(renderSarif(health))
    else show(input, health, () => printHealth(health, { all: input.all, palette: outPalette() }))
    noteFreshness(freshness, now)
    return isFailed(health, input.failOn) || freshness.state === 'incomplete' ? 1 : 0
  },
)

/** Findings shown of each kind without --all. */
const LISTED = 10
/** Characters shown of a line. */
const SHOWN = 160

export function printHealth(
  report: HealthReport,
  options: { readonly all: boolean; readonly palette: Palette },
): string {
  const { palette, all } = options
  const marks = { error: palette.red('✗'), warning: palette.yellow('!') }
  const byRule = Map.groupBy(report.findings, ({ rule }) => rule)
  const blocks = [...byRule].map(([rule, findings]) => {
    const { severity, title } = healthRules[rule]
    const shown = all ? findings : findings.slice(0, LISTED)
    const hidden = findings.length - shown.length
    return [
      `${marks[severity]} ${palette.bold(title)}: ${findings.length}`,
      ...shown.flatMap(({ path, line, message, evidence, fix, fixed }) => [
        `  ${palette.cyan(`${oneLine(path)}:${line}`)} ${oneLine(message)}`,
        `    ${palette.red('-')} ${oneLine(clip(evidence, SHOWN))}`,
        fixed === null
          ? `    ${palette.dim('fix:')} ${oneLine(fix)}`
          : `    ${palette.green('+')} ${oneLine(clip(fixed, SHOWN))}`,
      ]),
      ...(hidden > 0 ? [`  ${palette.dim(`${hidden} more (--all lists them)`)}`] : []),
      '',
    ].join('\n')
  })
  const counts = severities.map((severity) => formatQuantity(countFindings(report, severity), severity))
  const looked = `${formatQuantity(report.documents, 'document')} and ${formatQuantity(report.references, 'reference')} checked`
  return `${[...blocks, ...report.notices.map(oneLine), `${looked}: ${counts.join(', ')}`].join('\n')}\n`
}

/** True if a finding is at least as severe as `failOn`. */
export function isFailed({ findings }: HealthReport, failOn: Severity | 'never'): boolean {
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
