// How sure is each way of naming a document? One table; from 0.9 a caller may filter by the document, from 0.6 boost it.

/** A caller may confine the search to what is named with at least this. */
export const certain = 0.9

/** From here on it prefers it; several that words may mean alike count as this likely each, and none is certain. */
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
} as const

/** What a way may have at most. */
export const ceilings = {
  /** "A retry guide" asks whether there is one. */
  indefinite: 0.8,
  /** One word that is neither title nor file name. */
  thin: 0.85,
  /** Words that link to other documents too; words that fewer than five links use. */
  contested: 0.85,
  linked: 0.89,
} as const
