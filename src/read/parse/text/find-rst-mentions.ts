// What does reStructuredText refer to, and what does it define? Roles, links, directives with files; labels and described objects.

import { countLines, lineAt, lineOf, type TextLines } from '../find-lines.ts'
import type { FoundMention } from '../markdown/collect-inline.ts'
import { mayNameCode } from '../markdown/find-code-marks.ts'
import { emptyValues } from '../markdown/read-simple-lines.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { labelKey, readRstWords } from './find-rst-heads.ts'
import { type FoundLabel, type MarkedText, objectMark } from './marked-text.ts'

const maxTextChars = 200
/** Longer paragraphs are cut. */
export const maxParagraphChars = 100_000

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Directives whose bodies are not prose. */
const literalDirectives = setOf(
  'code code-block sourcecode highlight literalinclude math raw testcode testsetup testoutput doctest prompt graphviz digraph productionlist parsed-literal csv-table ipython console plot mermaid uml only-code tab-code',
)
/** Directives whose argument is a file of the corpus. */
const fileDirectives = setOf('include literalinclude kernel-doc mdinclude')
const imageDirectives = new Set(['image', 'figure'])
const codeDirectives = setOf(
  'class function method attribute exception data module property decorator classmethod staticmethod macro type member var struct enum union enumerator',
)
/** Directives that describe something else with a name, which roles of the same name refer to. */
const thingDirectives = setOf(
  'option envvar confval setting describe object directive role templatetag templatefilter fieldlookup django-admin django-admin-option',
)
const codeRoles = setOf(
  'class func meth mod attr exc data const obj function type macro struct member var enum namespace',
)
/** Roles that only style their words, or link to other sites. */
const plainRoles = setOf(
  'code literal math kbd menuselection guilabel file samp command program emphasis strong sub sup subscript superscript title title-reference abbr dfn manpage mimetype newsgroup regexp raw cve cwe ticket issue pr pull commit user gh token makevar',
)

/** The block that is skipped, or whose lines have a meaning of their own. */
interface Body {
  readonly kind: 'literal' | 'toctree' | 'glossary'
  /** Indentation of its head; its lines are deeper. */
  readonly indent: number
  /** Of its first line. */
  own: number
}

/** One pass over the lines. Linear in the text. */
export function markRst(lines: TextLines, { codeNames }: { readonly codeNames: boolean }): MarkedText {
  const scan = new RstScan(codeNames)
  for (let line = 0; line < lines.starts.length; line++) scan.take(lineAt(lines, line), line)
  return { ...scan.finish(), values: readFields(lines) }
}

/** Number of lines that may precede the fields of a document: comments, labels, its title. */
const maxFieldLine = 40

/** `:Author: …` above the first paragraph, or `Status: …` as in the header of a PEP. */
function readFields(lines: TextLines): MarkedText['values'] {
  const values = emptyValues()
  const count = Math.min(lines.starts.length, maxFieldLine)
  const isHeader = lineAt(lines, 0).startsWith('PEP: ')
  let seen = 0
  for (let line = 0; line < count; line++) {
    const text = lineAt(lines, line).trimEnd()
    const [head, key] = (isHeader ? patterns.headerLine : patterns.rstField).exec(text) ?? []
    if (head === undefined || key === undefined) {
      if (text === '' ? isHeader : seen > 0 && text[0] !== ' ') break
      continue
    }
    seen++
    const name = key.toLowerCase()
    if (patterns.frontmatterKey.test(name))
      values[name] ??= cutText(text.slice(head.length).trim(), maxTextChars)
  }
  return values
}

/** The lines of a text, read one by one. Markdown with directives gives those of its directives, and their roles and labels. */
export class RstScan {
  readonly #codeNames: boolean
  readonly #mentions: FoundMention[] = []
  readonly #labels: FoundLabel[] = []
  /** Targets of named links, by the key of their name. */
  readonly #targets = new Map<string, string>()
  #body: Body | null = null
  /** The paragraph that is being read. */
  #block: string[] = []
  #blockLine = 0
  #module = ''
  /** Described objects around this line, by indentation. */
  #owners: { readonly indent: number; readonly name: string }[] = []

  constructor(codeNames: boolean) {
    this.#codeNames = codeNames
  }

  take(written: string, line: number): void {
    const text = written.trim()
    if (text === '') {
      this.#endBlock()
      return
    }
    const indent = indentOf(written)
    if (this.#body !== null)
      if (indent > this.#body.indent) {
        this.#takeBody(this.#body, { text, indent, line })
        if (this.#body.kind !== 'glossary') return
      } else this.#body = null

    if (text === '..' || text.startsWith('.. ')) {
      this.#endBlock()
      this.#takeExplicit(text.slice(2).trim(), indent, line)
      return
    }
    if (this.#block.length === 0) this.#blockLine = line
    this.#block.push(text)
    if (text.endsWith('::')) {
      const item = patterns.rstItemMark.exec(text)?.[0].length ?? 0
      this.#body = { kind: 'literal', indent: indent + item, own: -1 }
    }
  }

  /** Ends what began at an outer line; is a body read that is not prose? */
  end(what: 'block' | 'body'): boolean {
    this.#endBlock()
    if (what === 'body') this.#body = null
    return this.#body !== null
  }

  finish(): Omit<MarkedText, 'values'> {
    this.#endBlock()
    const mentions = this.#mentions.flatMap((mention): FoundMention[] => {
      if (!mention.target.startsWith(named)) return [mention]
      const target = this.#targets.get(mention.target.slice(named.length))
      return target === undefined ? [] : [{ ...mention, target }]
    })
    return {
      mentions: mentions.sort((a, b) => a.line - b.line),
      labels: this.#labels.sort((a, b) => a.line - b.line),
    }
  }

  #takeBody(body: Body, { text, indent, line }: { text: string; indent: number; line: number }): void {
    if (body.own === -1) body.own = indent
    if (body.kind === 'toctree' && !text.startsWith(':')) {
      const { text: words, target } = readRstWords(text)
      const listed = target.includes('*') ? `glob:${target}` : fromRoot(target)
      if (target !== 'self') this.#add('link', words, listed, line)
    } else if (body.kind === 'glossary' && indent === body.own && !text.startsWith(':'))
      this.label(objectMark + labelKey(text), line)
  }

  /** The text after `..`: a label, a link, a directive, a footnote, or a comment. */
  #takeExplicit(text: string, indent: number, line: number): void {
    const [, quoted, plain, rest = ''] = patterns.rstTarget.exec(text) ?? []
    const name = quoted ?? plain
    const target = rest.trim()
    if (name !== undefined) {
      if (target === '') this.label(labelKey(name), line)
      else if (!target.endsWith('_')) this.#targets.set(labelKey(name), target)
      return
    }
    const [, directive = '', argument = ''] = patterns.rstDirective.exec(text) ?? []
    if (directive !== '') this.#takeDirective(directive, argument.trim(), { indent, line })
    else if (text.startsWith('[') || text.startsWith('|')) {
      this.#blockLine = line
      this.#block.push(text)
    } else if (text !== '') this.#body = { kind: 'literal', indent, own: -1 }
  }

  #takeDirective(directive: string, argument: string, at: { indent: number; line: number }): void {
    const { indent, line } = at
    const name = directive.slice(directive.lastIndexOf(':') + 1)
    if (literalDirectives.has(name)) this.#body = { kind: 'literal', indent, own: -1 }
    else if (name === 'toctree' || name === 'glossary') this.#body = { kind: name, indent, own: -1 }
    if (fileDirectives.has(name)) {
      if (argument !== '' && !argument.startsWith('<')) this.#add('link', argument, fromRoot(argument), line)
    } else if (imageDirectives.has(name)) this.#add('image', argument, argument, line)
    else if (name === 'currentmodule') this.#module = cutText(argument, maxTextChars)
    else if (codeDirectives.has(name) || thingDirectives.has(name) || name.startsWith('auto'))
      this.#describe(directive, argument, at)
    else if (argument !== '' && !literalDirectives.has(name)) {
      this.#blockLine = line
      this.#block.push(argument)
    }
  }

  /** An object under its own name and under those of the objects around it. */
  #describe(written: string, signature: string, { indent, line }: { indent: number; line: number }): void {
    const directive = written.slice(written.lastIndexOf(':') + 1)
    while (this.#owners.length > 0 && this.#owners.at(-1)!.indent >= indent) this.#owners.pop()
    const isAuto = directive.startsWith('auto') && directive !== 'autosummary'
    for (const name of namesOf(written, cutText(signature, maxTextChars))) {
      const full = below(this.#owners.at(-1)?.name ?? '', name)
      const qualified = below(this.#module, full)
      for (const one of new Set([name, full, qualified])) this.label(objectMark + labelKey(one), line)
      if (thingDirectives.has(directive)) this.label(thingLabel(directive, name), line)
      if (this.#codeNames && (isAuto || directive === 'module'))
        this.#add('code', name, `:${isAuto ? 'obj' : 'mod'}:${full}`, line)
      if (directive === 'module') this.#module = name
      else this.#owners.push({ indent, name: full })
    }
  }

  label(name: string, line: number): void {
    if (name !== '' && name !== objectMark && name.length <= maxTextChars) this.#labels.push({ name, line })
  }

  #add(form: FoundMention['form'], text: string, target: string, line: number): void {
    if (target === '') return
    this.#mentions.push({
      form,
      text: cutText(text.replace(patterns.whitespaceRun, ' '), maxTextChars),
      target,
      line,
    })
  }

  /** Reads a whole paragraph, because text between backticks may span lines. */
  #endBlock(): void {
    if (this.#block.length === 0) return
    const content = cutText(this.#block.join('\n'), maxParagraphChars)
    this.#block = []
    if (content.includes('`')) this.#markInline(content)
    const lines = countLines(content)
    if (content.includes('_'))
      for (const { 1: name = '', index } of content.matchAll(patterns.rstNamed))
        this.#add('link', name, named + labelKey(name), this.#blockLine + lineOf(lines, index))
  }

  #markInline(content: string): void {
    const lines = countLines(content)
    for (let at = content.indexOf('`'); at !== -1; at = content.indexOf('`', at)) {
      const isDouble = content[at + 1] === '`'
      const open = at + (isDouble ? 2 : 1)
      const close = content.indexOf(isDouble ? '``' : '`', open)
      if (close === -1) return
      const inner = content.slice(open, close)
      const line = this.#blockLine + lineOf(lines, at)
      if (isDouble) this.#markCode(inner, line)
      else
        this.#markText(inner, {
          role: roleBefore(content, at),
          after: content.slice(close + 1, close + 3),
          line,
        })
      at = close + (isDouble ? 2 : 1)
    }
  }

  #markCode(inner: string, line: number): void {
    if (this.#codeNames && mayNameCode(inner.trim())) this.#add('code', inner.trim(), inner.trim(), line)
  }

  #markText(inner: string, { role, after, line }: { role: string; after: string; line: number }): void {
    if (role !== '') {
      this.markRole(role, inner, line)
      return
    }
    if (!after.startsWith('_')) {
      this.#markCode(inner, line)
      return
    }
    const { text, target } = readRstWords(inner.replace(patterns.whitespaceRun, ' '))
    if (text !== target && !target.endsWith('_')) {
      if (!after.startsWith('__')) this.#targets.set(labelKey(text), target)
      this.#add('link', text, target, line)
    } else
      this.#add('link', text, named + labelKey(target.endsWith('_') ? target.slice(0, -1) : target), line)
  }

  markRole(role: string, inner: string, line: number): void {
    const name = role.slice(role.lastIndexOf(':') + 1)
    const { text, target } = readRstWords(inner.replace(patterns.whitespaceRun, ' '))
    if (target.startsWith('!') || plainRoles.has(name)) return
    if (name === 'doc' || name === 'download') this.#add('link', text, fromRoot(target), line)
    else if (name === 'ref' || name === 'numref') this.#add('link', text, `role:${labelKey(target)}`, line)
    else if (name === 'rfc' || name === 'pep') {
      const id = `${name.toUpperCase()} ${target.split('#', 1)[0]}`
      this.#add('id', id, id, line)
    } else {
      // An option may follow the name of its program.
      const written = name === 'option' ? target.slice(target.lastIndexOf(' ') + 1) : target
      const object = written.replace(patterns.rstNotInName, '')
      if (object === '') return
      const label = codeRoles.has(name) ? objectMark + labelKey(object) : thingLabel(name, object)
      if (this.#codeNames && codeRoles.has(name)) this.#add('code', text, `:${name}:${object}`, line)
      else this.#add('link', text, `role:${label}`, line)
    }
  }
}

/** `name` as a member of `owner`; unchanged if the result would be too long. */
function below(owner: string, name: string): string {
  const isWhole = owner === '' || name.startsWith(`${owner}.`) || owner.length + name.length > maxTextChars
  return isWhole ? name : `${owner}.${name}`
}

/** A path with a leading slash starts at the root of the documentation, wherever that is in the corpus. */
const fromRoot = (path: string): string => (path.startsWith('/') ? `doc:${path}` : path)

/** Precedes the name of a link whose target may be elsewhere in the text. */
const named = '\0'

/** `:py:class:` before a backtick gives `py:class`; '' without a role. */
function roleBefore(content: string, at: number): string {
  if (content[at - 1] !== ':') return ''
  const [, role = ''] = patterns.rstRoleBefore.exec(content.slice(Math.max(0, at - 60), at)) ?? []
  return role
}

/** An object by kind and name; a role with another name than the directive finds it by its name alone. */
const thingLabel = (kind: string, name: string): string =>
  `${objectMark}${kind}${objectMark}${labelKey(name)}`

/** The names that a signature describes: `async run(x)` gives `run`, `-f FILE, --file FILE` gives two. */
function namesOf(written: string, signature: string): string[] {
  const directive = written.slice(written.lastIndexOf(':') + 1)
  if (directive.endsWith('option'))
    return signature.split(', ').map((one) => one.split(patterns.rstOptionEnd, 1)[0]!)
  const head = signature.split('(', 1)[0]!.trim()
  if (directive === 'describe') return [head]
  // In C a type precedes the name, elsewhere a keyword; its type or value follows.
  const isTyped = written.startsWith('c:') || written.startsWith('cpp:')
  const words = head.split(' ').filter((word) => isTyped || !modifiers.has(word))
  const name = (isTyped ? words.at(-1) : words[0]) ?? ''
  return [name.replace(patterns.rstNotInName, '').replaceAll('::', '.')]
}

const modifiers = new Set([
  '',
  ...'async class classmethod static staticmethod abstract abstractmethod final'.split(' '),
])

function indentOf(text: string): number {
  let columns = 0
  for (let at = 0; at < text.length; at++)
    if (text[at] === ' ') columns++
    else if (text[at] === '\t') columns += 8 - (columns % 8)
    else break

  return columns
}
