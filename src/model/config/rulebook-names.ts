// Which relations and languages have rulebooks, and which chunks lead nowhere?
import { codeLanguages } from '../code-languages.ts'
import type { RuledLanguage } from '../source-file.ts'

const vias = [
  'links',
  'cites',
  'defines',
  'documents',
  'uses',
  'imports',
  'member_functions',
  'class_name',
  'class_header',
  'docstring',
  'external_scripts',
] as const

/** The relation that an expansion follows, as rulebooks and requests write it. */
export type Via = (typeof vias)[number]

/** Every `via`, in the order in which messages list them; `src/corpus/graph/neighbours.ts` says what each means. */
export const viaNames: readonly string[] = vias

/** Generic text has none: all of it is blind. */
export const rulebookLanguages: readonly RuledLanguage[] = ['markdown', 'text', ...codeLanguages]

/** Chunks that were split by size for lack of structure; any language may have them. */
const blindChunk = 'blind'

/** Blind, import and docstring chunks lead nowhere, whatever a rulebook would like. */
export const isTerminal = (chunkType: string): boolean =>
  chunkType === blindChunk || chunkType.endsWith('_import') || chunkType.endsWith('_docstring')
