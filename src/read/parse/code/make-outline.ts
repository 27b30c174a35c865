// What does this file offer to other files? The names it defines, imports and re-exports.
import type { CodeOutline, CodeShape, OutlineImport, OutlineSymbol } from '../../../model/code.ts'
import type { CodeScan } from './code-scan.ts'
import type { Layout } from './layout-chunks.ts'
import { type ChunkName, normalName } from './name-chunks.ts'

/** Makes the outline of a file; of a name that is defined twice the first counts, a block (a declaration, a variable) last. */
export function makeOutline(scan: CodeScan, layout: Layout, names: readonly ChunkName[]): CodeOutline {
  const symbols = new Map<string, OutlineSymbol>()
  const add = (symbol: OutlineSymbol): void => {
    if (!symbols.has(symbol.name)) symbols.set(symbol.name, symbol)
  }
  const imported = new Set(scan.imports.map(({ local }) => local))
  const addChunks = (isWanted: (shape: CodeShape) => boolean): void => {
    for (const [index, { shape, id, variables, headings }] of names.entries()) {
      if (!isWanted(shape)) continue
      const definition = layout.chunks[index]?.definition ?? null
      // `const wait = require('./wait')` is an import.
      if (definition === null)
        for (const name of variables) imported.has(name) || add({ name, id, shape: 'block' })
      else {
        const { bases, isPrivate } = definition
        const more = {
          ...(bases.length > 0 ? { bases } : {}),
          ...(isPrivate || shape === 'test' ? { private: true as const } : {}),
        }
        add({ name: headings.join('.'), id, shape, ...more })
      }
    }
  }
  addChunks((shape) => !unnamed.includes(shape) && shape !== 'block')
  for (const { definition, chunk } of layout.folded) {
    const around = names[chunk]
    if (around === undefined) continue
    const name = normalName(definition.name)
    const prefix = around.shape === 'class' ? `${around.headings.join('.')}.` : ''
    add({ name: `${prefix}${name}`, id: around.id, shape: definition.shape })
  }
  addChunks((shape) => shape === 'block' || shape === 'module')
  for (const { name, as } of scan.aliases) {
    const normal = normalName(name)
    const known = symbols.get(normal)
    if (known !== undefined && known.shape !== 'block') continue
    if (normal === as || as === '') continue
    symbols.set(normal, { name: normal, id: known?.id ?? '', shape: 'block', alias: as })
  }
  const outline = { symbols: [...symbols.values()], imports: importsOf(scan), exports: scan.exports }
  return scan.package === null ? outline : { package: scan.package, ...outline }
}

/** Names that other files do not use. */
const unnamed: readonly CodeShape[] = ['module', 'import', 'docstring']

function importsOf(scan: CodeScan): OutlineImport[] {
  const found: OutlineImport[] = []
  // The whole import of a statement with names says nothing more.
  const seen = new Set<string | number>()
  for (const { local, module, name, start } of scan.imports) {
    const isWhole = local === '' && name === null
    if (module === '' || (isWhole && (seen.has(module) || seen.has(start)))) continue
    seen.add(isWhole ? module : start)
    found.push({ local, module, name })
  }
  return found
}
