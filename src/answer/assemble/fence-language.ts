// In which language is a file's text fenced? Code and configuration by their extension; a document only where its text is no Markdown, or cannot stand as such.

const fences: Readonly<Record<string, string>> = {
  py: 'python',
  pyi: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'jsx',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  html: 'html',
  htm: 'html',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  hxx: 'cpp',
  cs: 'csharp',
  rb: 'ruby',
  php: 'php',
  sh: 'bash',
  bash: 'bash',
  kt: 'kotlin',
  kts: 'kotlin',
  // Configuration, which is never read as prose.
  toml: 'toml',
  yaml: 'yaml',
  yml: 'yaml',
  json: 'json',
  ini: 'ini',
  cfg: 'ini',
  sql: 'sql',
  proto: 'proto',
  graphql: 'graphql',
  graphqls: 'graphql',
}

/** Markup beside Markdown, by the end of its files' names. */
const markups: readonly (readonly [name: RegExp, language: string])[] = [
  [/\.rst(?:\.txt)?$/i, 'rst'],
  [/\.(?:adoc|asciidoc)$/i, 'asciidoc'],
  [/\.org$/i, 'org'],
  [/\.[1-9][a-z]{0,3}$/, 'man'],
]

/** The word behind the fence of a document's text, where it needs one: what is no Markdown is not called so. */
export function documentLanguage(path: string, kind: string): string {
  if (kind !== 'text_document') return 'markdown'
  return markups.find(([name]) => name.test(path))?.[1] ?? 'text'
}

/** Every word that `documentLanguage` gives. */
export const documentLanguages: readonly string[] = [
  'markdown',
  'text',
  ...markups.map(([, language]) => language),
]

/** The word behind the fence of a path's code, or null for a document. */
export function fenceLanguage(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return name.lastIndexOf('.') > 0 && Object.hasOwn(fences, extension) ? (fences[extension] as string) : null
}
