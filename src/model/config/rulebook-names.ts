// Which names may a rulebook use? The chunk types of each language, and the relations behind each `via`.
import type { ArtifactKind } from '../artifact.ts'
import { type CodeLanguage, codeLanguages, codeTypesOf } from '../code-languages.ts'
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
const chunkTypes: Readonly<Record<RuledLanguage, readonly ArtifactKind[]>> = {
  markdown: ['markdown_module', 'markdown_section'],
  text: ['text_document'],
  ...(Object.fromEntries(codeLanguages.map((language) => [language, codeTypesOf(language)])) as Record<
    CodeLanguage,
    readonly ArtifactKind[]
  >),
}

/** Chunks that were split by size for lack of structure; any language may have them. */
const blindChunk = 'blind'

export const rulebookLanguages: readonly RuledLanguage[] = Object.keys(chunkTypes) as RuledLanguage[]

/** The chunk types that a language's rulebook may have rules for. */
export function chunkTypesOf(language: RuledLanguage): readonly string[] {
  return [...chunkTypes[language], blindChunk]
}

/** What an expansion may lead to. */
export const targetTypes: readonly string[] = [...Object.values(chunkTypes).flat(), blindChunk]

/** Blind, import and docstring chunks lead nowhere, whatever a rulebook would like. */
export function isTerminal(chunkType: string): boolean {
  return chunkType === blindChunk || chunkType.endsWith('_import') || chunkType.endsWith('_docstring')
}
