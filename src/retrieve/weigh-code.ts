// How much does a match in code count? Definitions that the question names come first; imports say little; prose asks documents first.
import { isCodeKind, shapeOfKind } from '../parse/artifact-kinds.ts'
import { isGeneratedPath, isTestPath, isVendoredPath } from '../resolve/code/code-roles.ts'
import type { ArtifactRow } from '../store/corpus-reader.ts'

/** A definition of exactly the name that the question has. */
const NAMED = 1.6
/** Code beside documents, for a question without any name of code: both answer, documents explain. */
const IN_PROSE = 0.85
/** Documents that match at least this well, beside the best code, come first when the question is prose. */
const DOCUMENTS_ANSWER = 0.45
const DOCUMENTS_LEAD = 1.05
const shapeWeights: Readonly<Record<string, number>> = { import: 0.5, block: 0.9 }

/** Tests repeat what they test; generated and vendored code is nobody's answer as long as there is another. */
const ASIDE = 0.7

function roleWeight(id: string): number {
  const path = id.slice(0, id.includes('#') ? id.lastIndexOf('#') : id.length)
  return isTestPath(path) || isGeneratedPath(path) || isVendoredPath(path) ? ASIDE : 1
}

/** The weight of an artifact's relevance for a question with these names. */
export function makeCodeWeight(identifiers: readonly string[]): (artifact: ArtifactRow) => number {
  const asked = identifiers.map((name) => name.split(/\.|::|#/))
  return (artifact) => {
    if (!isCodeKind(artifact.kind)) return 1
    const shape = (shapeWeights[shapeOfKind(artifact.kind)] ?? 1) * roleWeight(artifact.id)
    if (asked.length === 0) return shape
    return shape * (asked.some((parts) => isNamed(artifact, parts)) ? NAMED : 1)
  }
}

/**
 * What code counts beside documents in a question of prose. A repository has more code than documents, and its names
 * repeat the words of its documents: without this, code would fill a digest that the documents answer.
 */
export function proseWeight(
  matches: readonly { readonly kind: string; readonly relevance: number }[],
  identifiers: readonly string[],
): number {
  if (identifiers.length > 0) return 1
  const best = (isCode: boolean): number =>
    matches.reduce(
      (most, { kind, relevance }) => (isCodeKind(kind) === isCode ? Math.max(most, relevance) : most),
      0,
    )
  const [inCode, inDocuments] = [best(true), best(false)]
  if (inCode === 0 || inDocuments < DOCUMENTS_ANSWER * inCode) return IN_PROSE
  return Math.min(IN_PROSE, inDocuments / (DOCUMENTS_LEAD * inCode))
}

/** The name itself, with as many of the classes around it as the question has. */
function isNamed({ name, headings, level }: ArtifactRow, parts: readonly string[]): boolean {
  if (level === 0 || name !== parts.at(-1)) return false
  const names = headings.flatMap((heading) => heading.split('.'))
  const shared = Math.min(parts.length, names.length)
  return parts.slice(-shared).every((part, index) => names[names.length - shared + index] === part)
}
