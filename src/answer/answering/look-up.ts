// What do the graph and the names answer? Callers, implementers, definitions, values and the way between two names lead the ranking.
// Long because every form of question that is looked up is here, with what it reads.

import { neighbours } from '../../corpus/graph/neighbours.ts'
import { scoreCanonicality } from '../../corpus/graph/score-canonicality.ts'
import { ArtifactFinder, type FoundArtifact } from '../../corpus/lookup/find-artifact.ts'
import {
  definitionsCalled,
  listSome,
  namePartsOf,
  ownDefinitionsCalled,
  sectionsWith,
} from '../../corpus/lookup/find-definition.ts'
import type { NamedDefinition } from '../../corpus/resolve/code/code-catalogue.ts'
import { isTestPath } from '../../corpus/resolve/code/code-roles.ts'
import { definitionsOf, isOwnCode, ownOf } from '../../corpus/resolve/code/resolve-code-name.ts'
import { sharedFolders } from '../../corpus/resolve/find-page.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Confidence } from '../../model/digest.ts'
import { remember } from '../../model/remember.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import type { RankedSection } from '../../model/section.ts'
import { isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { findWord } from '../../read/parse/code/code-names.ts'
import { findSignature } from '../assemble/find-signature.ts'
import { declares, isCalled, lastName } from '../retrieve/match-names.ts'
import type { CascadeResult } from '../retrieve/run-cascade.ts'
import { versionIn } from '../retrieve/section-roles.ts'
import { stopWords } from '../retrieve/stop-words.ts'
import { findSenders } from './find-senders.ts'

/** Definitions of a name that are read; a name with more means none of them. */
const MOST_DEFINITIONS = 3
/** Sections that lead, at most. */
const MOST_LEADING = 8
/** Difference of score between two sections that lead. */
const ORDER = 1e-6
/** Sections whose text is read for a name. */
const MOST_READ = 200
/** Calls between the two ends of a chain, and functions that are read on the way. */
const CHAIN = { calls: 5, functions: 80 } as const

/** A section that answers, with the names on whose lines it does; none where it answers from its beginning. */
interface Answer {
  readonly at: FoundArtifact
  readonly lines: (text: string) => boolean
  /** Event, setting or table by which it leads to the next step of a chain. */
  readonly sends?: string
}

interface LookedUp extends Pick<CascadeResult, 'unknownName'>, Pick<Confidence, 'why' | 'usesOf'> {
  readonly answers: readonly Answer[]
}

/** What a question may ask for, or parts of it that follow one another; % is a name after words for its kind. */
const forms = {
  chain: [String.raw`(?:\bfrom |\bdoes |\bcan )%.{0,24}?`, ' (?:reach|to|until|into|call) %'],
  extends: String.raw`\b(?:implement(?:s|ed by|ations? of)?|extends?|inherits? from|subclass(?:es)? of|derives? from) %`,
  overrides: String.raw`\boverrid(?:es?|den|ing) %`,
  sets: String.raw`\b(?:who|what|which \w+|where (?:is|are)) (?:sets?|assigns?|writes?|changes?|modifies) %`,
  callers: String.raw`\b(?:calls?|uses?|invokes?|reads?|imports?|callers of|call sites? of|us(?:ag|er)es? of|where (?:is|are|does|do)) %`,
  tests: String.raw`(?:\btests? (?:for|of)|\b(?:where|how) (?:is|are)(?=.{1,80}\btested\b)) %`,
  definition: String.raw`^(?:(?:what|where) (?:is|are|does)|define|definition of|show(?: me)?|find) %[!?=]?(?:\(\))?(?: (?:defined|declared|do|for|mean))?\W*$`,
} as const

/** The names where a question has this form. Names take long to compile, so the words before them are looked for first. */
function namesIn(question: string, form: readonly string[]): readonly string[] {
  const isAscii = !/[^\0-\x7f]/.test(question)
  const pattern = (source: string): RegExp => new RegExp(source, isAscii ? 'i' : 'iu')
  if (form.some((part) => !pattern(part.slice(0, part.indexOf('%'))).test(question))) return []
  const [letters, digits] = isAscii ? ['a-z', '0-9'] : [String.raw`\p{L}`, String.raw`\p{N}`]
  const part = `[${letters}_$][${letters}${digits}_$]*`
  const kinds =
    '(?:(?:the|a|an|function|method|class|struct|type|trait|interface|macro|constant|variable|field) ){0,3}'
  const name = String.raw`${kinds}\W?(${part}(?:(?:\.|::|#|->)${part})*)`
  return pattern(form.join('').split('%').join(name)).exec(question)?.slice(1) ?? []
}

/** `what changed in 1.0`, `release notes for 2.3.1`: of release notes, and of no task in a version. */
const asksVersion =
  /\b(?:change[ds]?|new|added|fixed|removed|deprecated|change ?log|release notes?)(?: \w+){0,2}? (?:in|of|for|since|with) (?:version |release )?v?(\d+(?:\.\d+)+)/i
const asksValue = /\b(?:value (?:of|does|has)|(?:which|what) value|set to|default (?:of|value))\b/i
/** `const limit = 5`, `#define LIMIT 5`, `LIMIT: int = 5`, `LIMIT = 5`, and a member of an enumeration. */
const bindsAfter =
  /^\s*(?:(?::|[A-Za-z_])[\w<>[\], .:&'*|?]{0,60})?(?::?=(?![=>])|:\s)|^\s*(?:\(\d|,\s*$|\s-?\d|\s["'(])/

/** What answers a question by its form and names, the best first; nothing for any other question. */
export function lookUp(
  question: string,
  { intents, identifiers, names }: QueryAnalysis,
  ranked: readonly RankedSection[],
  reader: CorpusReader,
): LookedUp {
  const finder = new ArtifactFinder(reader)
  const textOf = remember((row: number) => reader.text(row).text)
  const asked: string[] = []
  const found = answer()
  const isUnknown = (name: string): boolean => asked.includes(name) && !exists(name)
  return found.answers.length > 0 ? found : { ...found, unknownName: identifiers.find(isUnknown) }

  function answer(): LookedUp {
    const whole = (name: string): string => {
      asked.push(markedIn(name, question))
      return asked.at(-1) ?? ''
    }
    const [from, to] = namesIn(question, forms.chain).map(whole)
    if (from !== undefined && to !== undefined) {
      const answers = chain(from, to)
      const way = answers.flatMap(({ at, sends }) => [at.row.name, ...(sends ? [`“${sends}”`] : [])])
      if (answers.length > 0) return { answers, why: `the calls lead ${way.join(' → ')}` }
    }
    const release = intents.includes('task') ? undefined : asksVersion.exec(question)?.[1]
    if (release !== undefined) {
      const answers = notesOf(release)
      if (answers.length > 0) return { answers, why: `the first passage has the notes of ${release}` }
    }
    const read = (form: keyof typeof forms): string => whole(namesIn(question, [forms[form]].flat())[0] ?? '')
    const over = read('overrides')
    if (over !== '')
      return { answers: definitionsOfName(over).slice(1), why: `the first passages override “${over}”` }
    const tested = read('tests')
    if (tested !== '') return { answers: testsOf(tested), why: `the first passages test “${tested}”` }
    const base = read('extends')
    if (base !== '' && definitionsCalled(reader, base).length > 0)
      return { answers: extensionsOf(base), why: `the first passages extend “${base}”` }
    const set = read('sets').replace(/=$/, '')
    if (set !== '') return { answers: boundTo(set), why: `the first passages set “${set}”` }
    const asksForValue = asksValue.test(question) && !intents.includes('reason')
    const asksForCallers = intents.includes('callers')
    const named = [...identifiers, ...names.filter((name) => !stopWords.has(name.toLowerCase()))]
    const known = asksForCallers || asksForValue ? [...new Set(named.map(whole))] : []
    if (asksForCallers) {
      const called = known.length > 0 ? known : [read('callers')].filter(Boolean)
      const users = called.flatMap((one) => callersOf(one, MOST_LEADING))
      const answers = users.slice(0, MOST_LEADING)
      const meant = called.map((one) => meanings(one)).join(', ')
      const more = users.length > answers.length ? '; `uses` lists more' : ''
      const why = `the first passages use ${meant}: ${placesOf(answers)}${more}`
      return { answers, why, usesOf: called[0] }
    }
    const answers = asksForValue ? value(known, question, ranked) : []
    if (answers.length > 0) return { answers, why: 'the first passage has the line that sets the value' }
    const isBare = identifiers.length === 1 && question.trim().replace(/\(\)$/, '') === identifiers[0]
    const defined = isBare ? whole(identifiers[0] ?? '') : read('definition')
    if (!defined || intents.includes('error') || intents.includes('report')) return { answers: [], why: '' }
    // A keyword argument, or a key in a string, gives the name a value and defines nothing.
    const does = definitionsCalled(reader, defined).length > 0 ? 'defines' : 'has'
    const why = `the first passage ${does} ${meanings(defined)}`
    return { answers: definitionsOfName(defined).slice(0, MOST_DEFINITIONS), why }
  }

  /** Does any code define a name, or any text write it with what is in front of it? */
  function exists(name: string): boolean {
    const written = ['.', '::', '->', '#'].map((one) => namePartsOf(name).slice(-2).join(one))
    const isWritten = ({ row }: FoundArtifact): boolean =>
      written.some((one) => findWord(textOf(row.rowId), one) >= 0)
    return definitionsCalled(reader, name).length > 0 || sections(lastName(name)).some(isWritten)
  }

  /** The lines that answer: `src/a.ts:3, 9; src/b.ts:1`. */
  function placesOf(answers: readonly Answer[]): string {
    const linesOf = ({ at: { row }, lines }: Answer): readonly number[] => {
      const found = textOf(row.rowId).split('\n')
      return found.flatMap((line, at) => (lines(line) ? [row.lines.start + at] : [])).slice(0, MOST_LEADING)
    }
    const files = Map.groupBy(answers, ({ at }) => at.file.path)
    return [...files].map(([path, all]) => `${path}:${all.flatMap(linesOf).join(', ')}`).join('; ')
  }

  /** The name, with the definitions that it may mean if these are several. */
  function meanings(name: string): string {
    const meant = ownDefinitionsCalled(reader, name)
    const ids = listSome(meant.map(({ id }) => id))
    return `“${name}”${meant.length > 1 ? ` (${meant.length} definitions: ${ids})` : ''}`
  }

  /** The name with the `?`, `!` or `=` behind it in the question, if that alone is defined. */
  function markedIn(name: string, question: string): string {
    const isDefined = (one: string): boolean => definitionsCalled(reader, one).length > 0
    const marked = ['?', '!', '='].map((mark) => `${name}${mark}`).filter((one) => question.includes(one))
    return [name, ...marked].find(isDefined) ?? name
  }

  /** Own code first, the largest first: declarations and members of a line come last. */
  function definitionsOfName(written: string): Answer[] {
    const references = reader.references()
    const all = definitionsOf(namePartsOf(written), (name) => references.definitionsNamed(name))
    const whole = all.filter(({ kind }) => !kind.endsWith('_block'))
    const found = (whole.length > 0 ? whole : all).flatMap(({ id }) => finder.byId(id) ?? [])
    const last = lastName(written)
    // Without the comments above it: a stub is often described at length.
    const size = ({ row }: FoundArtifact): number =>
      row.lines.end -
      (findSignature(textOf(row.rowId), last, row.lines.start)?.lines.start ?? row.lines.start)
    const sizes = new Map(found.map((at) => [at, size(at)]))
    const rank = (at: FoundArtifact): number => (isOwnCode(at.file) ? 0 : 2) + (sizes.get(at) === 0 ? 1 : 0)
    const longer = (a: FoundArtifact, b: FoundArtifact): number => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0)
    found.sort((a, b) => rank(a) - rank(b) || longer(a, b) || (a.row.id < b.row.id ? -1 : 1))
    if (found.length > 0) return found.map((at) => ({ at, lines: () => false }))
    return boundTo(written)
  }

  /** Sections of code that give a name its value; of `Owner.name` those that are in the owner or name it. */
  function boundTo(written: string): Answer[] {
    const owner = namePartsOf(written).at(-2)
    const isOf = ({ at: { row } }: Answer): boolean =>
      owner === undefined || findWord(`${row.id}\n${textOf(row.rowId)}`, owner) >= 0
    return findWritten(written, binds).filter(isOf).slice(0, MOST_LEADING)
  }

  function sections(name: string): FoundArtifact[] {
    return sectionsWith(reader, name)
      .slice(0, MOST_READ)
      .map((rowId) => reader.artifact(rowId))
      .map((row) => ({ row, file: reader.file(row.file) }))
  }

  /** Sections of code whose lines do something with a name. */
  function doing(last: string, does: (text: string, last: string) => boolean): FoundArtifact[] {
    const isDoing = ({ row: { kind, rowId } }: FoundArtifact): boolean =>
      isCodeKind(kind) && does(textOf(rowId), last)
    return sections(last).filter(isDoing)
  }

  /** Those of own code, or all if only tests and vendored code do so. */
  function findWritten(written: string, does: (text: string, last: string) => boolean): Answer[] {
    const last = lastName(written)
    const found = ownOf(doing(last, does), ({ file }) => file)
    return found.map((at) => ({ at, lines: (line) => does(line, last) }))
  }

  /** Release notes under the heading of a version; `1.0` is also `1.0.0`. */
  function notesOf(version: string): Answer[] {
    const found = [version, `${version}.0`, `${version}.0.0`].flatMap((name) =>
      sections(name).filter(({ row }) => versionIn(row.name)?.release === name),
    )
    return found.slice(0, MOST_LEADING).map((at) => ({ at, lines: () => false }))
  }

  /** Tests that call a name, first those named after it. */
  function testsOf(written: string): Answer[] {
    const last = lastName(written)
    const isOther = ({ row: { id } }: FoundArtifact): boolean =>
      !id.toLowerCase().includes(last.toLowerCase())
    const found = doing(last, isCalled).filter(({ file }) => isTestPath(file.path))
    const ordered = found.toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)))
    return ordered.slice(0, MOST_LEADING).map((at) => ({ at, lines: (line) => findWord(line, last) >= 0 }))
  }

  /** Certain uses; where a name has one meaning, also calls whose receiver is not known. */
  function callersOf(written: string, most = MOST_DEFINITIONS): Answer[] {
    const last = lastName(written)
    const meant = ownDefinitionsCalled(reader, written)
    // `db.query` and `get_terminal_size` are called as they are written, though nothing here defines them.
    if (meant.length === 0)
      return last === written && !/[_$]|[a-z][A-Z]/.test(written)
        ? []
        : findWritten(written, (text) => isCalled(text, written))
    const within = meant.flatMap(({ id }) => finder.byId(id) ?? [])
    const isInside = ({ row }: FoundArtifact): boolean =>
      within.some(({ row: { id } }) => row.id === id || row.id.startsWith(`${id}.`))
    const isClear = meant.length <= MOST_DEFINITIONS
    const certain = meant.length <= most ? within.flatMap((definition) => uses(definition)) : []
    const isAlone = meant.length === 1 || (isClear && certain.length === 0)
    const calls = isAlone ? findWritten(written, isCalled).filter(({ at }) => !isInside(at)) : []
    // A property is read, not called.
    const isRead = isAlone && certain.length + calls.length === 0
    const called = (isRead ? findWritten(written, isMember) : calls).slice(0, MOST_LEADING + 1)
    const found = [...certain, ...called.map(({ at }) => at)].filter((at) => !isInside(at))
    const all = new Map(found.map((at) => [at.row.id, at]))
    // An interface or a header shows how a name is called: neither is a caller.
    const isProgram = ({ row, file }: FoundArtifact): boolean =>
      !['type', 'import', ...(declares.test(file.path) ? ['block'] : [])].includes(shapeOfKind(row.kind))
    const users = [...all.values()].filter(isProgram)
    // A line that exports or passes on a name comes after one that calls it.
    const rank = ({ row, file }: FoundArtifact): number =>
      (isOwnCode(file) ? 0 : 2) + (isCalled(textOf(row.rowId), last) ? 0 : 1)
    const near = nearnessTo(meant)
    const ordered = users.toSorted((a, b) => rank(a) - rank(b) || near(b) - near(a))
    return ordered.map((at) => ({ at, lines: (line) => findWord(line, last) >= 0 }))
  }

  /** Of a class also what uses a member by the name of the class: `Parser.parse(…)`. */
  function uses(definition: FoundArtifact): FoundArtifact[] {
    const { id, kind, name } = definition.row
    const options = { purpose: 'show', outgoing: false, incoming: 'code', structure: false } as const
    const usersOf = (one: FoundArtifact): FoundArtifact[] =>
      neighbours(one, finder, options).flatMap(({ via, at }) => (via === 'uses' ? [at] : []))
    const parts = shapeOfKind(kind) === 'class' ? finder.partsOf(definition) : []
    const members = parts.filter(({ row }) => row.id.startsWith(`${id}.`)).flatMap(usersOf)
    const named = members.filter(({ row }) => findWord(textOf(row.rowId), name) >= 0)
    return [...usersOf(definition), ...named]
  }

  /** Types that name this one as a base, those near to it first. */
  function extensionsOf(written: string): Answer[] {
    const last = lastName(written)
    const found = sections(last).filter(({ row, file }) => {
      if (row.level === 0 || !['class', 'type'].includes(shapeOfKind(row.kind))) return false
      const symbols = reader.references().outline(file.path)?.symbols ?? []
      const own = symbols.find(({ id }) => id === row.id.slice(file.path.length + 1))
      return own?.bases?.some((base) => lastName(base) === last) === true
    })
    const near = nearnessTo(definitionsCalled(reader, written))
    const leading = found.toSorted((a, b) => near(b) - near(a)).slice(0, MOST_LEADING)
    return leading.map((at) => ({ at, lines: (line) => findWord(line, last) >= 0 }))
  }

  /** The line that gives a name its value; a name that is asked for by its words is read from the best sections. */
  function value(known: readonly string[], question: string, ranked: readonly RankedSection[]): Answer[] {
    // The value itself, before what passes it on or has none.
    const isLiteral = ({ at, lines }: Answer): boolean =>
      textOf(at.row.rowId)
        .split('\n')
        .some((line) => lines(line) && literalValue.test(line))
    const named = known.flatMap((one) => boundTo(one))
    if (known.length > 0)
      return named.toSorted((a, b) => Number(isLiteral(b)) - Number(isLiteral(a))).slice(0, MOST_DEFINITIONS)
    const words = ` ${wordsIn(question).join(' ')} `
    const best = ranked.filter(({ artifact }) => isCodeKind(artifact.kind)).slice(0, MOST_LEADING * 2)
    const found = best.flatMap(({ artifact, file }) => {
      const text = textOf(artifact.rowId)
      const identifiers = new Set(text.match(/[A-Za-z_][A-Za-z_\d]{3,60}/g))
      const fitting = [...identifiers].filter((one) => {
        const parts = wordsIn(one)
        return parts.length > 1 && words.includes(` ${parts.join(' ')} `) && binds(text, one)
      })
      return fitting.map((one) => ({ one, at: { row: artifact, file } }))
    })
    const most = Math.max(...found.map(({ one }) => wordsIn(one).length))
    return found
      .filter(({ one }) => wordsIn(one).length === most)
      .slice(0, MOST_DEFINITIONS)
      .map(({ one, at }) => ({ at, lines: (line) => binds(line, one) }))
  }

  /** Sections of other files that send what a section receives for the step after it. */
  function senders({ at }: Answer, next: Answer | undefined): Answer[] {
    const isCode = ({ row, file }: FoundArtifact): boolean => isCodeKind(row.kind) && isOwnCode(file)
    const read = (one: FoundArtifact) => ({ at: one, text: textOf(one.row.rowId) })
    const found = findSenders(read(at).text, next === undefined ? null : lastName(next.at.row.name), (name) =>
      sections(name).filter(isCode).map(read),
    )
    return found.filter((sender) => sender.at.file.path !== at.file.path)
  }

  /** The shortest way of calls, and of names that two files share, between two names, searched from its end. */
  function chain(from: string, to: string): Answer[] {
    const start = new Set(definitionsCalled(reader, from).map(({ id }) => id))
    const ends = definitionsOfName(to).slice(0, MOST_DEFINITIONS)
    if (start.size === 0 || definitionsCalled(reader, to).length === 0) return []
    const seen = new Set(ends.map(({ at }) => at.row.id))
    let front = ends.map((end): readonly Answer[] => [end])
    for (let calls = 0; calls < CHAIN.calls && front.length > 0; calls++) {
      const next: (readonly Answer[])[] = []
      for (const way of front) {
        const target = way[0] as Answer
        const callers = callersOf(target.at.row.headings.join('.') || target.at.row.name)
        for (const caller of [...callers, ...senders(target, way[1])]) {
          const { id } = caller.at.row
          if (start.has(id) || [...start].some((one) => id.startsWith(`${one}.`))) return [caller, ...way]
          if (seen.has(id) || seen.size > CHAIN.functions) continue
          seen.add(id)
          next.push([caller, ...way])
        }
      }
      front = next
    }
    return []
  }
}

/** How many folders a section shares with the nearest of some definitions. */
const nearnessTo =
  (definitions: readonly NamedDefinition[]): ((at: FoundArtifact) => number) =>
  ({ file }) =>
    Math.max(...definitions.map(({ path }) => sharedFolders(path, file.path)))

/** Is the name written behind a receiver, as in `self.count`? */
const isMember = (text: string, last: string): boolean =>
  text.split('\n').some((line) => /[.>:]$/.test(line.slice(0, Math.max(0, findWord(line, last)))))

/** `= 1000`, `: 'none'`, `=> true`. */
const literalValue = /[:=]>?\s*(?:-?\.?\d|["'`]|(?:true|false)\b)/i

/** Does a line of the text give the name a value? */
function binds(text: string, written: string): boolean {
  const last = lastName(written)
  return text.split('\n').some((line) => {
    const at = findWord(line, last)
    if (at < 0 || /[.(>]$|\b(?:return|if|case)\b/.test(line.slice(0, at))) return false
    return bindsAfter.test(line.slice(at + last.length))
  })
}

/** `maxRetryCount`, `MAX_RETRY_COUNT` and `max retry count` have the same words. */
const wordsIn = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')

/** The ranking with what is looked up in front: it shows the lines that answer. */
export function leadWithLookedUp(
  sections: readonly RankedSection[],
  context: {
    readonly question: string
    readonly analysis: QueryAnalysis
    readonly reader: CorpusReader
    readonly now: number
    readonly isInside: (file: number) => boolean
  },
): Pick<CascadeResult, 'sections' | 'unknownName'> {
  const { question, analysis, reader, now, isInside } = context
  const [best] = sections
  if (best === undefined) return { sections }
  const found = lookUp(question, analysis, sections, reader)
  const answers = found.answers.filter(({ at }) => isInside(at.file.id))
  const leading = new Map<number, RankedSection>()
  for (const { at, lines } of answers) {
    const { row, file } = at
    const known = sections.find(({ artifact }) => artifact.rowId === row.rowId)
    const { text, pieces } = reader.text(row.rowId)
    const { relevance } = best.signals
    const matches = pieces.flatMap(({ start, end }, piece) =>
      text.slice(start, end).split('\n').some(lines)
        ? [{ pieceStart: piece, pieceEnd: piece + 1, relevance, score: best.score }]
        : [],
    )
    if (leading.has(row.rowId)) continue
    const canonicality = scoreCanonicality(file, { now })
    leading.set(row.rowId, {
      ...(known ?? { ...best, artifact: row, file, yieldsTo: null, canonicality }),
      matches,
      // Above all others, in the order in which they were looked up.
      score: best.score * (1 + (answers.length - leading.size) * ORDER),
      lookedUp: { why: found.why, usesOf: found.usesOf },
    })
  }
  const others = sections.filter(({ artifact }) => !leading.has(artifact.rowId))
  return { sections: [...leading.values(), ...others], unknownName: found.unknownName }
}
