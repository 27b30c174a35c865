// Which numbers decide what is selected and how it fits? Each with its unit and effect, and where it was chosen.
//
// None is fitted by a program. Where a set or a record in docs/decisions is named, it was chosen by the figures of half A
// before and after: real questions by `node lab/eval/real.ts --half A`, raydocs by `npm run eval -- --set raydocs --half A`
// and `node lab/eval/misses.ts`. The others were set by hand; a change of any shows in the same commands.

// Selection

/**
 * Maximum tokens of a section's text: 400 or this share of the budget, whichever is larger; of the best section 1,600.
 * Longer ones are cut to what matches. Real questions and raydocs (record 0026). A report needs whole functions: half A
 * of `node lab/eval/field.ts contextbench`.
 */
export const SECTION_TOKENS = { most: 400, share: 0.1, best: 1600 } as const
export const REPORT_SECTION_TOKENS = { ...SECTION_TOKENS, most: 1000 } as const
/** Share of the budget that one section may take in the first pass; truncated ones get what is left at the end. */
export const SECTION_SHARE = 0.35
/** Minimum tokens of a truncated section: less is not worth its source line. */
export const SMALLEST_PART = 60
/** Minimum tokens where pieces are truncated: about a sentence. */
export const SMALLEST_CUT = 20
/** Minimum relevance of a match that may represent its section, as a share of the best match's. */
export const NEARLY_AS_GOOD = 0.8
/** Default limit of sections: the larger of `LEAST_SECTIONS` and one per `TOKENS_PER_SECTION` of the budget. */
export const LEAST_SECTIONS = 20
export const TOKENS_PER_SECTION = 250
/**
 * Where a digest ends. `share`: the minimum score of a section, as a share of the best, once `tokens` of sections match;
 * before, from `first` of it on, in proportion. `overviewShare`: the same for a question after an overview, which needs
 * many sources. A confidence below `weakFrom` takes as large a share of the budget, or of `weakTokens` if that is more,
 * as it is of `weakFrom`, to the power of `weakPower`. `followed` and `followedTokens`: maximum tokens of
 * followed references and surrounding sections, as a share of the found text, and at least. Real questions.
 */
export const ENDING = {
  share: 0.65,
  first: 0.6,
  tokens: 2_500,
  overviewShare: 0.5,
  weakTokens: 8_000,
  weakFrom: 0.3,
  weakPower: 2,
  followed: 0.15,
  followedTokens: 600,
}
/** Limits of a digest when nothing answers: the nearest places only. Real questions. */
export const NEAREST = { tokens: 600, sections: 3, leastScore: 0 } as const
/** Minimum lines of a table of contents, and minimum share of them that points into the same document. */
export const CONTENTS_ENTRIES = 4
export const CONTENTS_SHARE = 0.8

// Expansions

/** Minimum relevance of a section to be expanded by relations of code, as a share of the best. */
export const ORIGIN_RELEVANCE = 0.3
/** … of the target of a plain link: on half A of raydocs no recall is lost from here on (record 0014). */
export const LINK_RELEVANCE = 0.8
/** … of a section whose references are followed, and which is expanded by its parent and siblings. */
export const FOLLOW_RELEVANCE = 0.5
/** Maximum relevance of a section's own text, as a share of the best, to leave it to a better section's reference. */
export const CITED_RELEVANCE = 0.5
/** Share of the budget for parents and siblings of found sections. Real questions (record 0014). */
export const FAMILY_SHARE = 0.1
/** Minimum budget, in tokens, to reserve that share; below, they get what primary text and references leave. */
export const FAMILY_RESERVE_TOKENS = 4_000
/** Maximum tokens of a parent or sibling: a longer one is cut to its opening lines. */
export const FAMILY_SECTION_TOKENS = 120
/** Siblings of one section that are proposed, the nearest ones. */
export const NEAREST_SIBLINGS = 6
/** Minimum lexical score of a link's target document, as a share of the best document's. */
export const DOCUMENT_RELEVANCE = 0.35
/** Maximum tokens of a definition that is expanded whole; a longer one is cut to its signature (record 0014). */
export const WHOLE_DEFINITION_TOKENS = 120
/** Share of the expansion budget for used code, unless the question names the code that uses it (record 0014). */
export const CODE_SHARE: number = 1 / 3
/** Artifacts that a reference to a whole file of code is expanded to. */
export const PIECES_OF_FILE = 2
/** Minimum budget, in tokens, to expand also references of unquoted sections of the leading document. Raydocs, eips. */
export const WHOLE_LEAD_TOKENS = 4_000
/** Minimum characters of the top section to show before references give way. */
export const REFERENCES_YIELD_CHARS = 400

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
/** Rounds of rendering and counting; twice as many while nothing fits. */
export const FIT_ROUNDS = 8
/** Fill of the budget above which fitting ends, and below which pieces are truncated. */
export const FULL_ENOUGH = 0.985
export const WELL_FILLED = 0.92
/** Tokens that a number in a digest takes at most. */
export const NUMBER_TOKENS = 4
/** Shares of the budget that lists of an explanation in JSON take. */
export const DROPPED_SHARE = 0.1
export const UNRESOLVED_SHARE = 0.05
