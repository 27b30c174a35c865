// Which questions would people ask this corpus? Headings and sentences that introduce an example, turned by templates, each with the section that answers.
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { readText } from '../../explore/read-passage.ts'
import { folderOf } from '../../model/paths.ts'
import { remember } from '../../model/remember.ts'
import type { ArtifactRow, FileRow } from '../../model/section.ts'
import { isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { textFence } from '../../read/parse/text/text-formats.ts'
import { LinkJudge } from '../links/judge-links.ts'
import { ServedSite } from '../links/served-site.ts'
import type { Question } from './evaluation.ts'

interface ProposedQuestion {
  readonly question: string
  readonly path: string
  /** A canonical id. */
  readonly expected: string
}

const verbs = new Set(
  'add apply assign avoid build bundle change choose configure connect control convert create customize debug declare define delete deploy disable discover distribute drain enable escape expose extend find format generate get handle import inspect install integrate limit load manage migrate monitor move optimize parse pass publish read release remove rename replace restart restore roll rotate run search secure send serve set share store test troubleshoot update upgrade use validate verify write'.split(
    ' ',
  ),
)
/** Signs of a title or a signature, and words that mean another section. */
const unclear = /[^\w\s'’./-]|\b(?:it|this|that|these)\b/i
/** After a verb they leave open what is meant: `Import with query suffixes`. */
const joining = /^(?:or|and|for|with|of|in|on|from|by|via|that|without|using)$/i
/** Sections that list persons. */
const persons = /\b(?:authors?|contributors?|credits|maintainers?|sponsors?|team|thanks)\b/i
/** `A deployment hangs`, as runbooks say it. */
const trouble =
  /^(?:A|An|The)\b.*\b(?:(?:is|are|was|were) \w+|fails?|hangs?|does not|do not|cannot)\b(?!.*\.$)/
/** What a verb is about; without one, `Read flow control` may be a name. */
const object = /\b(?:an?|the|my|all|to|in|into|on|from|of|with|as|by|for)\b|[a-z'’][^'’s]s\b/i
const adjective = /^(Allowed|Available|Required|Supported) ([\w-]+s)$/i
const asked = /^(?:how|why|what|when|where|which|who|can|does|is|are)\b.{8,80}\?$/i

/** `configuring` as `configure`; null for words that the list of verbs does not have. */
function verbOf(word: string): string | null {
  const lower = word.toLowerCase()
  if (verbs.has(lower)) return lower
  const stem = /^(.{2,})ing$/.exec(lower)?.[1]
  if (stem === undefined) return null
  return [stem, `${stem}e`, stem.slice(0, -1)].find((one) => verbs.has(one)) ?? null
}

/** A heading as a question, null where it makes none; `title` is that of its document. */
export function makeQuestion(heading: string, title = ''): string | null {
  const plain = heading.replaceAll(/[`*_]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, '').trim()
  // Capitals of a title are no names.
  const isTitle = plain
    .split(/\s+/)
    .every((word) => /^\W?[A-Z]|^(?:an?|and|as|for|in|of|on|or|the|to|with)$/.test(word))
  const text = isTitle
    ? plain.replaceAll(/(?<=\s)[A-Z](?=[a-z'’]+\b)(?![a-z]*[A-Z])/g, (one) => one.toLowerCase())
    : plain
  if (asked.test(text)) return text
  const [, decided] = /^(?:adr|decision|record)?[-\s]?\d+:\s+(.{5,60})$/i.exec(title) ?? []
  if (decided !== undefined && /^decision$/i.test(text))
    return `${/^no\b/i.test(decided) ? 'Why' : 'What was decided about'} ${lowerFirst(decided)}?`
  const [, kind = '', things] = adjective.exec(text) ?? []
  if (things !== undefined) return `Which ${things.toLowerCase()} are ${kind.toLowerCase()}?`
  if (trouble.test(text) && !unclear.test(text)) return `What if ${lowerFirst(text)}?`
  const [first = '', ...rest] = text.replaceAll(/\byour\b/gi, 'my').split(/\s+/)
  if (rest.length > 8 || joining.test(rest[0] ?? '') || unclear.test(text)) return null
  if (/^how to$/i.test(`${first} ${rest[0]}`) && rest.length > 2)
    return `How do I ${rest.slice(1).join(' ')}?`
  const verb = object.test(rest.join(' ')) ? verbOf(first) : null
  return verb === null || rest.length < 2 ? null : `How do I ${verb} ${rest.join(' ')}?`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** A section that can answer. */
const LEAST_TOKENS = 40
/** A shorter question says too little, a longer one too much. */
const GOOD_WORDS = 7

/** Of one document. */
const MOST_OF_ONE = 4

/** At most `most` questions, taken from the folders in turn; of code only where no document gives any. */
export function proposeQuestions(reader: CorpusReader, most: number): Question[] {
  const judge = new LinkJudge(reader, [], new ServedSite(reader))
  const files = reader.files().sort((a, b) => b.rank - a.rank || (a.path < b.path ? -1 : 1))
  const isAsked = (file: FileRow): boolean =>
    (file.language === 'markdown' || textFence(file.path) !== 'text') && judge.isOwnDocument(file)
  const documents = files.filter(isAsked)
  const found = new Map<string, ProposedQuestion>()
  const take = (one: ProposedQuestion | undefined): void => {
    if (one !== undefined && found.size < most)
      found.set(one.question.toLowerCase(), found.get(one.question.toLowerCase()) ?? one)
  }
  const folders = [...Map.groupBy(documents, ({ path }) => folderOf(path)).values()]
  const ofDocument = remember((file: FileRow) => fromDocument(reader, file))
  const turns = Math.max(0, ...folders.map((folder) => folder.length))
  for (let nth = 0; nth < MOST_OF_ONE; nth++)
    for (let turn = 0; found.size < most && turn < turns; turn++)
      for (const file of folders.flatMap((folder) => folder[turn] ?? []))
        if (found.size < most) take(ofDocument(file)[nth])
  if (found.size === 0) for (const file of files) if (found.size < most) take(fromCode(reader, file))
  return [...found.values()].map(({ question, expected }, at) => ({
    id: `proposed-${at + 1}`,
    question,
    expectedContains: [],
    expectedDocs: [],
    expectedSections: [expected],
    forbiddenDocs: [],
  }))
}

/** Headings of a document and sentences like `Convert a time:`, the best first. */
function fromDocument(reader: CorpusReader, { id, path, title }: FileRow): ProposedQuestion[] {
  const lines = readText(reader, path).text.split('\n')
  const asking = reader
    .artifactsOf(id)
    .flatMap(({ id: expected, name, level, tokens, headings, lines: own }) => {
      if (level === 0 || tokens < LEAST_TOKENS || headings.some((one) => persons.test(one))) return []
      const sentences = lines
        .slice(own.start, own.end)
        .filter((line) => /^(?!An? |The )[A-Z][^.]{15,70}\w::?$/.test(line))
      const texts = [name, ...sentences.map((line) => line.replace(/(?<!:):+$/, ''))]
      const questions = texts.map((text) => makeQuestion(text, title)).filter((one) => one !== null)
      return questions.map((question) => ({ question, path, expected }))
    })
  const distance = ({ question }: ProposedQuestion): number =>
    Math.abs(question.split(' ').length - GOOD_WORDS)
  return asking.sort((a, b) => distance(a) - distance(b) || (a.expected < b.expected ? -1 : 1))
}

function fromCode(reader: CorpusReader, { id, path }: FileRow): ProposedQuestion | undefined {
  const isNamed = ({ kind, name }: ArtifactRow): boolean =>
    isCodeKind(kind) &&
    ['function', 'class'].includes(shapeOfKind(kind)) &&
    /^(?=\w*[a-z][A-Z_])[A-Za-z]\w{5,40}$/.test(name)
  const row = reader.artifactsOf(id).find(isNamed)
  return row && { question: `What does ${row.name} do?`, path, expected: row.id }
}
