// Which rulebooks are in effect, and is a rulebook file valid? `yore rulebook` and `yore rulebook check`.
import path from 'node:path'
import type { RulebookFileReport } from '../../../check/rulebooks/check-rulebooks.ts'
import type { RulebookInForce } from '../../../check/rulebooks/load-rulebooks.ts'
import { rulebookLanguages } from '../../../model/config/rulebook-names.ts'
import type { ChunkRule } from '../../../model/expansion.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { type Command, corpusCommand } from '../command.ts'
import { outPalette, type Palette, printable } from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import { show, warn } from '../terminal.ts'

const check: Command = corpusCommand(
  {
    name: 'rulebook check',
    summary: 'Check a rulebook file, or every rulebook in effect, and list errors.',
    details: ['Exits with 1 when there is an error; warnings alone exit with 0.'],
    arguments: {
      file: {
        form: 'file',
        required: false,
        help: "A rulebook or a repository's overrides; by default the shipped rulebooks and yore.rulebook.json.",
      },
    },
    options: { root: corpusOptions.root, json },
    examples: ['yore rulebook check', 'yore rulebook check yore.rulebook.json'],
  },
  async ({ input, use }) => {
    const { file } = input
    const found = await use((engine) =>
      engine.checkRulebooks(file === undefined ? undefined : path.resolve(file)),
    )
    const reports = found.map((report) => ({ ...report, file: file ?? report.file }))
    show(input, reports, () => printRulebookCheck(reports, outPalette()))
    return reports.some(({ errors }) => errors.length > 0) ? 1 : 0
  },
)

export const command: Command = {
  ...corpusCommand(
    {
      name: 'rulebook',
      summary: 'Show the rulebooks in effect: which references may be followed, and at which cost.',
      details: [
        'A repository can restrict the shipped rulebooks with yore.rulebook.json in its top folder; it cannot extend them.',
      ],
      arguments: {
        language: {
          form: 'choice',
          required: false,
          choices: rulebookLanguages,
          help: 'Language; all of them by default.',
        },
      },
      options: { root: corpusOptions.root, json },
      examples: ['yore rulebook', 'yore rulebook markdown', 'yore rulebook markdown --json'],
    },
    async ({ input, use }) => {
      const inForce = await use((engine) => engine.rulebooks())
      warn(inForce.warnings)
      const { rulebooks } = inForce
      const { language } = input
      const shown = language === undefined ? Object.values(rulebooks) : [rulebooks[language]]
      const facts = language === undefined ? inForce : rulebooks[language].rulebook
      show(input, facts, () => printRulebooks(shown, outPalette()))
      return 0
    },
  ),
  subcommands: [check],
}

const head = ['from', 'via', 'direction', 'cost', 'to']
/** Columns of a line; the last cell wraps. */
const width = 100

export function printRulebooks(rulebooks: readonly RulebookInForce[], palette: Palette): string {
  return `${rulebooks.map((rulebook) => printRulebook(rulebook, palette)).join('\n\n')}\n`
}

function printRulebook({ rulebook, tightenedBy }: RulebookInForce, palette: Palette): string {
  const rows = Object.entries(rulebook.chunk_rules).flatMap(([type, rule]) => rowsOf(type, rule))
  const origin = tightenedBy === null ? 'as shipped' : `tightened by ${printable(tightenedBy)}`
  const widths = head
    .slice(0, -1)
    .map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)))
  const before = widths.reduce((sum, cell) => sum + cell + 2, 0)
  const line = (cells: readonly string[]): string => {
    const start = widths.map((cell, column) => cells[column]!.padEnd(cell)).join('  ')
    const [first = '', ...rest] = wrapList(cells.at(-1)!, width - before)
    return [`${start}  ${first}`, ...rest.map((more) => ' '.repeat(before) + more)].join('\n')
  }
  return [
    `${palette.bold(rulebook.language)} ${palette.dim(`(${origin})`)}`,
    palette.dim(line(head)),
    ...rows.map(line),
  ].join('\n')
}

function rowsOf(type: string, { allow_expansion, expansions }: ChunkRule): readonly string[][] {
  if (!allow_expansion || expansions.length === 0) return [[type, '-', '-', '-', 'nothing: terminal']]
  return expansions.map(({ via, direction, allowed_target_types, cost }) => [
    type,
    via,
    direction,
    String(cost),
    allowed_target_types.join(', ') || 'nothing',
  ])
}

/** Wraps a list after its commas. */
function wrapList(list: string, most: number): string[] {
  const lines: string[] = []
  for (const word of list.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

export function printRulebookCheck(reports: readonly RulebookFileReport[], palette: Palette): string {
  const blocks = reports.map(({ file, form, errors, warnings }) => {
    const mark =
      errors.length > 0 ? palette.red('✗') : warnings.length > 0 ? palette.yellow('!') : palette.green('✓')
    const found = [
      ...(errors.length > 0 ? [formatQuantity(errors.length, 'error')] : []),
      ...(warnings.length > 0 ? [formatQuantity(warnings.length, 'warning')] : []),
    ]
    return [
      `${mark} ${palette.bold(printable(file))}: ${found.join(', ') || `valid ${form}`}`,
      ...errors.map((error) => `  error: ${printable(error)}`),
      ...warnings.map((warning) => `  warning: ${printable(warning)}`),
    ].join('\n')
  })
  return `${blocks.join('\n')}\n`
}
