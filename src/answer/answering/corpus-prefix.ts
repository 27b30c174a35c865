// How are sources of several corpora distinguished? The name of the corpus is a prefix of paths and ids.

/** Names of corpora have no slash. */
export const prefixOf = (corpus: string): string => `${corpus}/`
