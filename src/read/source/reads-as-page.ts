// Is this HTML a page or part of a program? Pages with headings and prose are documents; templates are code.

/** Characters searched for the tags of a whole page. */
const HEAD = 4_000
const wholePage = /<(?:!doctype\s+html|html|body)\b/i
const heading = /<h[1-6]\b/i
const prose = /<(?:p|li|dd|pre|td)\b/gi
/** Marks of template languages and of client-side frameworks. */
const template =
  /\{\{[\s#/^&>]{0,9}[\w.$]|\{%[-\s]{0,9}\w|<%|<\?(?:php|=)|\s(?:v-(?:if|for|bind|model)|ng-\w+|x-data|th:\w+|\*ng\w+)=/
/** Minimum number of prose blocks in a document. */
const LEAST_BLOCKS = 3
/** Largest share of scripts and styles in a document. */
const MOST_SCRIPT = 0.5

/** @example readsAsPage('<html><body><h1>Guide</h1><p>One.<p>Two.<p>Three.') // true */
export function readsAsPage(text: string): boolean {
  if (!wholePage.test(text.slice(0, HEAD)) || !heading.test(text)) return false
  const shown = cutBetween(cutBetween(text, '<script', '</script'), '<style', '</style')
  if (shown.length < (1 - MOST_SCRIPT) * text.length || template.test(withoutCode(shown))) return false
  let blocks = 0
  for (const _ of shown.matchAll(prose)) if (++blocks >= LEAST_BLOCKS) return true
  return false
}

/** Documentation shows templates in its examples. */
const withoutCode = (text: string): string => cutBetween(cutBetween(text, '<pre', '</pre'), '<code', '</code')

function cutBetween(text: string, start: string, end: string): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf(start, at)
    const close = open < 0 ? -1 : text.indexOf(end, open)
    if (close < 0) break
    parts.push(text.slice(at, open))
    at = close + end.length
  }
  return at === 0 ? text : parts.join('') + text.slice(at)
}
