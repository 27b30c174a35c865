// In which language is a file's text fenced? By its extension; null for documents, whose text stays Markdown.

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
}

/** The word behind the fence of a path's code, or null for a document. */
export function fenceLanguage(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return name.lastIndexOf('.') > 0 && Object.hasOwn(fences, extension) ? (fences[extension] as string) : null
}
