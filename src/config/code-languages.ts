// Which languages of code are there, and which shapes may their chunks have? Plain lists, cheap to load.
import type { CodeShape } from '../model/code.ts'
import type { CodeLanguage } from '../model/source-file.ts'

const usual: readonly CodeShape[] = [
  'module',
  'class',
  'function',
  'class_function',
  'import',
  'docstring',
  'block',
]

/** The shapes of each language's chunks; each has formats/NAME.json, rulebooks/NAME.json and languages/NAME.scm. */
export const shapesByLanguage: Readonly<Record<CodeLanguage, readonly CodeShape[]>> = {
  python: usual,
  javascript: usual,
  typescript: [...usual, 'type'],
  html: ['document', 'block', 'script'],
  go: [...usual, 'type'],
  rust: [...usual, 'type'],
  java: usual,
}

export const codeLanguages: readonly CodeLanguage[] = Object.keys(shapesByLanguage) as CodeLanguage[]

export function isCodeLanguage(language: string): language is CodeLanguage {
  return (codeLanguages as readonly string[]).includes(language)
}
