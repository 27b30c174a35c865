// Which definition does a file mean, if the whole program shares its names? Several answers stay ambiguous.

import { folderOf } from '../../../model/paths.ts'
import { getOrAdd } from '../../../model/remember.ts'
import type { CodeCatalogue, CodeFile, SharedDefinition } from './code-catalogue.ts'
import { findModule } from './find-module.ts'
import { isOwnCode } from './resolve-code-name.ts'

const includedBy = new WeakMap<CodeFile, ReadonlySet<string>>()

/**
 * Definitions of the same or a related language, below what an import names; then, as long as any is left: definitions
 * before declarations, included files (or the source next to an included header), own code, the same folder.
 */
export function narrowDefinitions(
  name: string,
  origin: CodeFile,
  catalogue: CodeCatalogue,
): readonly SharedDefinition[] {
  const { extensions } = catalogue.rulesOf(origin.language).modules
  let left = catalogue
    .shared(name)
    .filter(({ file }) => file !== origin && extensions.some((extension) => file.path.endsWith(extension)))
  if (left.length === 0) return left
  const folder = importedFrom(name, origin, catalogue)
  if (folder !== null)
    left = left.filter(({ file }) => file.path.toLowerCase().split('/').includes(folder.toLowerCase()))
  if (left.length < 2) return left
  const included = includedOf(origin, catalogue)
  const tests: readonly ((one: SharedDefinition) => boolean)[] = [
    ({ symbol }) => symbol.shape !== 'block',
    ({ file }) => included.has(withoutExtension(file.path)),
    ({ file }) => isOwnCode(file) || !isOwnCode(origin),
    ({ file }) => folderOf(file.path) === folderOf(origin.path),
  ]
  for (const test of tests) {
    const fits = left.filter(test)
    if (fits.length > 0) left = fits
  }
  return left
}

/** The last part of the namespace that an import takes a name from; null for a name without an import. */
function importedFrom(name: string, origin: CodeFile, catalogue: CodeCatalogue): string | null {
  const { separator } = catalogue.rulesOf(origin.language).modules
  const [first] = name.split('.')
  const found = origin.outline.imports.find(({ local }) => local !== '' && local === first)
  if (found === undefined) return null
  return (
    found.module
      .split(separator)
      .filter((part) => part !== found.name)
      .at(-1) ?? null
  )
}

/** Paths that a file imports, and its own, without their extensions. */
const includedOf = (file: CodeFile, catalogue: CodeCatalogue): ReadonlySet<string> =>
  getOrAdd(includedBy, file, () => {
    const found = file.outline.imports.map(({ module }) => findModule(catalogue, module, file))
    const paths = found.flatMap((one) => (one.kind === 'file' ? [one.path] : []))
    return new Set([file.path, ...paths].map(withoutExtension))
  })

function withoutExtension(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? path.slice(0, dot) : path
}
