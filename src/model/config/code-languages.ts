// Which languages of code are there, and which shapes may their chunks have? Plain lists, cheap to load.
import type { ArtifactKind } from '../artifact.ts'
import type { CodeShape } from '../code.ts'
import type { CodeLanguage } from '../source-file.ts'

const usual: readonly CodeShape[] = [
  'module',
  'class',
  'function',
  'class_function',
  'import',
  'docstring',
  'block',
]

function withoutClasses(...more: readonly CodeShape[]): readonly CodeShape[] {
  return [...usual.filter((shape) => !shape.startsWith('class')), ...more]
}

/** The shapes of each language's chunks; each has formats/NAME.json, rulebooks/NAME.json and languages/NAME.scm. */
export const shapesByLanguage: Readonly<Record<CodeLanguage, readonly CodeShape[]>> = {
  python: usual,
  javascript: usual,
  typescript: [...usual, 'type'],
  html: ['document', 'block', 'script'],
  go: [...usual, 'type'],
  rust: [...usual, 'type'],
  java: usual,
  c: withoutClasses('type'),
  cpp: [...usual, 'type'],
  csharp: [...usual, 'type'],
  ruby: usual,
  php: usual,
  bash: withoutClasses(),
  kotlin: [...usual, 'type'],
}

/** The chunk types of a language of code: "python_function". */
export function codeTypesOf(language: CodeLanguage): readonly ArtifactKind[] {
  return shapesByLanguage[language].map((shape) => `${language}_${shape}` as ArtifactKind)
}

export const codeLanguages: readonly CodeLanguage[] = Object.keys(shapesByLanguage) as CodeLanguage[]

export function isCodeLanguage(language: string): language is CodeLanguage {
  return (codeLanguages as readonly string[]).includes(language)
}
