// Which functions have a comment that says what they do? Those of JavaScript and Python files, with the comment taken out.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Section, wordsOf } from './section.ts'

/** Longer functions are cut: what they do shows at their beginning. */
const mostLines = 40
const leastWords = 4

interface DocumentedFunction {
  readonly name: string
  /** The first sentence of the comment. */
  readonly about: string
  readonly code: string
}

/** The first sentence, without tags and marks; empty when it says too little. */
export function firstSentence(comment: string): string {
  const prose = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trim())
  const tagged = prose.find((line) => /^@(?:summary|description) \S/.test(line))
  const start = tagged?.replace(/^@\w+ /, '') ?? prose.join('\n').split(/\n@|\n\s*\n/)[0] ?? ''
  const text = start
    .replaceAll(/\{@link ([^}\s]{1,100})[^}]{0,100}\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const end = text.search(/[.:;](?: |$)/)
  const sentence = end < 0 ? text : text.slice(0, end)
  return sentence.startsWith('@') || wordsOf(sentence).length < leastWords ? '' : sentence
}

const jsName =
  /^\s*(?:export\s+)?(?:default\s+)?(?:static\s+)?(?:async\s+)?(?:function\s*\*?\s*([\w$]+)|(?:const|var|let)\s+([\w$]+)\s*=|(?:(?:get|set)\s+)?([\w$#]+)\s*\()/

/** `/** … *\/` before something that opens a brace; the function ends where its indentation comes back. */
export function findInJavaScript(text: string): DocumentedFunction[] {
  const found: DocumentedFunction[] = []
  for (let at = text.indexOf('/**'); at >= 0; at = text.indexOf('/**', at + 3)) {
    const end = text.indexOf('*/', at + 3)
    if (end < 0) break
    const about = firstSentence(text.slice(at + 3, end))
    const lines = text
      .slice(end + 2, end + 8000)
      .replace(/^\s*\n/, '')
      .split('\n')
      .slice(0, 400)
    const names = jsName.exec(lines[0] ?? '')
    const name = names?.[1] ?? names?.[2] ?? names?.[3]
    if (about === '' || name === undefined) continue
    const code = takeBraces(lines)
    if (code !== null) found.push({ name, about, code })
  }
  return found
}

function takeBraces(lines: readonly string[]): string | null {
  const indent = /^\s*/.exec(lines[0] ?? '')?.[0] ?? ''
  if (!lines.slice(0, 4).some((line) => line.includes('{') || line.includes('=>'))) return null
  const last = lines.findIndex((line, at) => at > 0 && line.startsWith(`${indent}}`))
  if (last < 1) return null
  return lines.slice(0, Math.min(last + 1, mostLines)).join('\n')
}

const pythonDef = /^(\s*)(?:async\s+)?def\s+(\w+)\s*\(/

/** `def` with a string as its first statement; the function ends with its indentation. */
export function findInPython(text: string): DocumentedFunction[] {
  const lines = text.split('\n')
  const found: DocumentedFunction[] = []
  for (const [at, line] of lines.entries()) {
    const [, indent = '', name] = pythonDef.exec(line) ?? []
    if (name === undefined) continue
    const headEnd = lines.findIndex((one, row) => row >= at && row < at + 8 && one.trimEnd().endsWith(':'))
    const opening = headEnd < 0 ? '' : (lines[headEnd + 1]?.trim() ?? '')
    const mark = /^[ru]?("""|''')/.exec(opening)?.[1]
    if (mark === undefined) continue
    const docStart = headEnd + 1
    const isOneLine = opening.length > mark.length * 2 && opening.endsWith(mark)
    const docEnd = isOneLine ? docStart : lines.findIndex((one, row) => row > docStart && one.includes(mark))
    if (docEnd < 0) continue
    const doc = lines
      .slice(docStart, docEnd + 1)
      .join('\n')
      .trim()
      .replace(/^[ru]?["']{3}/, '')
    const about = firstSentence(doc.replace(/["']{3}\s*$/, ''))
    let end = docEnd + 1
    while (end < lines.length && (lines[end]!.trim() === '' || lines[end]!.startsWith(`${indent} `))) end++
    const code = [...lines.slice(at, docStart), ...lines.slice(docEnd + 1, end)]
      .slice(0, mostLines)
      .join('\n')
      .trimEnd()
    if (about !== '' && end > docEnd + 1) found.push({ name, about, code })
  }
  return found
}

const skipped =
  /(?:^|\/)(?:node_modules|test|tests|__tests__|idlelib|lib2to3|site-packages|dist-packages|fp|locale|examples)(?:\/|$)|\.d\.ts$|\.min\.js$/

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !skipped.test(file))
    .sort()
}

/** Every documented function below a folder; the same text twice counts once. */
export function readCode(folder: string, group: string): Section[] {
  const isPython = group === 'python'
  const seen = new Set<string>()
  const sections: Section[] = []
  for (const file of filesBelow(folder, isPython ? /\.py$/ : /\.[cm]?[jt]s$/)) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const { name, about, code } of isPython ? findInPython(text) : findInJavaScript(text)) {
      if (seen.has(code) || seen.has(about)) continue
      seen.add(code).add(about)
      sections.push({
        source: 'code',
        group,
        document: `${group}/${file}`,
        title: about,
        heading: name,
        body: code,
      })
    }
  }
  return sections
}
