// Which numbers decide what a question names? The confidence of each kind of name was set by hand and measured
// (lab/records/2026-11-16-names-in-questions.md); the weights are fitted by the commands below.

/** Minimum confidence to filter the search by a named document. */
export const certain = 0.9

/** Minimum confidence for a boost; also the confidence of each candidate of a tie. */
export const likely = 0.6

/** Confidence by kind of name. Other names get the fitted probability of `rank-names.ts`. */
export const confidences = {
  /** A path, or a file's name with its extension. */
  path: 1,
  /**
   * A decision id: in one file name or frontmatter; in one title; in several, of which one name is a prefix of the
   * others.
   */
  id: { name: 1, title: 0.95, main: 0.9 },
  /** "The X paper" where X is authors or a year, or both, of one document. */
  author: 0.95,
  /** "The X page": X is the title or file name of one document, and no other has that name. */
  title: 0.92,
  quoted: 0.92,
  /** "The second one", "that page"; "both", "those documents". */
  pointedAt: 0.95,
  pointedAtSeveral: 0.9,
  /** "What does it say"; "it" with a verb that is not typical of documents. */
  saidByIt: 0.9,
  it: 0.7,
  /** A title without a form such as "page": of several words; of one rare word; of one common word. */
  bareWords: 0.75,
  bareWord: 0.65,
  bareCommon: 0.5,
  /** An author with a year; an author alone, if nothing else is asked or the name is capitalised. */
  bareCitation: 0.85,
  bareAuthor: 0.75,
} as const

/** Upper bounds of confidence. */
export const ceilings = {
  /** "A retry guide" asks whether one exists. */
  indefinite: 0.8,
  /** One word that is neither title nor file name. */
  thin: 0.85,
  /** Words that also link to other documents; words of fewer than five links. */
  contested: 0.85,
  linked: 0.89,
} as const

/** Scores closer than this are a tie: a tenth of the weight of an exact title. */
export const tie = 0.15
/** Minimum share of a mention, by inverse document frequency, in a document's names. */
export const minCover = 0.5
/** Minimum links with the same text for a certain link text. */
export const sureUses = 5
/** Documents that may share a single word in a name before it is too common. */
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
 * Fitted on the same half: is the first of the ranking right? The fitted bias is -2.586; it is raised so that a quarter
 * of half A reaches 0.9. Precision there is 0.979 on half A and 0.927 on half B.
 */
export const leadWeights = {
  bias: -2.32,
  lead: 0.7,
  margin: 1.234,
  words: 0.217,
  title: 0.544,
  cover: 1.147,
} as const
