// Which chunk types may a rulebook have? Those of each language, which its checks know.
import type { ArtifactKind } from '../../src/model/artifact.ts'
import { type CodeLanguage, codeLanguages, codeTypesOf } from '../../src/model/code-languages.ts'
import type { RuledLanguage } from '../../src/model/source-file.ts'

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

/** The chunk types that a language's rulebook may have rules for. */
export function chunkTypesOf(language: RuledLanguage): readonly string[] {
  return [...chunkTypes[language], blindChunk]
}

/** What an expansion may lead to. */
export const targetTypes: readonly string[] = [...Object.values(chunkTypes).flat(), blindChunk]
