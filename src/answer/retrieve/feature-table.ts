// What is each feature of a candidate worth, and when does it hold? One entry per feature: weight, name, condition.

import { roleWeights } from '../../corpus/graph/score-canonicality.ts'
import type { WordWindow } from '../../corpus/store/rows/section-words.ts'
import type { SignalPart, Signals } from '../../model/digest.ts'
import type { Intent } from '../../model/report.ts'
import type { ArtifactRow, FileRow } from '../../model/section.ts'
import type { FileEvidence } from './find-evidence.ts'
import { declaresOnly } from './match-names.ts'
import type { SectionRole } from './section-roles.ts'

/** A candidate as the second stage sees it, with the scores of its best fragment in the first stage. */
export interface FeatureInput
  extends Pick<ArtifactRow, 'name' | 'headings' | 'level' | 'lines' | 'tokens'>,
    Pick<FileRow, 'path' | 'title'>,
    Pick<Signals, 'relevance' | 'document' | 'vector'> {
  readonly kind: string
  /** The words of the text that matched best, a fragment and a little more. */
  readonly words: WordWindow
  /** That text; empty where no feature asks for it. */
  readonly text: string
  /** Release notes of a pre-release whose final release is among the candidates, too. */
  readonly isSuperseded: boolean
}

type Shares<Name extends string> = Readonly<Record<Name, number>>

/** Query terms in a name: their share of the question, weighted by IDF, and of the name. */
export type MatchedTerms = Shares<'recall' | 'precision'>

/** What is known of a candidate: every feature is computed from this. Numbers run from 0 to 1. */
export interface CandidateFacts {
  readonly input: FeatureInput
  readonly intent: ReadonlySet<Intent>
  readonly isCode: boolean
  /** A program, but neither a test nor an example: no generic text and no HTML page. */
  readonly isSource: boolean
  readonly shape: string
  readonly roles: readonly SectionRole[]
  /** Coverage of the question by the text: anywhere, within a window of lines, and as n-grams. */
  readonly text: Shares<'coverage' | 'together' | 'quoted'>
  readonly heading: MatchedTerms
  readonly outer: MatchedTerms
  readonly pathMatch: MatchedTerms
  /** Does it define, call or mention an identifier of the question? */
  readonly names: Shares<'defines' | 'mentions'>
  /** Does the question name its file, as a stack trace does, a line of it, or the part of the code that it belongs to? */
  readonly place: Shares<'file' | 'line' | 'scope'>
  /** Of code: share of the names of its file and folder that the question covers, and whether an identifier is the file's name. */
  readonly file: Shares<'name' | 'folder' | 'namesake'>
  /** Similarity above that of the last vector result. */
  readonly similarity: number
  /** What the candidates of its file say together. */
  readonly evidence: FileEvidence
  readonly tested: number
  readonly isNewest: boolean
}

interface Feature {
  /** In parts of the best relevance of the first stage: 0.5 lifts a candidate by half of what the best match is worth. */
  readonly weight: number
  /** Its name in explanations. */
  readonly label: string
  /** The intent that the question must have. */
  readonly when?: Intent | undefined
  /** How far it holds. */
  readonly of: (facts: CandidateFacts) => number
}

const defineFeatures = <Name extends string>(table: Readonly<Record<Name, Feature>>): typeof table => table

/** A feature that holds for sections of a role. */
const ofRole = (weight: number, role: SectionRole, when?: Intent): Feature => {
  const label = when === undefined ? role : `${when}: ${role}`
  return { weight, label, when, of: ({ roles }) => Number(roles.includes(role)) }
}

/** A feature of code, without HTML pages, for questions of an intent. */
const ofCode = (when: Intent, weight: number, label: string, of: Feature['of']): Feature => ({
  ...{ weight, label, when },
  of: (facts) => (facts.isCode && !facts.input.kind.startsWith('html_') ? of(facts) : 0),
})

const isSource = (facts: CandidateFacts): number => Number(facts.isSource)
/**
 * Fitted by `node lab/eval/fit-ranking.ts`, but for these, chosen or fitted on half A: `namesScope` on reports of bugs
 * (`lab/eval/field.ts localise`), `tested` and those of the caller's words on the real questions, those of topics on
 * code search (`lab/eval/field.ts codesearch`). Those of reports were set by hand (lab/records/2026-11-17-field.md).
 */
const features = defineFeatures({
  relevance: { weight: 1, label: 'relevance', of: ({ input }) => input.relevance },
  document: { weight: 0.12, label: 'document fits', of: ({ input }) => input.document },
  coverage: { weight: 0.31, label: 'words found', of: ({ text }) => text.coverage },
  together: { weight: 0.21, label: 'words close together', of: ({ text }) => text.together },
  quoted: { weight: 0.12, label: 'quoted', of: ({ text }) => text.quoted },
  heading: { weight: -0.09, label: 'heading', of: ({ heading }) => heading.recall },
  headingPrecision: { weight: 0.13, label: 'heading fits', of: ({ heading }) => heading.precision },
  outer: { weight: 0.06, label: 'outer headings', of: ({ outer }) => outer.recall },
  path: { weight: 0.11, label: 'path', of: ({ pathMatch }) => pathMatch.recall },
  namesFile: { weight: 0.15, label: 'names file', of: ({ place }) => place.file },
  namesLine: { weight: 0.3, label: 'names line', of: ({ place }) => place.line },
  namesScope: { weight: 0.4, label: 'names scope', of: ({ place }) => place.scope },
  imports: { weight: -0.21, label: 'imports', of: ({ shape }) => Number(shape === 'import') },
  genericText: { weight: 0.07, label: 'blind', of: ({ input }) => Number(input.kind === 'blind') },
  short: { weight: -0.12, label: 'short section', of: ({ input }) => Math.max(0, 1 - input.tokens / 40) },
  long: {
    weight: 0.21,
    label: 'long section',
    // The longest sections of generic text are schemas and data.
    of: ({ input }) => (input.kind === 'blind' ? 0 : Math.min(1, Math.log2(1 + input.tokens / 400) / 4)),
  },
  releaseNotes: ofRole(-0.46, 'release notes'),
  upgradeGuide: ofRole(-0.21, 'upgrade guide'),
  licence: ofRole(-0.36, 'licence'),
  tableOfContents: ofRole(-0.36, 'table of contents'),
  test: ofRole(roleWeights.test.section, 'test'),
  generated: ofRole(roleWeights.generated.section, 'generated'),
  vendored: ofRole(roleWeights.vendored.section, 'vendored'),
  example: ofRole(-0.23, 'example'),
  deprecated: ofRole(-0.27, 'deprecated'),
  superseded: {
    weight: roleWeights.superseded.section,
    label: 'superseded',
    of: ({ input }) => Number(input.isSuperseded),
  },
  codeOfPlace: { weight: 0.4, label: 'code: code', when: 'code', of: isSource },
  // Where code and a document fit alike, the document is written to be read; a report of a bug is about code.
  prose: {
    weight: 0.15,
    label: 'prose',
    of: ({ isCode, intent }) => Number(!isCode && !intent.has('report')),
  },
  codeOfReason: { weight: -0.19, label: 'reason: code', when: 'reason', of: isSource },
  notesOfVersion: ofRole(0.39, 'release notes', 'versions'),
  guideOfVersion: ofRole(0.26, 'upgrade guide', 'versions'),
  vector: { weight: 0.6, label: 'meaning', of: ({ similarity }) => similarity },
  tested: { weight: 0.15, label: 'its tests fit', of: ({ tested }) => tested },
  newestVersion: { weight: 0.1, label: 'newest version', of: ({ isNewest }) => Number(isNewest) },
})

/**
 * For a list of files, as `search` gives one: code is named after its subject. A document has a title, whose words count
 * already. Chosen on half A of `lab/eval/field.ts codesearch`, those of reports by hand (lab/records/2026-11-17-field.md).
 */
const fileFeatures = defineFeatures({
  codeOfReport: { weight: 0.3, label: 'report: code', when: 'report', of: isSource },
  fileOfReport: ofCode('report', 0.3, 'report: file name fits', ({ file }) => file.name),
  folderOfReport: ofCode('report', 0.3, 'report: folder fits', ({ file }) => file.folder),
  // Code is named after its subject. A document has a title, whose words count already.
  topicCode: ofCode('topic', 0.3, 'topic: code', () => 1),
  topicFile: ofCode('topic', 0.5, 'file name fits', ({ file }) => file.name),
  topicFolder: ofCode('topic', 0.3, 'folder fits', ({ file }) => file.folder),
  topicNamesake: ofCode('topic', 0.3, 'file of that name', ({ file }) => file.namesake),
  topicDefines: ofCode('topic', 0.25, 'topic: defines', ({ names }) => names.defines),
  topicSections: ofCode('topic', 0.4, 'many sections of the file', ({ evidence }) => evidence.sections),
  topicDepth: ofCode('topic', -0.5, 'deep folder', ({ evidence }) => evidence.depth),
  topicDeclares: ofCode('topic', -0.25, 'declarations', ({ input }) => Number(declaresOnly.test(input.path))),
})

export type FeatureName = keyof typeof features | keyof typeof fileFeatures
export type Features = Readonly<Record<FeatureName, number>>

export const featureTable: Readonly<Record<FeatureName, Feature>> = { ...features, ...fileFeatures }
const entries = Object.entries(featureTable) as [FeatureName, Feature][]

/** How far each feature of a candidate holds. */
export function readFeatures(facts: CandidateFacts): Features {
  const values = entries.map(([name, { when, of }]) => [
    name,
    when === undefined || facts.intent.has(when) ? of(facts) : 0,
  ])
  return Object.fromEntries(values) as Features
}

/** By these an answer is judged. */
export type SectionEvidence = Readonly<
  Record<'together' | 'heading' | 'defines' | 'mentions' | 'namesLine', number>
>

export const readEvidence = ({ text, heading, names, place }: CandidateFacts): SectionEvidence => ({
  together: text.together,
  heading: heading.recall,
  defines: names.defines,
  mentions: names.mentions,
  namesLine: place.line,
})

/** The features that count for questions with these intents, and for lists of files; all others are 0. */
export function featuresFor(
  intents: ReadonlySet<Intent>,
  { listsFiles, hasCode }: { readonly listsFiles: boolean; readonly hasCode: boolean },
): readonly Feature[] {
  const table: readonly Feature[] = Object.values(listsFiles ? featureTable : features)
  const isIn = ({ when }: Feature): boolean => when === undefined || intents.has(when)
  return table.filter((one) => isIn(one) && (hasCode || one !== features.prose))
}

/** Maximum number and minimum size of the parts that an explanation lists. */
const SHOWN_PARTS = 5
const SMALLEST_PART = 0.03

/** The weighted sum of a candidate's features, and its largest parts other than first-stage relevance. */
export function weighFeatures(facts: CandidateFacts, counted: readonly Feature[]) {
  let worth = 0
  const parts: SignalPart[] = []
  for (const feature of counted) {
    const effect = feature.weight * feature.of(facts)
    worth += effect
    if (Math.abs(effect) >= SMALLEST_PART && feature !== features.relevance)
      parts.push({ name: feature.label, effect })
  }
  parts.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.name < b.name ? -1 : 1))
  return { worth: Math.max(0, worth), parts: parts.slice(0, SHOWN_PARTS) }
}
