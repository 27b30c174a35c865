// Which numbers decide what a question names? How sure each way of naming is, and the weights of names; the ways were set by
// hand and measured one by one (lab/records/2026-11-16-names-in-questions.md), the weights are fitted by the command beside them.

/** Minimum confidence to filter the search by a named document. */
export const certain = 0.9

/** Minimum confidence for a boost; also the confidence of each candidate of a tie. */
export const likely = 0.6

/** By the way in which words name a document. What no way decides has the fitted chance of `rank-names.ts`, from 0 to 1. */
export const confidences = {
  /** A path, or a file's name with its extension. */
  path: 1,
  /** A decision id: in one file name or frontmatter; in one title; in several of which one names starts all others. */
  id: { name: 1, title: 0.95, main: 0.9 },
  /** "The X paper" where X is authors or a year, or both, of one document. */
  author: 0.95,
  /** "The X page": X is the title or file name of one document, and no other is called so in any way. */
  title: 0.92,
  quoted: 0.92,
  /** "The second one", "that page", "both": of the last answer; several documents at once; of an older answer. */
  pointedAt: 0.95,
  pointedAtSeveral: 0.9,
  pointedAtEarlier: 0.75,
  /** "What does it say"; "it" with a verb that documents do not do. */
  saidByIt: 0.9,
  it: 0.7,
  /** A title without any form such as "page": of several words; of one that few documents have; of a common one. */
  bareWords: 0.75,
  bareWord: 0.65,
  bareCommon: 0.5,
  /** An author with a year; an author alone, where nothing else is asked or a capital marks the name. */
  bareCitation: 0.85,
  bareAuthor: 0.75,
} as const

/** Upper bounds of confidence. */
export const ceilings = {
  /** "A retry guide" asks whether there is one. */
  indefinite: 0.8,
  /** One word that is neither title nor file name. */
  thin: 0.85,
  /** Words that link to other documents too; words that fewer than five links use. */
  contested: 0.85,
  linked: 0.89,
} as const

/** Scores of the ranking of names that are closer than this are a tie: a tenth of what an exact title is worth. */
export const tie = 0.15
/** Share of a mention, by inverse document frequency, that a document's names must hold: with less it means something else. */
export const minCover = 0.5
/** Links by the same words from which on a link text may be certain. */
export const sureUses = 5
/** Documents that may have a single word in a name before it is too common to name one of them. */
export const maxSharing = 3

/** Fitted on half A of eval/k8sdocs (`node lab/eval/question-references.ts --fit`): a conditional logit, no weight below 0. */
export const rankingWeights = {
  title: 0.253,
  stem: 0.914,
  heading: 1.14,
  headingCover: 0.534,
  link: 0.982,
  linkCover: 0.916,
  folderCover: 0.835,
  cover: 2.133,
  headings: 0.678,
  inbound: 0.422,
  own: 0.44,
  phrase: 1.276,
  headingShare: 0.498,
  titleShare: 1.236,
  joint: 1.692,
  jointCover: 1.593,
} as const

/**
 * Fitted likewise, on the same half: is the first of the ranking the right one? The fitted bias is -2.586; raised so that
 * 0.9 is reached by a quarter of half A. Measured there, precision 0.979; on half B 0.927, so 0.9 is not quite 0.97.
 */
export const leadWeights = {
  bias: -2.32,
  lead: 0.7,
  margin: 1.234,
  words: 0.217,
  title: 0.544,
  cover: 1.147,
} as const
