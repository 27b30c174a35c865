// What is a tool for agents? An operation under its own name, with the inputs that an agent needs and no more, and how its result is made.
import type { Settings } from '../../model/config/settings.ts'
import type { CorpusEngine, Engine, QuestionEngine } from '../engine/engine.ts'
import type { Input, Wording } from '../operations/check-input.ts'
import { type InputSchema, inputSchema } from '../operations/input-schema.ts'
import type { InputOf, OperationSpec } from '../operations/operation.ts'
import { callerOptions, leastTokens, mostTokens, scopeOptions } from '../operations/operations.ts'
import type { Contexts } from './contexts.ts'
import type { ToolResult } from './fit-result.ts'

/** What calls of a server share. */
export interface Serving<E = QuestionEngine | CorpusEngine | Engine> {
  readonly engine: E
  readonly settings: Settings
  readonly countTokens: (text: string) => number
}

export interface ToolCall<E = QuestionEngine | CorpusEngine | Engine> extends Serving<E> {
  readonly contexts: Contexts
  readonly signal: AbortSignal
}

/** The engine that a tool needs decides who may offer it: joined corpora, a corpus of a service, or a folder. */
interface EngineOf {
  readonly question: QuestionEngine
  readonly corpus: CorpusEngine
  readonly folder: Engine
}

export type EngineKind = keyof EngineOf

interface ToolSpec<Needs extends EngineKind, S extends OperationSpec> {
  readonly name: string
  readonly operation: S
  readonly needs: Needs
  /** The inputs that are offered; the others keep their settings. */
  readonly inputs: readonly string[]
}

interface ToolWith<Needs extends EngineKind> extends ToolSpec<Needs, OperationSpec> {
  readonly run: (input: Input, call: ToolCall<EngineOf[Needs]>) => Promise<ToolResult>
}

export type Tool = ToolWith<'question'> | ToolWith<'corpus'> | ToolWith<'folder'>

export function defineTool<const S extends OperationSpec, Needs extends EngineKind>(
  spec: ToolSpec<Needs, S>,
  run: (input: InputOf<S>, call: ToolCall<EngineOf[Needs]>) => Promise<ToolResult>,
): ToolWith<Needs> {
  return { ...spec, run: (input, call) => run(input as InputOf<S>, call) }
}

/** A tool as an operation of its own name: the schema and the check are made from the same table. */
export function toolOperation({ name, operation, inputs }: Tool): OperationSpec {
  const offered = Object.entries(operation.options)
    .filter(([key]) => inputs.includes(key))
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

type ToolSchema = Pick<InputSchema, 'type' | 'additionalProperties'> & {
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** A tool as the protocol lists it. */
interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly annotations: { readonly readOnlyHint: true }
}

export function listTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    description: tool.operation.summary,
    inputSchema: schemaOf(tool),
    annotations: { readOnlyHint: true },
  }
}

/** Inputs whose names and values say it all. */
const plain: ReadonlySet<string> = new Set([
  'question',
  'maxTokens',
  'limit',
  'kind',
  'lang',
  'match',
  'direction',
])

/** Described by assemble_context, which every agent sees first. */
const describedOnce: ReadonlySet<string> = new Set(Object.keys({ ...callerOptions, ...scopeOptions }))

/** Without bounds, which only cost an agent tokens: an error names them. */
function schemaOf(tool: Tool): ToolSchema {
  const { required, ...whole } = inputSchema(toolOperation(tool))
  const properties = Object.entries(whole.properties).map(([key, property]) => {
    const { minLength: _1, minimum: _2, maximum: _3, description, items, ...rest } = property
    const known = items === undefined ? rest : { ...rest, items: { type: items.type } }
    const isPlain = plain.has(key) || (tool.name !== 'assemble_context' && describedOnce.has(key))
    return [key, isPlain ? known : { ...known, description }]
  })
  return {
    ...whole,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** The user's own budget may exceed what a result may take. */
export function limitTokens(asked: number): number {
  return Math.min(asked, mostTokens)
}
