// How do the parts of an Office file refer to each other, and which metadata does it have?
import path from 'node:path'
import { type ExtractedMetadata, UnreadableFormat } from './format.ts'
import type { Zip } from './read-zip.ts'
import { elementsOf, textsOf } from './walk-markup.ts'
import { yearOf } from './write-markdown.ts'

interface Relation {
  readonly type: string
  /** The name of another part, or an address. */
  readonly target: string
  readonly isExternal: boolean
}

/** The relations of a part, by id; or those of the package by `_rels/.rels`. */
export function readRelations(zip: Zip, part: string): Map<string, Relation> {
  const folder = path.posix.dirname(part)
  const isPackage = part.endsWith('.rels')
  const file = isPackage ? part : path.posix.join(folder, '_rels', `${path.posix.basename(part)}.rels`)
  const from = isPackage ? path.posix.dirname(folder) : folder
  const relations = new Map<string, Relation>()
  for (const { Id = '', Type = '', Target = '', TargetMode } of elementsOf(zip.text(file), 'Relationship')) {
    const isExternal = TargetMode === 'External'
    const part = Target.startsWith('/') ? Target.slice(1) : path.posix.join(from, Target)
    relations.set(Id, { type: Type, target: isExternal ? Target : part, isExternal })
  }
  return relations
}

/** The main part of a package, whose outer element tells the kind of file. Throws UnreadableFormat. */
export function readMain(
  zip: Zip,
  { part, root, what }: { readonly part: string; readonly root: string; readonly what: string },
): { readonly name: string; readonly text: string } {
  const relations = [...readRelations(zip, '_rels/.rels').values()]
  const main = relations.find(({ type }) => type.endsWith('/officeDocument'))
  const name = main?.target ?? part
  const text = zip.text(name)
  if (text === null || elementsOf(text, root).length === 0) throw new UnreadableFormat(`it is not ${what}`)
  return { name, text }
}

/** Title, authors and year from the properties of the package. */
export function readCoreFacts(zip: Zip): ExtractedMetadata {
  const facts = textsOf(zip.text('docProps/core.xml'), ['title', 'creator', 'created'])
  const { title = [], creator = [], created = [] } = facts
  const authors = creator.flatMap((names) => names.split(';'))
  return { ...(title[0] ? { title: title[0] } : {}), authors, ...yearOf(created[0]) }
}
