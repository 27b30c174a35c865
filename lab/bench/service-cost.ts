// What does a service cost in a month? From measured unit costs and list prices.
// Run: node lab/bench/service-cost.ts [--corpora 1000000]
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { corpora: { type: 'string', default: '1000000' } } })
const units = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'service-units.json'), 'utf8'),
) as Readonly<Record<string, number>>
const unit = (name: string): number => {
  const value = units[name]
  if (value === undefined) throw new Error(`service-units.json has no ${name}`)
  return value
}
const corpora = Number(values.corpora)
/** Per corpus and day. */
const [uploads, digests] = [10, 864]
const days = 30
const cores = (seconds: number): number =>
  (seconds * unit('usdPerCoreHour')) / 3600 / unit('usedShareOfCores')
const perMonth = (coldShare: number): Readonly<Record<string, number>> => {
  const pages = corpora * uploads * days
  const mixed = (cold: string, warm: string): number => coldShare * unit(cold) + (1 - coldShare) * unit(warm)
  return {
    questions: cores(corpora * digests * days * unit('question')),
    workers: cores(pages * (mixed('publishCold', 'publishWarm') + unit('parse'))),
    PostgreSQL: cores(pages * unit('postgres')),
    GET: pages * mixed('getsCold', 'getsWarm') * unit('usdPerGet'),
    'PUT and LIST': pages * unit('puts') * unit('usdPerPut'),
    storage: (corpora * unit('storeMegabytes') * unit('usdPerGigabyteMonth')) / 1000,
  }
}
const round = (costs: Readonly<Record<string, number>>): Readonly<Record<string, number>> => ({
  ...Object.fromEntries(Object.entries(costs).map(([name, usd]) => [name, Math.round(usd)])),
  sum: Math.round(Object.values(costs).reduce((sum, usd) => sum + usd, 0)),
})
console.log(
  `USD a month at list prices: ${corpora} corpora, ${uploads} pages and ${digests} digests a day each`,
)
console.table({ 'every publication cold': round(perMonth(1)), '5 % cold': round(perMonth(0.05)) })
