// Which word follows the fence around a file's text? Code and configuration are named by their extension.
import { languageOfExtension } from '../../model/code-languages.ts'
import { configExtensions } from '../../model/file-extensions.ts'
import { textFence, textFormats } from '../../read/parse/text/text-formats.ts'

const fences: ReadonlyMap<string, string> = new Map<string, string>([
  ...languageOfExtension,
  ...Object.entries(configExtensions).flatMap(([fence, extensions]) =>
    extensions.map((extension) => [extension, fence] as const),
  ),
  ['jsx', 'jsx'],
  ['tsx', 'tsx'],
])

/** The fence of a document's text, where it needs one. */
export const documentLanguage = (path: string, kind: string): string =>
  kind === 'text_document' ? textFence(path) : 'markdown'

/** Every word that `documentLanguage` may return. */
export const documentLanguages: readonly string[] = [
  ...new Set(['markdown', 'text', ...textFormats.map(({ fence }) => fence)]),
]

/** The fence of a path's code or configuration; null for a document. */
export function fenceLanguage(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? (fences.get(name.slice(dot + 1).toLowerCase()) ?? null) : null
}
