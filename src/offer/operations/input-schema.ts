// How does a program know what an operation takes? The operation's table as JSON Schema, for MCP and HTTP.
import { type ArgumentSpec, type OperationSpec, type ResolvedOption, resolveOptions } from './operation.ts'

/** The part of JSON Schema that inputs need. */
export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, PropertySchema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

interface PropertySchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  readonly description: string
  readonly default?: number | string | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly enum?: readonly string[]
  readonly items?: { readonly type: 'string'; readonly minLength: number }
}

export function inputSchema(operation: OperationSpec): InputSchema {
  const properties: Record<string, PropertySchema> = {}
  for (const [name, argument] of Object.entries(operation.arguments))
    properties[name] = argumentSchema(argument)
  for (const option of resolveOptions(operation)) properties[option.key] = optionSchema(option)
  const required = Object.entries(operation.arguments).flatMap(([name, { required }]) =>
    required ? [name] : [],
  )
  return { type: 'object', properties, required, additionalProperties: false }
}

function argumentSchema(argument: ArgumentSpec): PropertySchema {
  const description = argument.help
  if (argument.form === 'paths')
    return { type: 'array', description, items: { type: 'string', minLength: 1 } }
  if (argument.choices !== undefined) return { type: 'string', description, enum: argument.choices }
  return { type: 'string', description, minLength: 1 }
}

function optionSchema(option: ResolvedOption): PropertySchema {
  if (option.type === 'switch') return { type: 'boolean', description: option.help, default: false }
  if (option.type === 'list')
    return { type: 'array', description: option.help, items: { type: 'string', minLength: 1 } }
  const numeric = option.type === 'number' || option.type === 'time'
  return {
    type: numeric ? (option.whole ? 'integer' : 'number') : 'string',
    description: option.help,
    ...(option.default === undefined ? {} : { default: option.default }),
    ...(option.min === undefined ? {} : { minimum: option.min }),
    ...(option.max === undefined ? {} : { maximum: option.max }),
    ...(option.choices === undefined ? {} : { enum: option.choices }),
  }
}
