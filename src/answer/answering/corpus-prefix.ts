// What stands before the names of one corpus among several? Its own, so that their sources are told apart.

/** Before every path and id. Names of corpora have no slash. */
export const prefixOf = (corpus: string): string => `${corpus}/`
