// Which language is this file written in? Decided by its name alone; null means that yore does not read it.
import { isCodeLanguage } from '../config/code-languages.ts'
import type { Language } from '../model/source-file.ts'

const languageOfExtension: ReadonlyMap<string, Language> = new Map([
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.mdx', 'markdown'],
  ['.mdown', 'markdown'],
  ['.txt', 'text'],
  ['.text', 'text'],
  ['.rst', 'text'],
  ['.adoc', 'text'],
  ['.py', 'python'],
  ['.pyi', 'python'],
  ['.js', 'javascript'],
  ['.mjs', 'javascript'],
  ['.cjs', 'javascript'],
  ['.jsx', 'javascript'],
  ['.ts', 'typescript'],
  ['.mts', 'typescript'],
  ['.cts', 'typescript'],
  ['.tsx', 'typescript'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.go', 'go'],
  ['.rs', 'rust'],
  ['.java', 'java'],
])

/** Documents that are written without an extension, in any case. */
const languageOfBareName: ReadonlyMap<string, Language> = new Map([
  ['readme', 'text'],
  ['license', 'text'],
  ['changelog', 'text'],
  ['contributing', 'text'],
  ['notes', 'text'],
  ['todo', 'text'],
])

/**
 * The extension of a path, lower case with its dot; '' when the name has none. A leading dot starts no extension.
 *
 * @example extensionOf('docs/Guide.MD') // '.md'
 */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot).toLowerCase() : ''
}

/**
 * The language of a path, or null for a file that yore does not read.
 *
 * @example languageOf('docs/guide.md') // 'markdown'
 */
export function languageOf(path: string): Language | null {
  const extension = extensionOf(path)
  if (extension !== '') return languageOfExtension.get(extension) ?? null
  return languageOfBareName.get(path.slice(path.lastIndexOf('/') + 1).toLowerCase()) ?? null
}

/** Is this the name of a file of code? */
export function isCodeFile(path: string): boolean {
  const language = languageOf(path)
  return language !== null && isCodeLanguage(language)
}
