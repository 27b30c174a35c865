// What did answers take, beside the files that they quote? The receipts of this user, summed for a terminal or a program.
import {
  clearReceipts,
  corpusKey,
  readReceipts,
  type Savings,
  type SavingsSum,
  sumReceipts,
} from '../../answering/savings-log.ts'
import { findCorpus } from '../../config/find-root.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { defaultSettings } from '../../config/settings.ts'
import type { SavingsInput } from '../agent-operations.ts'
import { checkInput, completeInput, readCommandLine } from '../check-input.ts'
import { operations } from '../operations.ts'
import { formatCount, formatMany } from './format-numbers.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { printable, printableJson } from './printable.ts'
import { note } from './terminal.ts'

/** Days on a terminal; JSON has all of them. */
const mostDays = 14

/** Runs `yore savings`; gives the exit status. */
export async function runSavings(request: CommandRequest): Promise<number> {
  const operation = operations.savings
  const given = checkInput(operation, readCommandLine(operation, request.given))
  const { clear, json } = completeInput(operation, given, defaultSettings) as unknown as SavingsInput
  // No repository has a say here.
  const isOn = loadSettings({ root: null, env: process.env }).settings.savings === 'on'
  const receipts = readReceipts(process.env)
  if (clear) {
    clearReceipts(process.env)
    note(`deleted the receipts of ${formatMany(receipts.length, 'answer')}`)
    return 0
  }
  const savings = sumReceipts(receipts)
  process.stdout.write(json ? printableJson({ on: isOn, ...savings }) : printable(print(savings)))
  if (!isOn) note('answers leave no receipt: `yore config set savings on --scope user` switches it on')
  return 0
}

function print(savings: Savings): string {
  if (savings.questions === 0) return 'no receipts\n'
  const { root } = findCorpus({ cwd: process.cwd() })
  const here = corpusKey(root)
  const days = savings.days.slice(0, mostDays).map(({ day, ...sum }) => row(day, sum))
  const corpora = savings.corpora.map(({ corpus, ...sum }) =>
    row(corpus, sum).concat(corpus === here ? '  (this folder)' : ''),
  )
  const older = savings.days.length - days.length
  return [
    heading('day'),
    ...days,
    ...(older > 0 ? [`and ${formatMany(older, 'day')} before; --json has all of them`] : []),
    '',
    heading('corpus'),
    ...corpora,
    '',
    heading(''),
    row('all', savings),
    '',
    'Served: tokens of digests, and an estimate for hits of search. Files touched: tokens of each quoted file as a',
    'whole, once for each question. An agent would not have read all of these files: it searches and reads parts.',
    '',
  ].join('\n')
}

function line(cells: readonly string[]): string {
  const [name = '', ...figures] = cells
  return `${name.padEnd(12)}${figures.map((figure) => figure.padStart(15)).join('')}`
}

function heading(name: string): string {
  return line([name, 'questions', 'served', 'files touched', 'times'])
}

function row(name: string, { questions, served, touched, ratio }: SavingsSum): string {
  return line([
    name,
    formatCount(questions),
    formatCount(served),
    formatCount(touched),
    ratio === null ? '-' : ratio.toFixed(1),
  ])
}
