// How long is a text for a model? The port, and the estimate; the exact counter is in o200k.ts.

/** Says how many tokens a text takes. The same text always gives the same number. */
export type TokenCounter = (text: string) => number

/**
 * A quarter of the length, rounded up: needs no table, fits English prose, too low for tables and CJK.
 *
 * @example
 * estimateTokens('How do I deploy?') // 4
 */
export const estimateTokens: TokenCounter = (text) => Math.ceil(text.length / 4)
