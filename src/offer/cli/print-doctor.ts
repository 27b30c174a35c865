// Is everything well? Each check with its mark, what was looked at and found, and the command that mends it.
import type { DoctorCheck } from '../../model/report.ts'
import type { Palette } from './colors.ts'
import { formatMany } from './format-numbers.ts'
import { printable } from './printable.ts'

/** The text for standard output. */
export function printDoctor(checks: readonly DoctorCheck[], palette: Palette): string {
  const marks = { ok: palette.green('✓'), warning: palette.yellow('!'), problem: palette.red('✗') }
  const blocks = checks.map((check) => {
    const looked = palette.dim(`(${printable(check.looked)})`)
    const lines = [
      `${marks[check.verdict]} ${palette.bold(printable(check.name))}: ${printable(check.found)} ${looked}`,
    ]
    if (check.mend !== null) lines.push(`  mend: ${printable(check.mend)}`)
    return lines.join('\n')
  })
  return `${[...blocks, '', summarize(checks)].join('\n')}\n`
}

/** True when a check found a problem; warnings do not count. */
export function hasProblem(checks: readonly DoctorCheck[]): boolean {
  return checks.some((check) => check.verdict === 'problem')
}

function summarize(checks: readonly DoctorCheck[]): string {
  const count = (verdict: DoctorCheck['verdict']) =>
    checks.filter((check) => check.verdict === verdict).length
  const found = [
    ...(count('problem') > 0 ? [formatMany(count('problem'), 'problem')] : []),
    ...(count('warning') > 0 ? [formatMany(count('warning'), 'warning')] : []),
  ]
  return found.length === 0 ? 'no problem found' : `${found.join(' and ')} found`
}
