// What is a tool for agents? An operation under its own name, with the inputs that an agent needs and no more, and how its result is made.
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { Settings } from '../../model/config/settings.ts'
import type { CorpusEngine, QuestionEngine } from '../engine/engine.ts'
import type { Input, Wording } from '../operations/check-input.ts'
import { inputSchema } from '../operations/input-schema.ts'
import type { InputOf, OperationSpec } from '../operations/operation.ts'
import { leastTokens, mostTokens } from '../operations/operations.ts'
import type { Contexts } from './contexts.ts'
import type { ToolResult } from './fit-result.ts'

/** What calls of a server share. */
export interface Serving {
  /** Of several corpora it offers `toolsOfSeveral` only. */
  readonly engine: QuestionEngine | CorpusEngine
  readonly settings: Settings
  readonly countTokens: (text: string) => number
}

export interface ToolCall extends Serving {
  /** Null on a server that several conversations share: each request to expand is judged alone. */
  readonly contexts: Contexts | null
  readonly signal: AbortSignal
}

interface ToolSpec<S extends OperationSpec> {
  readonly name: string
  /** When to call it, and when not, with an example. */
  readonly description: string
  readonly operation: S
  /** The inputs that the schema lists. */
  readonly inputs: readonly string[]
  /** Inputs that are taken, too: they would cost every conversation tokens, and few need them. */
  readonly unlisted?: readonly string[]
}

export interface Tool extends ToolSpec<OperationSpec> {
  readonly run: (input: Input, call: ToolCall) => Promise<ToolResult>
}

export function defineTool<const S extends OperationSpec>(
  spec: ToolSpec<S>,
  run: (input: InputOf<S>, call: ToolCall) => Promise<ToolResult>,
): Tool {
  return { ...spec, run: (input, call) => run(input as InputOf<S>, call) }
}

/** A tool as an operation of its own name: the schema and the check are made from the same table. */
export function toolOperation({ name, operation, inputs, unlisted = [] }: Tool): OperationSpec {
  const offered = Object.entries(operation.options)
    .filter(([key]) => inputs.includes(key) || unlisted.includes(key))
    // The same bounds for every tool, whatever the command line allows.
    .map(([key, option]) => [
      key,
      key === 'maxTokens' ? { ...option, min: leastTokens, max: mostTokens } : option,
    ])
  return { ...operation, name, options: Object.fromEntries(offered) }
}

/** Agents know parameters by their keys, and have no help to call. */
export const toolWording: Wording = {
  code: 'BAD_INPUT',
  nameOf: ({ key }) => key,
  hintFor: ({ name, arguments: needed, options }) => {
    const named = Object.entries(needed).map(([key, { required }]) => (required ? `${key} (required)` : key))
    const names = [...named, ...Object.keys(options)]
    return names.length === 0 ? `call ${name} without arguments` : `${name} takes ${names.join(', ')}`
  },
}

/** A tool as the protocol lists it. `corpus` is what the tools answer about, in words. */
export const listTool = (tool: Tool, corpus: string): ListedTool & { description: string } => ({
  name: tool.name,
  description: tool.description.replace('this repository', corpus),
  inputSchema: schemaOf(tool),
  annotations: { readOnlyHint: true },
})

/** Inputs that their names, values and the example of the tool do not explain. */
const described: ReadonlySet<string> = new Set(['words', 'path'])

/**
 * Without bounds, which an error names, and without defaults but of numbers: they only cost an agent tokens. Open to
 * other names of the inputs, which the check knows.
 */
function schemaOf(tool: Tool): ListedTool['inputSchema'] {
  const { required, properties: all } = inputSchema(toolOperation(tool))
  const properties = Object.entries(all).flatMap(([key, property]) => {
    const { type, enum: choices, default: usual, description, items } = property
    const known = {
      type,
      ...(choices === undefined ? {} : { enum: choices }),
      ...(typeof usual === 'number' ? { default: usual } : {}),
      ...(items === undefined ? {} : { items: { type: items.type } }),
    }
    return tool.inputs.includes(key) ? [[key, described.has(key) ? { ...known, description } : known]] : []
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required: [...required] } : {}),
  }
}

/** The user's own budget may exceed what a result may take. */
export const limitTokens = (asked: number): number => Math.min(asked, mostTokens)
