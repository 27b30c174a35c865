// Which sections say the same in different documents? Shared runs of words, sampled to find pairs and counted in full to judge them.
//
// No library: sampling the runs whose hash divides by a constant finds all copies and nearly all near-copies (the share
// of sampled runs that two texts have in common estimates that of all runs), and each pair found is then counted exactly.
import type { ArtifactRow, FileRow } from '../model/section.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { textSum } from '../store/row-sum.ts'
import type { HealthFinding } from './health-rules.ts'

/** Words in a run. Shorter ones are shared by chance. */
const RUN = 5
/** One run of so many is looked up. */
const SAMPLED = 4
/** Shorter sections are alike by nature: a command with a sentence before it. */
const LEAST_WORDS = 60
/** Of the runs of both, so many are common to near-duplicates. */
const ALIKE = 0.8
/** What stands in more places than these is a form that is filled in, and no copy. */
const MOST_PLACES = 6
const fence = /^ *(?:```|~~~)/
/** Ways on are listed alike at the end of many pages. */
const linkLine = /^ *[-*+] *\[.*$/gm
/** Texts that are repeated on purpose. */
const repeated = /licen[cs]e|copying|notice|changelog|changes|release|template|archetypes/i

/** Each must be whole by itself. */
const manualPage = /\.[1-9]$/

interface Section {
  readonly file: FileRow
  readonly row: ArtifactRow
  readonly sample: ReadonlySet<number>
}

/** Lists of flags and examples are alike wherever a program prints them. */
function withoutCode(text: string): string {
  let isCode = false
  const isProse = (line: string): boolean => {
    const isFence = fence.test(line)
    if (isFence) isCode = !isCode
    return !isFence && !isCode
  }
  return text.split('\n').filter(isProse).join('\n')
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[._][\p{L}\p{N}]+)*/gu) ?? []
}

/** The hash of each run, from those of its words. */
function runsOf(words: readonly string[]): Set<number> {
  const hashes = words.map((word) => textSum(word))
  const runs = new Set<number>()
  for (let at = 0; at + RUN <= words.length; at++) {
    let run = 0
    for (let next = at; next < at + RUN; next++)
      run = Math.imul(run ^ (hashes[next] as number), 0x9e3779b1) ^ (run >>> 15)
    runs.add(run >>> 0)
  }
  return runs
}

function countShared(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0
  for (const run of a) if (b.has(run)) shared++
  return shared
}

const version =
  /(?<=^|[/._-])(?:v?\d+(?:[._]\d+)*(?:(?:alpha|beta|rc)\d*)?|next|latest|stable|legacy)(?=[/._-])/gi

/** Folders of versions hold the same pages on purpose, and so do pages named by their version. */
export function isOfAnotherVersion(a: string, b: string): boolean {
  const versionsIn = (path: string): string => (path.match(version) ?? []).join(' ')
  return versionsIn(a) !== versionsIn(b)
}

/** `docs/de/guide.md` and `docs/fr/guide.md`. */
function isTranslationOf(a: string, b: string): boolean {
  const general = (path: string): string => path.replaceAll(/(?<=^|\/)[a-z]{2}(?:-[a-z]{2,4})?(?=\/)/gi, '*')
  return general(a) === general(b)
}

export function findDuplicates(reader: CorpusReader, documents: readonly FileRow[]): HealthFinding[] {
  const read = (row: ArtifactRow): string =>
    withoutCode(reader.text(row.rowId).text.replace(/^#[^\n]*\n/, '')).replaceAll(linkLine, '')
  const sections = documents
    .filter(({ path }) => !repeated.test(path) && !manualPage.test(path))
    .flatMap((file) =>
      reader
        .artifactsOf(file.id)
        .filter(({ tokens }) => tokens >= LEAST_WORDS)
        .flatMap((row): Section[] => {
          const words = wordsOf(read(row))
          if (words.length < LEAST_WORDS) return []
          const sample = [...runsOf(words)].filter((run) => run % SAMPLED === 0)
          return [{ file, row, sample: new Set(sample) }]
        }),
    )
  const judge = (a: Section, b: Section): boolean => {
    const [first, second] = [runsOf(wordsOf(read(a.row))), runsOf(wordsOf(read(b.row)))]
    const shared = countShared(first, second)
    return shared / (first.size + second.size - shared) >= ALIKE
  }
  const groups = groupAlike(sections, judge).flatMap((group) => withoutVersions(group))
  const alone = groups.flatMap((group) => findContradiction(group, read))
  const copies = groups.filter((group) => findContradiction(group, read).length === 0)
  return [...alone, ...describeCopies(copies)]
}

/** Of a group, what is neither a version nor a translation of its first. */
function withoutVersions(group: readonly Section[]): (readonly [Section, ...Section[]])[] {
  const [first, ...rest] = group
  if (first === undefined || group.length > MOST_PLACES) return []
  const others = rest.filter(
    ({ file }) =>
      !isOfAnotherVersion(first.file.path, file.path) && !isTranslationOf(first.file.path, file.path),
  )
  return others.length === 0 ? [] : [[first, ...others]]
}

const place = ({ file, row }: Section): string => `${file.path}:${row.lines.start}`
const relate = ({ file, row }: Section): { path: string; line: number } => ({
  path: file.path,
  line: row.lines.start,
})

function findContradiction(
  [first, other, ...more]: readonly [Section, ...Section[]],
  read: (row: ArtifactRow) => string,
): HealthFinding[] {
  if (other === undefined || more.length > 0) return []
  const differing = differingNumbers(wordsOf(read(first.row)), wordsOf(read(other.row)))
  if (differing === null) return []
  return [
    {
      rule: 'contradicting-copy',
      ...relate(first),
      message: `says ${differing[0]} where ${place(other)} says ${differing[1]} in the same text`,
      fix: 'Find out which number holds, keep that text, and link to it from the other place',
      related: [relate(other)],
    },
  ]
}

/** One finding for the same documents, however many of their sections are alike. */
function describeCopies(groups: readonly (readonly [Section, ...Section[]])[]): HealthFinding[] {
  const byDocuments = Map.groupBy(groups, (group) =>
    [...new Set(group.map(({ file }) => file.path))].join('\0'),
  )
  return [...byDocuments.values()].flatMap((alike): HealthFinding[] => {
    const [group] = alike
    if (group === undefined) return []
    const [first, ...others] = group
    const what = alike.length === 1 ? `“${first.row.name}”` : `${alike.length} sections`
    return [
      {
        rule: 'near-duplicate',
        ...relate(first),
        message: `${what} nearly word for word in ${others.map(place).join(', ')}, too`,
        fix: 'Keep the text in one document and link to it from the others',
        related: alike.flatMap(([, ...rest]) => rest.map(relate)),
      },
    ]
  })
}

/** Sections that are alike, each with all that are like it. */
function groupAlike(sections: readonly Section[], isAlike: (a: Section, b: Section) => boolean): Section[][] {
  const holders = new Map<number, number[]>()
  for (const [at, { sample }] of sections.entries())
    for (const run of sample) {
      const held = holders.get(run)
      if (held === undefined) holders.set(run, [at])
      else held.push(at)
    }
  const grouped = new Set<number>()
  const groups: Section[][] = []
  for (const [at, section] of sections.entries()) {
    if (grouped.has(at)) continue
    const shared = new Map<number, number>()
    for (const run of section.sample)
      for (const other of holders.get(run) ?? [])
        if (other > at && !grouped.has(other)) shared.set(other, (shared.get(other) ?? 0) + 1)
    const alike = [...shared]
      .filter(([other, count]) => {
        const found = sections[other] as Section
        return (
          found.file.id !== section.file.id &&
          count >= Math.max(section.sample.size, found.sample.size) * (ALIKE - 0.3) &&
          isAlike(section, found)
        )
      })
      .map(([other]) => other)
      .sort((a, b) => a - b)
    if (alike.length === 0) continue
    for (const other of [at, ...alike]) grouped.add(other)
    groups.push([at, ...alike].map((other) => sections[other] as Section))
  }
  return groups
}

/** The numbers in which two texts differ that are alike in all other words. */
function differingNumbers(a: readonly string[], b: readonly string[]): [string, string] | null {
  if (a.length !== b.length) return null
  const pairs = a.flatMap((word, at): [string, string][] => (word === b[at] ? [] : [[word, b[at] as string]]))
  const [first] = pairs
  if (first === undefined || pairs.length > 3) return null
  return pairs.every(
    ([one, two]) => /^v?\d[\d.]*[a-z%]{0,3}$/.test(one) && /^v?\d[\d.]*[a-z%]{0,3}$/.test(two),
  )
    ? first
    : null
}
