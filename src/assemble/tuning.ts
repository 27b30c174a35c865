// Which numbers decide what is selected and how it fits? Each with its unit and effect, and where it was chosen.
//
// None is fitted by a program. Where a set or a record in docs/decisions is named, it was chosen by the figures of half A
// before and after: real questions by `node eval/real.ts --half A`, raydocs by `npm run eval -- --set raydocs --half A`
// and `node eval/misses.ts`. The others were set by hand; a change of any shows in the same commands.

// Selection

/** Share of the budget that one section may take at first; what is left over at the end goes to the cut ones. */
export const SECTION_SHARE = 0.35
/** Tokens: a smaller part of a section says too little to be worth its frame, unless it is all of it. */
export const SMALLEST_PART = 60
/** Tokens of the least part where pieces are cut: about a sentence. */
export const SMALLEST_CUT = 20
/** A match of this share of the best one's relevance may stand for the section. */
export const NEARLY_AS_GOOD = 0.8
/** The limit of sections where none is given: so many, or one for so many tokens of the budget. */
export const LEAST_SECTIONS = 20
export const TOKENS_PER_SECTION = 150
/** In parts of the best score: a digest ends where sections score less. Real questions. */
export const LEAST_SCORE = 0.4
/** What is shown where nothing answers: the nearest places and no more. Real questions. */
export const NEAREST = { tokens: 600, sections: 3, leastScore: 0 } as const
/** What an answer takes that may be there only in part: this share of the budget, and no less than so many tokens. Real questions. */
export const DOUBTFUL = { share: 0.25, tokens: 2_000 } as const
/** A list of fewer lines is no table of contents, nor one of which a smaller share leads elsewhere in the document. */
export const CONTENTS_ENTRIES = 4
export const CONTENTS_SHARE = 0.8

// What comes along

/** In parts of the best relevance: what a section needs before anything comes along with it. */
export const ORIGIN_RELEVANCE = 0.3
/** … what the target of a mere link needs: on half A of raydocs nothing is lost from here on (record 0014). */
export const LINK_RELEVANCE = 0.8
/** … what a section needs before its parent explains it. */
export const FAMILY_RELEVANCE = 0.5
/** In parts of the best document's score: documents with less are not looked into. */
export const DOCUMENT_RELEVANCE = 0.35
/** Tokens of a definition that comes along whole; of a longer one its signature does (record 0014). */
export const WHOLE_DEFINITION_TOKENS = 120
/** Share of the room for references that used code takes, unless the question names the code that uses it (record 0014). */
export const CODE_SHARE: number = 1 / 3
/** Pieces that a path in a document stands for. */
export const PIECES_OF_FILE = 2
/** Tokens of a budget from which on what the leading document names elsewhere may come along. Raydocs, eips. */
export const WHOLE_LEAD_TOKENS = 4_000
/** Characters of the best section: with fewer of them shown, references give their room back. */
export const REFERENCES_YIELD_CHARS = 400

// Passages and cuts

/** A neighbour whose score is so many times higher opens a passage of its own, unless what leads to it has fewer lines. */
export const MUCH_BETTER = 1.4
export const SHORT_LEAD_LINES = 8
/** Tokens of a line that is kept whole where it can be. */
export const SHORT_LINE_TOKENS = 40
/** Characters from which on a line is divided, and of about a sentence. */
export const LONG_LINE_CHARS = 200
export const SEGMENT_CHARS = 160
/** Tokens that a mark of lines left out takes, with the lines after it in the source; in JSON it is two numbers and a string. */
export const GAP_TOKENS = 24
export const GAP_TOKENS_JSON = 8

// Fitting

/** Tokens from which on a digest explains itself, unless it is told what to do (record 0026). */
export const FULL_LAYOUT = 3000
/** Tokens below which even a layout that was asked for sheds parts of its frame. */
export const WHOLE_FRAME = 600
/** Share of the budget that the frame is shed to, below the full layout. */
export const FRAME_SHARE = 0.25
/** Characters of the best section: with fewer of them shown, the frame is shed. About 60 tokens. */
export const FRAME_YIELDS_CHARS = 240
/** Rounds of rendering and counting; twice as many while nothing fits. */
export const FIT_ROUNDS = 8
/** Share of the budget above which nobody gains by another round, and below which pieces are cut. */
export const FULL_ENOUGH = 0.985
export const WELL_FILLED = 0.92
/** Tokens that a number in a digest takes at most. */
export const NUMBER_TOKENS = 4
/** Shares of the budget that lists of an explanation in JSON take. */
export const DROPPED_SHARE = 0.1
export const UNRESOLVED_SHARE = 0.05
