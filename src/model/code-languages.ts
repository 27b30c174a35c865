// Which languages of code are there? Each is one entry here, with formats/NAME.json, rulebooks/NAME.json and languages/NAME.scm.
import type { CodeShape } from './code.ts'

interface LanguageEntry {
  /** File extensions, without the dot. */
  readonly extensions: readonly string[]
  /** Interpreters that the first line of a script may name, without version. */
  readonly interpreters?: readonly string[]
  /** The shapes of its chunks; `typed` if absent. */
  readonly shapes?: readonly CodeShape[]
}

const plain: readonly CodeShape[] = [
  'module',
  'class',
  'function',
  'class_function',
  'import',
  'docstring',
  'block',
]
const typed: readonly CodeShape[] = [...plain, 'type']
const classless: readonly CodeShape[] = plain.filter((shape) => !shape.startsWith('class'))

const table = {
  python: { extensions: ['py', 'pyi'], interpreters: ['python'], shapes: plain },
  javascript: { extensions: ['js', 'mjs', 'cjs', 'jsx'], interpreters: ['node'], shapes: plain },
  typescript: { extensions: ['ts', 'mts', 'cts', 'tsx'] },
  html: { extensions: ['html', 'htm'], shapes: ['document', 'block', 'script'] },
  go: { extensions: ['go'] },
  rust: { extensions: ['rs'], shapes: [...typed, 'test'] },
  java: { extensions: ['java'], shapes: plain },
  c: { extensions: ['c', 'h'], shapes: [...classless, 'type'] },
  cpp: { extensions: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx'] },
  csharp: { extensions: ['cs'] },
  ruby: { extensions: ['rb'], interpreters: ['ruby'], shapes: plain },
  php: { extensions: ['php'], interpreters: ['php'], shapes: plain },
  bash: {
    extensions: ['sh', 'bash'],
    interpreters: ['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh'],
    shapes: classless,
  },
  kotlin: { extensions: ['kt', 'kts'] },
  swift: { extensions: ['swift'], interpreters: ['swift'] },
  scala: { extensions: ['scala', 'sbt', 'sc'], interpreters: ['scala'] },
  elixir: { extensions: ['ex', 'exs'], interpreters: ['elixir'], shapes: [...plain, 'test'] },
  zig: { extensions: ['zig'], shapes: [...plain, 'test'] },
} as const satisfies Readonly<Record<string, LanguageEntry>>

/** Languages whose structure a grammar knows. */
export type CodeLanguage = keyof typeof table

export type CodeKind = `${CodeLanguage}_${CodeShape}`

const entries = Object.entries<LanguageEntry>(table) as readonly (readonly [CodeLanguage, LanguageEntry])[]

export const codeLanguages: readonly CodeLanguage[] = entries.map(([language]) => language)

export const shapesByLanguage: Readonly<Record<CodeLanguage, readonly CodeShape[]>> = Object.fromEntries(
  entries.map(([language, { shapes = typed }]) => [language, shapes]),
) as Record<CodeLanguage, readonly CodeShape[]>

export const languageOfExtension: ReadonlyMap<string, CodeLanguage> = new Map(
  entries.flatMap(([language, { extensions }]) => extensions.map((one) => [one, language] as const)),
)

export const languageOfInterpreter: ReadonlyMap<string, CodeLanguage> = new Map(
  entries.flatMap(([language, { interpreters = [] }]) => interpreters.map((one) => [one, language] as const)),
)

export const codeTypesOf = (language: CodeLanguage): readonly CodeKind[] =>
  shapesByLanguage[language].map((shape) => `${language}_${shape}` as CodeKind)

export const isCodeLanguage = (language: string): language is CodeLanguage => Object.hasOwn(table, language)
