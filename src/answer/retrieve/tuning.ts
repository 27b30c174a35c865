// Which numbers decide the ranking? Each with its unit and effect, where it was fitted, and the command that fits it again.
//
// Fitted means: by the command that is named, on half A of the evaluation sets. The others were set by hand; records of
// docs/decisions are named where they say why. What a change does shows in `npm run eval -- --half A` and
// `node lab/eval/real.ts --half A`. Features of the second stage have their weights in
// feature-table.ts, names in questions theirs in src/corpus/resolve/question.
import { defaultSettings } from '../../model/config/settings.ts'

/**
 * BM25, for fragments and for whole documents; weights of fields count occurrences in the body as 1. `k1`: how fast
 * term frequency saturates; `b`: length normalisation, 0 to 1; `documentShare`: the document's part of a fragment's
 * score (record 0007 compares them with those of FTS5).
 */
export const BM25 = {
  k1: 2.4,
  b: 0.5,
  documentK1: 1.6,
  documentB: 0.5,
  headingWeight: 2,
  titleWeight: 2,
  pathWeight: 1,
  documentShare: 0.15,
} as const

/** Candidates of the first stage from BM25 and from vectors, each. */
export const FRAGMENTS = 300
/** Weight of vector similarity in the fused relevance of the first stage, 0 to 1: a setting, whose default was chosen on five sets (record 0015). */
export const VECTOR_WEIGHT: number = defaultSettings['embedding.weight']
/** Share of the document's best similarity in that of a fragment, 0 to 1. */
export const DOCUMENT_SIMILARITY = 0.3
/**
 * Noise floor of vector search, which always returns something: where no text has a term of the question, a similarity
 * up to this is chance. The built-in model puts unrelated texts at 0 ± 0.1 (cosine, measured). Between this and the
 * threshold the cascade says that the threshold was lowered.
 */
export const SIMILAR_ALONE = 0.1

/** Difference of two scores that decides which section leads, and nothing else. */
export const LEAD = 1e-6
/** Factor for a fragment without the quoted words. */
export const WITHOUT_PHRASE = 0.4
/** Added to what lies in the folder `near`, in parts of the best relevance: less than a file that the question names. */
export const NEAR = 0.1
/** Minimum confidence to filter the search by a named document, and to boost it. */
export const certain = 0.9
export const likely = 0.6
/** Added for a document that the question may name, in parts of a relevance, times the confidence. */
export const NAMED_BOOST = 0.5
/** Minimum cosine of a section without a term of the question. For the built-in model. */
export const SIMILARITY_THRESHOLD = 0.35

/** Sections of the first stage that the second one weighs (record 0025). */
export const CANDIDATES = 160
/** Share of the question, weighted by IDF, from which on the name of a file counts in full: `web` is little of a long question. */
export const NAMED_SHARE = 0.1
/** Weight of a word that no fragment has, as a share of the largest: `authentication` may still be the file `auth`. */
export const UNKNOWN_WORD = 0.5
/** Folders below the shallowest candidate, and sections of one file among the candidates, from which on more change nothing. */
export const DEEP_FOLDERS = 5
export const MANY_SECTIONS = 31
/** Lines within which the words of a question count as standing together. */
export const WINDOW_LINES = 6
/** Length of the n-grams of the question that are looked for, and the number of words above which a longer one adds nothing. */
export const QUOTED_WORDS = 3
export const LONG_QUOTE_WORDS = 7
/**
 * A literal of the question leads over all other sections. Unless it is quoted, it has at least `words` (all of a
 * shorter question) and `weight` (sum of IDF; `rarity` × the logarithm of the number of fragments where that is less;
 * half where it is half of the question).
 * It is all of what is quoted, this share of a string or of a line of the text that has `content` words other than stop
 * words, or too long for chance. One in more `places`
 * does not lead; from `alike` of the best weight on, it counts as the same. Texts of `checked` sections are read. Chosen
 * on half A of `node lab/eval/messages.ts`.
 */
export const LITERAL = {
  words: 4,
  weight: 8,
  rarity: 1.2,
  share: 0.75,
  content: 3,
  longWords: 7,
  longWeight: 24,
  alike: 0.97,
  places: 5,
  quotes: 4,
  checked: 12,
  questionWords: 400,
  lineChars: 1_000,
} as const
/**
 * A text of several lines and at least `words` is a report. Weights of the terms of its lines: of the `title`, of one that
 * names a `failure`, of `code`; prose has 1. A term that is `repeated` gains this part for each doubling of its count. The
 * heaviest `terms` are searched, and the heaviest `covered` ones are all that a section can cover. Set by hand; a few
 * values were compared on half A of `node lab/eval/field.ts swebench`.
 */
export const REPORT = {
  words: 30,
  title: 2,
  failure: 1.5,
  code: 0.5,
  repeated: 0.25,
  terms: 96,
  covered: 20,
} as const

/** Maximum of a caller's words, and of its names. */
export const MOST_CALLER_WORDS = 12
/** First sections that the question finds alone: a word that they have fits the question. */
export const OWN_SECTIONS = 10
/**
 * A list of words is used where this sum, times the share of its words that some text has, passes `from`: its cosine
 * with the question, the share of its words that the question's own first sections have, and the share that occurs
 * together in the section that it leads to. Logistic regression on half A and the fit part of held/, with right words
 * against those of another package and of the next question; `from` is where right lists are kept.
 */
export const WORDS_FIT = {
  withMeaning: { similarity: 13, near: 3.3, together: 1.5, from: 2.7 },
  byWords: { similarity: 0, near: 11, together: 1.5, from: 1.8 },
} as const

/** Top candidates by which the answer is judged. */
export const ANSWER_SECTIONS = 5

/**
 * Logistic regression on half A of the real questions without words, with right ones and with those of other questions,
 * of pasted messages bare, behind a log prefix and inside a sentence, of questions asked of another package and of
 * unanswerable ones; right is a digest of 4,000 tokens with half of what is needed. One for questions with a vector, one
 * for words alone.
 */
export const withMeaning = {
  bias: -6.77,
  together: 5.63,
  asked: 2.73,
  caller: 1.47,
  words: 3.24,
  vector: 2.61,
  defines: 3.57,
  exact: 1.9,
  noName: -0.57,
}
export const byWords = {
  bias: -5.68,
  together: 5.62,
  asked: 3.45,
  caller: 1.96,
  words: 3.33,
  vector: 0,
  defines: 3.63,
  exact: 1.82,
  noName: -0.73,
}
/** Words of a question from which on more say nothing about its answer. */
export const MANY_WORDS = 8
/** The score is multiplied by this for each key word of the question that no document has. */
export const MISSING_WORD = 0.6
/** Minimum score where a message of the code is found: of 366 replies on half A and B where a text was found, 361 are right. */
export const FOUND_MESSAGE = 0.9
/** Minimum scores of the labels, chosen on half A, each package judged by weights of the others. */
export const VERDICT_FROM = { high: 0.75, medium: 0.45, low: 0.15 } as const
