// Which small corpora do the tests of resolving use? Paths, with what else matters of each document.

import {
  type Catalogue,
  type CatalogueDocument,
  type CatalogueOptions,
  makeCatalogue,
} from '../../src/corpus/resolve/catalogue.ts'
import { resolveMention } from '../../src/corpus/resolve/resolve-mention.ts'
import type { Mention, MentionForm, Resolution } from '../../src/model/reference.ts'
import { fileName } from '../../src/read/parse/parsable-file.ts'

type Details = Partial<Omit<CatalogueDocument, 'path'>>

/** A document with sections given by their anchors. */
export function documentAt(
  path: string,
  details: Details & { readonly anchors?: readonly string[] } = {},
): CatalogueDocument {
  const { anchors = [], ...rest } = details
  const sections = anchors.map((anchor) => ({ id: `${path}#${anchor}`, anchor, name: anchor }))
  return { path, title: fileName(path), frontmatter: {}, sections, ...rest }
}

export function catalogueOf(
  documents: readonly (string | CatalogueDocument)[],
  options: Partial<CatalogueOptions> = {},
): Catalogue {
  return makeCatalogue(
    documents.map((document) => (typeof document === 'string' ? documentAt(document) : document)),
    options,
  )
}

export function mentionOf(target: string, origin: string, form: MentionForm = 'link'): Mention {
  return { origin, form, text: target, target, line: 1 }
}

/** `path method confidence`, with the section's id when there is one; or the reason with the candidates. */
export function brief(resolution: Resolution): string {
  if (resolution.outcome !== 'resolved') return [resolution.outcome, ...resolution.candidates].join(' ')
  return `${resolution.section ?? resolution.path} ${resolution.method} ${resolution.confidence}`
}

export function resolveBrief(
  catalogue: Catalogue,
  target: string,
  origin: string,
  form: MentionForm = 'link',
): string {
  return brief(resolveMention(mentionOf(target, origin, form), catalogue))
}
