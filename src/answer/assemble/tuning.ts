// Which numbers decide what is selected and how it fits? Each with its unit and effect, and where it was chosen.
//
// None is fitted by a program. Where a set or a record in docs/decisions is named, it was chosen by the figures of half A
// before and after: real questions by `node lab/eval/real.ts --half A`, raydocs by `npm run eval -- --set raydocs --half A`.
// The others were set by hand; a change of any shows in the same commands.

// Sections

/**
 * How fast the chance that a section is needed falls with its score: e to the power of −CHANCE × (1 − score / best).
 * Real questions, half A: of sections at .9 of the best score half as many are needed as of the best.
 */
export const CHANCE = 7
/**
 * Tokens of a section's head: `most` or this `share` of the budget, whichever is larger; of the first section the share
 * `lead`. A section up to `whole` tokens and that share, or the share `code`, is completed before less likely ones are opened.
 */
export const SECTION_TOKENS = { most: 400, share: 0.1, lead: 0.35, whole: 1500, code: 0.8 } as const
/** Tokens of the lines that several looked-up sections begin a digest with, before any of them is completed. */
export const LOOKED_UP_TOKENS = 300
/** A report needs whole functions: half A of `node lab/eval/field.ts contextbench`. */
export const REPORT_SECTION_TOKENS = { ...SECTION_TOKENS, most: 1000 } as const
/** Share of its tokens that the first section spends around its best match before further matches. */
export const LEAD_WINDOW = 0.6
/** Minimum score of a heading without text, as a share of the best, to give way to the sections below it. */
export const LEAD_CHANCE = 0.9
/** Authority below which a document does not lead while another scores at least this share of it (record 0006). */
export const STALE_BELOW = 0.5
export const STALE_YIELDS = 0.9
/** Minimum tokens of a truncated section: less is not worth its source line. */
export const SMALLEST_PART = 60
/** Minimum relevance of a match that may represent its section, as a share of the best match's. */
export const NEARLY_AS_GOOD = 0.8
/** Default limit of sections: the larger of `LEAST_SECTIONS` and one per `TOKENS_PER_SECTION` of the budget. */
export const LEAST_SECTIONS = 20
export const TOKENS_PER_SECTION = 250
/**
 * Where a digest ends: the minimum score of a section, as a share of the best; `overview` for a question after an
 * overview, which needs many sources; `cited` for a section that a better one cites, which the reference shows otherwise.
 * Below `tokens` of sections it takes `first` of that score. A `medium` and a `low` confidence get at most as many
 * tokens. Real questions, half A.
 */
export const ENDING = {
  share: 0.7,
  overview: 0.5,
  cited: 0.75,
  tokens: 600,
  first: 0.6,
  medium: 2_500,
  low: 800,
} as const
/**
 * One-line pointers to what is not quoted: how many, their tokens as a share of the budget and at most, and the budget
 * from which on there are any. A pointer has about `chars` characters, about 25 tokens; of its best line `leastChars` or none.
 */
export const POINTERS = {
  most: 12,
  share: 0.16,
  tokens: 240,
  chars: 100,
  leastChars: 20,
  readLines: 200,
  from: 1000,
} as const
/** Limits of a digest when nothing answers: the nearest places only. Real questions. */
export const NEAREST = { tokens: 800, sections: 3, leastScore: 0 } as const
/** Minimum lines of a table of contents, and minimum share of them that points into the same document. */
export const CONTENTS_ENTRIES = 4
export const CONTENTS_SHARE = 0.8

// Expansions

/** Minimum relevance of the target of a plain link, as a share of the best: on half A of raydocs no recall is lost from here on (record 0014). */
export const LINK_RELEVANCE = 0.8
/** … of a section whose references are followed, and which is expanded by its parent and siblings. */
export const FOLLOW_RELEVANCE = 0.5
/** Share of the budget for parents and siblings of found sections while others want it (record 0014). */
export const FAMILY_SHARE = 0.1
/** Maximum tokens of a parent or sibling: a longer one is cut to its opening lines. */
export const FAMILY_SECTION_TOKENS = 120
/** How likely an expansion is needed, in parts of the chance of the section that leads to it; `halved`: the rank at which it is half as likely. */
export const EXPANSION_GAIN = { reference: 0.9, family: 0.1, halved: 20 } as const
/** Siblings of one section that are proposed, the nearest ones. */
export const NEAREST_SIBLINGS = 6
/** Minimum lexical score of a link's target document, as a share of the best document's. */
export const DOCUMENT_RELEVANCE = 0.35
/** Minimum budget, in tokens, to expand also references of unquoted sections of the leading document. Raydocs, eips. */
export const WHOLE_LEAD_TOKENS = 4_000

// Passages and cuts

/** Lines up to this many tokens are truncated only if there is no other way. */
export const SHORT_LINE_TOKENS = 40
/** Characters from which on a line is split into segments, and of a segment, about a sentence. */
export const LONG_LINE_CHARS = 200
export const SEGMENT_CHARS = 160
/** Tokens of a mark of omitted lines and of the line range in the source. */
export const GAP_TOKENS = 24

// Fitting

/** Budget, in tokens, from which on the layout is full by default (record 0026). */
export const FULL_LAYOUT = 3000
/** Budget, in tokens, below which parts of the frame are omitted even in the full layout. */
export const WHOLE_FRAME = 600
/** Maximum share of the frame in such a budget. */
export const FRAME_SHARE = 0.25
/** Minimum characters of the top section to show before parts of the frame give way. About 60 tokens. */
export const FRAME_YIELDS_CHARS = 240
/** Tokens that a number in a digest takes at most. */
export const NUMBER_TOKENS = 4
/** Shares of the budget that lists of an explanation in JSON take. */
export const DROPPED_SHARE = 0.1
export const UNRESOLVED_SHARE = 0.05
