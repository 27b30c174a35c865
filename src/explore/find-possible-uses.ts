// Where else does code write this name? Calls that may mean it, imports, re-exports, and strings that are this name.

import { sectionsWith } from '../corpus/lookup/find-definition.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../corpus/store/rows/reference-reader.ts'
import type { CodeOutline } from '../model/code.ts'
import { isCodeLanguage } from '../model/code-languages.ts'
import { readFormat } from '../model/config/read-formats.ts'
import { folderOf } from '../model/paths.ts'
import { remember } from '../model/remember.ts'
import type { ArtifactRow } from '../model/section.ts'
import { isCodeKind, languageOfKind, shapeOfKind } from '../read/parse/artifact-kinds.ts'
import { dottedName, findWord } from '../read/parse/code/code-names.ts'

export type WrittenAs = 'use' | 'import' | 're-export' | 'string'

/** Lines of a section that write the name. */
export interface WrittenName {
  readonly row: ArtifactRow
  readonly line: number
  readonly as: WrittenAs
}

export interface WrittenSubject {
  readonly row: ArtifactRow
  readonly name: string
  /** It is more than a function: every mention is a use, not only a call. */
  readonly isValue: boolean
}

/** Maximum sections to read for one name: `get` is in most files of a large corpus. */
const MOST_READ = 5000
/** As many names as the index keeps of a section; more may be used. */
const MOST_USES = 200

/** Languages that call each other's functions. */
const kin: readonly ReadonlySet<string>[] = [
  new Set(['javascript', 'typescript', 'html']),
  new Set(['c', 'cpp']),
  new Set(['java', 'kotlin']),
]
const receiverOperators: readonly string[] = ['?.', '&.', '->', '::', '.']

/** Is it a member? A plain function has no receiver. */
function isMember({ id, kind }: ArtifactRow): boolean {
  const own = id.slice(id.lastIndexOf('#') + 1)
  return kind.endsWith('_function') && (kind.endsWith('_class_function') || own.includes('.'))
}

/** By path and line; `cut` if not every section with the name was read. */
export function findWrittenNames(
  reader: CorpusReader,
  { row: own, name, isValue }: WrittenSubject,
): { readonly found: readonly WrittenName[]; readonly cut: boolean } {
  const outlineOf = remember((path: string) => reader.references().outline(path))
  const ownPath = reader.file(own.file).path
  const ownLanguage = languageOfKind(own.kind)
  const languages = kin.find((one) => one.has(ownLanguage)) ?? new Set([ownLanguage])
  const isOfClass = isMember(own)
  const owners = own.headings.slice(0, -1).join('.')
  const symbols = outlineOf(ownPath)?.symbols ?? []
  /** The class of a member, what that extends, and both. */
  const owner = lastPart(owners)
  const bases = new Set(symbols.find((one) => one.name === owners)?.bases?.map(lastPart))
  const classes = new Set([owner, ...bases])
  /** Kotlin: it may be called on any receiver. */
  const isExtension =
    ownLanguage === 'kotlin' && /\bfun\s[^(=]{0,200}\.\s?[\w`]+\s?\(/.test(reader.text(own.rowId).text)
  /** Names of the class, file and folders around the subject. */
  const parts = [...own.id.slice(ownPath.length).split(/[#.]/).slice(0, -1), ...ownPath.split(/[./]/)]
  const around = new Set([...parts, outlineOf(ownPath)?.package ?? ''].filter(Boolean))
  /** Folders of code, once they are needed. */
  let folders: ReadonlySet<string> | null = null
  const holding = sectionsWith(reader, name)
  const found = holding.slice(0, MOST_READ).flatMap((id) => findIn(reader.artifact(id)))
  return { found, cut: holding.length > MOST_READ }

  function findIn(row: ArtifactRow): WrittenName[] {
    const language = languageOfKind(row.kind)
    const isInside = !isValue && (row.id === own.id || row.id.startsWith(`${own.id}.`))
    if (isInside || !isCodeKind(row.kind) || !languages.has(language)) return []
    const { text } = reader.text(row.rowId)
    if (findWord(text, name.replace(/=$/, '')) < 0) return []
    const { path } = reader.file(row.file)
    const outline = outlineOf(path)
    const mentions = reader.references().of(row.rowId)
    const first = (row.ownLines ?? row.lines).start
    const code = codeOf(text, language)
    const section = { row, path, text, outline, mentions }
    const isUse = (one: Written): boolean => isUseIn(one, section)
    const found: WrittenName[] = []
    const add = (line: number, as: WrittenAs): void => void found.push({ row, line: first + line, as })
    for (const [at, line] of code.lines.entries()) {
      if (findWord(line, name) < 0) continue
      const isImport = shapeOfKind(row.kind) === 'import' || importing.test(line)
      if (isImport && outline !== null) {
        const as = importedAs(outline, mentions)
        if (as !== null) add(at, as)
      } else if (writtenIn(line, name).some(isUse)) add(at, 'use')
    }
    for (const { line, text: written } of code.strings) if (isNamedBy(written)) add(line, 'string')
    return found
  }

  /** As an import of the subject; null if the module is known to have another definition of the name. */
  function importedAs(
    outline: CodeOutline,
    mentions: readonly ReferenceRow[],
  ): 'import' | 're-export' | null {
    const isIt = (one: { readonly name: string | null }): boolean =>
      one.name === name || one.name?.endsWith(`.${name}`) === true
    const passed = outline.exports.find((one) => one.module !== null && (one.from === name || isIt(one)))
    const module = passed?.module ?? outline.imports.find((one) => isIt(one) || one.local === name)?.module
    if (module === undefined || module === null) return null
    const target = mentions.find((one) => one.form === 'import' && one.target === module)
    const last = module.split(/[./:\\]+/).at(-1) ?? ''
    const isMeant =
      target?.path == null
        ? around.has(last) || last === name
        : target.path === ownPath ||
          outlineOf(target.path)?.symbols.every((one) => !isIt(one) || one.alias !== undefined) === true
    return isMeant ? (passed === undefined ? 'import' : 're-export') : null
  }

  /** A string that is the name alone, if it is not an ordinary word, or with a module or class in front. */
  function isNamedBy(written: string): boolean {
    if (!written.endsWith(name) || !/^[\p{L}\p{N}_$.:#/-]+$/u.test(written)) return false
    const parts = written.split(/[.:#/]+/)
    const isCompound = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(name)
    return parts.at(-1) === name && (isCompound || around.has(parts.at(-2) ?? ''))
  }

  function isUseIn({ dotted, hasReceiver, isCall, isRaw }: Written, at: Section): boolean {
    const mention = dotted === '' ? undefined : at.mentions.find(({ text }) => text === dotted)
    // A call of what the member overrides may reach it.
    if (mention?.outcome === 'resolved') return bases.has(classOf(mention.anchor ?? ''))
    if (mention?.outcome === 'self') return false
    if (mention?.outcome === 'ambiguous' && mention.candidates.includes(own.id)) return true
    // A property of Kotlin may have the name of an extension.
    if (hasReceiver) return isExtension ? isCall : mayReceive(dotted, mention, at)
    if (!isCall && !isValue && !isRaw) return false
    const language = languageOfKind(at.row.kind)
    if (!isCodeLanguage(language)) return false
    const { bare_members, modules } = readFormat(language)
    // A call without a mention has a local name, unless the grammar did not read it.
    const isRead = language !== 'rust' && !isRaw && at.mentions.length < MOST_USES
    if (!isValue && mention === undefined && isRead) return false
    const defines = at.outline?.symbols.some((one) => lastPart(one.name) === name) === true
    if (language === 'rust' && mention === undefined && !isOfClass && !defines) return true
    if (isOfClass) return bare_members === true && mention !== undefined && mention.outcome !== 'ambiguous'
    return (
      at.path === ownPath ||
      at.outline?.imports.some((one) => one.local === name || one.name === '*') === true ||
      (modules.scope === 'folder' && folderOf(at.path) === folderOf(ownPath)) ||
      modules.scope === 'corpus'
    )
  }

  /** May the receiver have this member, or be the module of this function? */
  function mayReceive(
    dotted: string,
    mention: ReferenceRow | undefined,
    { row, path, text, mentions, outline }: Section,
  ): boolean {
    const receiver = dotted.split('.')
    if (!isOfClass) return mention?.outcome !== 'ambiguous' && around.has(receiver.at(-2) ?? '')
    if (mention?.outcome === 'missing' || mention?.outcome === 'ambiguous') return true
    if (receiver.slice(0, -1).some((one) => classes.has(one))) return true
    if (classes.has(classOf(mention?.target ?? ''))) return true
    const language = languageOfKind(row.kind)
    const format = isCodeLanguage(language) ? readFormat(language) : null
    // A variable whose class is outside the corpus; or a type with unknown members, or what a function returns; or one
    // that the section also tests for being of this class.
    if (mention !== undefined && mention.target !== mention.text)
      return (
        format?.self.includes(mention.target.split('.')[0] ?? '') === true ||
        findWord(text, owner) >= 0 ||
        mentions.some((one) => one.outcome === 'resolved' && mention.target.startsWith(`${one.text}.`))
      )
    // `import './render'` binds no name in JavaScript.
    const isBound = format !== null && format.modules.relative !== 'slashes'
    const imported = outline?.imports.find(({ local, module }) =>
      local === '' ? isBound && module.split(/[.:/\\]+/).includes(receiver[0] ?? '') : local === receiver[0],
    )
    if (imported === undefined) return true
    // A variable of a module: its class is unknown.
    const isVariable = (imported.name !== null && imported.name !== '*') || receiver.length > 2
    return isVariable && isInCorpus(imported.module, path)
  }

  /** Does a file import this module from the corpus, or a definition from one of its packages? */
  function isInCorpus(module: string, path: string): boolean {
    const target = reader.references().imports(path).get(module)
    if (target !== undefined && target !== 'external') return true
    // No property of Kotlin is a definition, but its package is a folder.
    const folder = module.split('.').slice(0, -1).join('/')
    folders ??= new Set(reader.references().codePaths().map(folderOf))
    return folder !== '' && [...folders].some((one) => `/${one}`.endsWith(`/${folder}`))
  }
}

/** Offsets of the lines of code that write a dotted name as a whole, or call it; not those in comments and strings. */
export function linesWriting(
  text: string,
  { name, language, isCall }: { readonly name: string; readonly language: string; readonly isCall: boolean },
): number[] {
  const generics = '(?:(?:::)?<[^()]*>)?'
  const operator = String.raw`${generics}(?:\(\))?\s*(?:\?\.|!!\.|&\.|->|::|\\|\.)\s*`
  const dotted = name
    .split('.')
    .map((part) => part.replace(/[$()*+?[\\\]^{|}]/g, '\\$&'))
    .join(operator)
  const call = isCall ? String.raw`${generics}\(` : ''
  const whole = String.raw`(?<![\p{L}\p{N}_$]|(?<!\.)\.|->|::)${dotted}(?![\p{L}\p{N}_$])`
  const written = new RegExp(whole + call, 'u')
  const isScript = language === 'javascript' || language === 'typescript'
  const code = codeOf(text, language).lines.map((line) => (isScript ? line.replace(keys, '$1') : line))
  return code.flatMap((line, at) => (written.test(line) ? [at] : []))
}

/** Keys of objects, which are no uses of what has their name. */
const keys = /(^\s*|[{,]\s*)[\p{L}\p{N}_$]+\??:(?!:)/gu

/** The part before the last; a blank, which is not a name, if there is none. */
const classOf = (name: string): string => name.split('.').at(-2) ?? ' '

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

interface Section {
  readonly row: ArtifactRow
  readonly path: string
  readonly text: string
  readonly outline: CodeOutline | null
  readonly mentions: readonly ReferenceRow[]
}

const importing = /^\s*(?:(?:import|from|(?:pub\s+)?use|require)\b|export\s*[*{])|\brequire\(/

interface Written {
  /** With its receiver; '' if the receiver is an expression. */
  readonly dotted: string
  readonly hasReceiver: boolean
  readonly isCall: boolean
  /** Text of a macro, which a grammar does not read. */
  readonly isRaw: boolean
}

/** Each time that a line of code writes the name. */
function writtenIn(line: string, name: string): Written[] {
  const found: Written[] = []
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line.slice(0, at), line.slice(at + name.length)]
    if (findWord(line.slice(Math.max(0, at - 1), at + name.length + 1), name) < 0) continue
    const hasReceiver =
      receiverOperators.some((operator) => before.endsWith(operator)) && !before.endsWith('..')
    let start = at
    while (hasReceiver && start > 0 && /[\p{L}\p{N}_$@.:?&>-]/u.test(line.charAt(start - 1))) start--
    const isWhole = !hasReceiver || !/[)\]}"'`]/.test(line.charAt(start - 1))
    found.push({
      dotted: (isWhole ? dottedName(line.slice(start, at + name.length)) : null) ?? '',
      hasReceiver,
      isCall: before.endsWith('::') || /^\s*(?:!?\(|::<|<[^<>()]{0,80}>\s*\(|\{)/.test(after),
      isRaw: /^\s*#\s*define\b|\\$/.test(line),
    })
  }
  return found
}

const quoted = /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/
const tokens = {
  hash: new RegExp(`#[^\\n]*|${quoted.source}|'(?:\\\\.|[^'\\\\\\n])*'`, 'g'),
  slashes: new RegExp(`//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)|${quoted.source}|'(?:\\\\.|[^'\\\\\\n])*'`, 'g'),
  // One quote may be a character, or a lifetime in Rust.
  characters: new RegExp(`//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)|${quoted.source}|'(?:\\\\.|[^'\\\\\\n])'`, 'g'),
}
const tokensOf = new Map(
  Object.entries({
    hash: 'python ruby bash elixir',
    slashes: 'javascript typescript html php',
  }).flatMap(([kind, languages]) =>
    languages.split(' ').map((one) => [one, tokens[kind as 'hash']] as const),
  ),
)

/** The lines of a text with blanks for comments and strings, and the strings with their lines. */
function codeOf(text: string, language: string) {
  const strings: { line: number; text: string }[] = []
  let [line, last] = [0, 0]
  const code = text.replace(tokensOf.get(language) ?? tokens.characters, (token, at: number) => {
    for (let next = text.indexOf('\n', last); next !== -1 && next < at; next = text.indexOf('\n', last)) {
      line++
      last = next + 1
    }
    const isString = /^["'`]/.test(token)
    if (isString) strings.push({ line, text: token.slice(1, -1) })
    // Code inside a string is read as code.
    return isString && /[{]/.test(token) ? token : token.replace(/[^\n]/g, isString ? '"' : ' ')
  })
  // `user.name = x` calls `name=`.
  const lines = language === 'ruby' ? code.replace(/(?<=\w)[ \t]{1,9}=(?![=~>])/g, '=') : code
  return { lines: lines.split('\n'), strings }
}
