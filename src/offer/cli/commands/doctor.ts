// Is everything well? `yore doctor` runs checks of installation, index and configuration, and prints each with its fix.

import { formatQuantity } from '../../../model/format-numbers.ts'
import type { DoctorCheck } from '../../../model/report.ts'
import { type Command, type CorpusCall, corpusCommand } from '../command.ts'
import { outPalette, type Palette, printable } from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import { show } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'doctor',
    summary: 'Diagnose the installation and the index, and suggest fixes.',
    details: ['Exits with 1 when a problem was found; warnings alone exit with 0.'],
    arguments: {},
    options: { ...corpusOptions, json },
    examples: ['yore doctor', 'yore doctor --json'],
  },
  async (call) => {
    const checks = [...(await call.use((engine) => engine.doctor())), checkConfiguration(call)]
    show(call.input, checks, () => printDoctor(checks, outPalette()))
    return hasProblem(checks) ? 1 : 0
  },
  { tolerant: true, startsIndex: true },
)

function checkConfiguration({
  configFault,
  loaded: { warnings },
}: Pick<CorpusCall<unknown>, 'configFault' | 'loaded'>): DoctorCheck {
  const checked = { name: 'configuration', looked: 'yore.json, the user config, .env and the environment' }
  if (configFault !== null)
    return { ...checked, verdict: 'problem', found: configFault.message, fix: configFault.hint }
  if (warnings.length === 0) return { ...checked, verdict: 'ok', found: 'valid', fix: null }
  return { ...checked, verdict: 'warning', found: warnings.join('; '), fix: 'remove or lower the value' }
}

export function printDoctor(checks: readonly DoctorCheck[], palette: Palette): string {
  const marks = { ok: palette.green('✓'), warning: palette.yellow('!'), problem: palette.red('✗') }
  const blocks = checks.map((check) => {
    const looked = palette.dim(`(${printable(check.looked)})`)
    const lines = [
      `${marks[check.verdict]} ${palette.bold(printable(check.name))}: ${printable(check.found)} ${looked}`,
    ]
    if (check.fix !== null) lines.push(`  fix: ${printable(check.fix)}`)
    return lines.join('\n')
  })
  return `${[...blocks, '', summarize(checks)].join('\n')}\n`
}

/** True when a check found a problem; warnings do not count. */
export const hasProblem = (checks: readonly DoctorCheck[]): boolean =>
  checks.some((check) => check.verdict === 'problem')

function summarize(checks: readonly DoctorCheck[]): string {
  const found = ['problem', 'warning'].flatMap((verdict) => {
    const { length } = checks.filter((check) => check.verdict === verdict)
    return length > 0 ? [formatQuantity(length, verdict)] : []
  })
  return found.length === 0 ? 'no problem found' : `${found.join(' and ')} found`
}
