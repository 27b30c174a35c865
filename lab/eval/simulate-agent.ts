// What does an agent read before it has seen what it needs? Fixed policies without a model, or a real model, over the same tasks.
//
// node lab/eval/simulate-agent.ts [--set real|sweqa|localise] [--only NAME] [--half A|B|all] [--transcripts FILE]
// YORE_AGENT_KEY=… node lab/eval/simulate-agent.ts --model NAME --url https://host/v1 --snapshots DIR [--tasks 5 of each repository]
// lab/eval/README.md says what is measured; the committed figures are in lab/eval/agent-figures.txt.
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { modelPolicies } from './agent-model.ts'
import { type Policy, policies } from './agent-policies.ts'
import { type AgentTask, openRooms } from './agent-tasks.ts'
import type { AgentTools, Call } from './agent-tools.ts'
import type { Half } from './figures.ts'
import type { Place } from './real-set.ts'

/** An agent that has read so much without finding gives up: a miss. */
export const agentLimits = { tokens: 40_000, calls: 30 }

export interface Outcome {
  readonly id: string
  readonly set: string
  readonly policy: string
  readonly found: boolean
  /** Read until then; of a miss, all that was read. */
  readonly tokens: number
  readonly calls: number
  /** Calls of yore's own tools. */
  readonly yoreCalls: number
  /** Of a model, as its server counts; 0 of a script. */
  readonly modelTokens: number
}

/** Runs a policy until the task's lines were seen, or the limits are reached. */
export async function runPolicy(
  task: Pick<AgentTask, 'question' | 'isFound' | 'caller'>,
  policy: Policy,
  tools: AgentTools,
  onCall: (call: Call, tokens: number) => void = () => {},
): Promise<Pick<Outcome, 'found' | 'tokens' | 'calls' | 'yoreCalls'>> {
  const shown: Place[] = []
  let [tokens, calls, yoreCalls] = [0, 0, 0]
  for await (const call of policy(task.question, tools, task.caller)) {
    const cost = tools.tokensOf(call)
    onCall(call, cost)
    tokens += cost
    calls++
    if (call.tool === 'assemble' || call.tool === 'search') yoreCalls++
    shown.push(...call.shown)
    if (tokens > agentLimits.tokens) break
    if (task.isFound(shown)) return { found: true, tokens, calls, yoreCalls }
    if (calls >= agentLimits.calls) break
  }
  return { found: false, tokens: Math.min(tokens, agentLimits.tokens), calls, yoreCalls }
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
  /** Share of the tasks in which yore was called at all. */
  readonly callRate: number
  readonly meanModelTokens: number
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
      callRate: own.filter(({ yoreCalls }) => yoreCalls > 0).length / own.length,
      meanModelTokens: Math.round(mean(own.map(({ modelTokens }) => modelTokens))),
      less: compared.filter((difference) => difference < 0).length,
      more: compared.filter((difference) => difference > 0).length,
    }
  })
}

/** What a model used, and whether it called yore, has columns of its own. */
function printFigures(set: string, figures: readonly AgentFigures[]): void {
  const isModel = figures.some(({ meanModelTokens }) => meanModelTokens > 0)
  console.log(`\n${set}: ${figures[0]?.tasks ?? 0} tasks\n`)
  console.log(
    `| policy | found | within 8k | median tokens | mean tokens | mean calls | less / more than the first |${isModel ? ' yore called | tokens of the model |' : ''}`,
  )
  console.log(`|---|--:|--:|--:|--:|--:|--:|${isModel ? '--:|--:|' : ''}`)
  for (const one of figures)
    console.log(
      `| ${one.policy} | ${one.found.toFixed(3)} | ${one.foundWithin8k.toFixed(3)} | ${one.medianTokens.toLocaleString('en-US')} | ${one.meanTokens.toLocaleString('en-US')} | ${one.meanCalls} | ${one.less} / ${one.more} |${isModel ? ` ${one.callRate.toFixed(3)} | ${one.meanModelTokens.toLocaleString('en-US')} |` : ''}`,
    )
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      set: { type: 'string', default: 'all' },
      only: { type: 'string' },
      half: { type: 'string', default: 'B' },
      transcripts: { type: 'string' },
      model: { type: 'string' },
      url: { type: 'string', default: 'http://localhost:11434/v1' },
      tasks: { type: 'string', default: 'Infinity' },
      snapshots: { type: 'string', default: '' },
    },
  })
  let modelTokens = 0
  const onUsage = ({ input, output }: { readonly input: number; readonly output: number }): void => {
    modelTokens += input + output
  }
  const used =
    options.model === undefined
      ? policies
      : modelPolicies({
          url: options.url,
          model: options.model,
          key: process.env['YORE_AGENT_KEY'] ?? '',
          onUsage,
        })
  const outcomes: Outcome[] = []
  const choice = { half: options.half as Half, only: options.only ?? null, snapshots: options.snapshots }
  for await (const room of openRooms(options.set, choice)) {
    for (const task of room.tasks.slice(0, Number(options.tasks))) {
      for (const [name, policy] of Object.entries(used)) {
        let step = 0
        modelTokens = 0
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
        outcomes.push({ id: task.id, set: task.set, policy: name, ...outcome, modelTokens })
      }
    }
    room.close()
    console.error(`${room.name}: ${room.tasks.length} tasks`)
  }
  const sets = [...new Set(outcomes.map(({ set }) => set))]
  for (const set of sets) printFigures(set, sumUpOutcomes(outcomes.filter((one) => one.set === set)))
}

if (import.meta.main) await main()
