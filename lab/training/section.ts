// What is trained on? Sections of three sources in one shape: names that a question might use, and a body that answers it.

export type SourceName = 'docs' | 'glosses' | 'code'

export interface Section {
  readonly source: SourceName
  /** Repository, package or part of the dictionary: others of the same group are harder to tell apart. */
  readonly group: string
  /** Others of the same document are hardest. */
  readonly document: string
  readonly title: string
  /** May be empty. */
  readonly heading: string
  readonly body: string
}

/** Words as white space separates them. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

export function firstWords(text: string, count: number): string {
  return wordsOf(text).slice(0, count).join(' ')
}
