// What does an agent read before it has seen what it needs? Fixed policies without a model, over the same tasks.
//
// node lab/eval/simulate-agent.ts [--only NAME] [--half A|B|all] [--transcripts FILE]
// lab/eval/README.md says what is measured; the committed figures are in lab/eval/agent-figures.txt.
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Policy, policies } from './agent-policies.ts'
import { type AgentTask, openRooms } from './agent-tasks.ts'
import type { AgentTools, Call } from './agent-tools.ts'
import type { Half } from './figures.ts'
import type { Place } from './real-set.ts'

/** An agent that has read so much without finding gives up: a miss. */
export const agentLimits = { tokens: 40_000, calls: 30 }

export interface Outcome {
  readonly id: string
  readonly policy: string
  readonly found: boolean
  /** Read until then; of a miss, all that was read. */
  readonly tokens: number
  readonly calls: number
}

/** Runs a policy until the task's lines were seen, or the limits are reached. */
export async function runPolicy(
  task: Pick<AgentTask, 'question' | 'isFound' | 'caller'>,
  policy: Policy,
  tools: AgentTools,
  onCall: (call: Call, tokens: number) => void = () => {},
): Promise<Pick<Outcome, 'found' | 'tokens' | 'calls'>> {
  const shown: Place[] = []
  let [tokens, calls] = [0, 0]
  for await (const call of policy(task.question, tools, task.caller)) {
    const cost = tools.tokensOf(call)
    onCall(call, cost)
    tokens += cost
    calls++
    shown.push(...call.shown)
    if (tokens > agentLimits.tokens) break
    if (task.isFound(shown)) return { found: true, tokens, calls }
    if (calls >= agentLimits.calls) break
  }
  return { found: false, tokens: Math.min(tokens, agentLimits.tokens), calls }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

export interface AgentFigures {
  readonly policy: string
  readonly tasks: number
  readonly found: number
  readonly foundWithin8k: number
  /** Of all tasks: a miss counts as the limit. */
  readonly medianTokens: number
  readonly meanTokens: number
  readonly meanCalls: number
  /** Tasks in which it read less, or more, than the first policy; the rest are equal, misses of both included. */
  readonly less: number
  readonly more: number
}

/** The figures of a set, a row for each policy; the first is what the others are compared with. */
export function sumUpOutcomes(outcomes: readonly Outcome[]): AgentFigures[] {
  const names = [...new Set(outcomes.map(({ policy }) => policy))]
  const costOf = ({ found, tokens }: Outcome): number => (found ? tokens : agentLimits.tokens)
  const first = new Map(
    outcomes.filter(({ policy }) => policy === names[0]).map((one) => [one.id, costOf(one)]),
  )
  return names.map((policy) => {
    const own = outcomes.filter((one) => one.policy === policy)
    const compared = own.map((one) => costOf(one) - (first.get(one.id) ?? 0))
    return {
      policy,
      tasks: own.length,
      found: own.filter(({ found }) => found).length / own.length,
      foundWithin8k: own.filter(({ found, tokens }) => found && tokens <= 8000).length / own.length,
      medianTokens: median(own.map(costOf)),
      meanTokens: Math.round(mean(own.map(costOf))),
      meanCalls: Number(mean(own.map(({ calls }) => calls)).toFixed(1)),
      less: compared.filter((difference) => difference < 0).length,
      more: compared.filter((difference) => difference > 0).length,
    }
  })
}

function printFigures(figures: readonly AgentFigures[]): void {
  console.log(`\nreal: ${figures[0]?.tasks ?? 0} tasks\n`)
  console.log(
    `| policy | found | within 8k | median tokens | mean tokens | mean calls | less / more than the first |`,
  )
  console.log(`|---|--:|--:|--:|--:|--:|--:|`)
  for (const one of figures)
    console.log(
      `| ${one.policy} | ${one.found.toFixed(3)} | ${one.foundWithin8k.toFixed(3)} | ${one.medianTokens.toLocaleString('en-US')} | ${one.meanTokens.toLocaleString('en-US')} | ${one.meanCalls} | ${one.less} / ${one.more} |`,
    )
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      only: { type: 'string' },
      half: { type: 'string', default: 'B' },
      transcripts: { type: 'string' },
      tasks: { type: 'string', default: 'Infinity' },
    },
  })
  const outcomes: Outcome[] = []
  const choice = { half: options.half as Half, only: options.only ?? null }
  for await (const room of openRooms(choice)) {
    for (const task of room.tasks.slice(0, Number(options.tasks))) {
      for (const [name, policy] of Object.entries(policies)) {
        let step = 0
        const outcome = await runPolicy(task, policy, room.tools, (call, tokens) => {
          if (options.transcripts === undefined) return
          const { tool, arguments: given, shown } = call
          const line = {
            task: task.id,
            repository: task.repository,
            policy: name,
            step: ++step,
            tool,
            arguments: given,
            tokens,
            shown,
          }
          appendFileSync(options.transcripts, `${JSON.stringify(line)}\n`)
        })
        outcomes.push({ id: task.id, policy: name, ...outcome })
      }
    }
    room.close()
    console.error(`${room.name}: ${room.tasks.length} tasks`)
  }
  printFigures(sumUpOutcomes(outcomes))
}

if (import.meta.main) await main()
