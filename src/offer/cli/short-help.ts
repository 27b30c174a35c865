// What does `yore` alone print? The first commands that a user needs.

/** The text for standard output, at most 80 columns wide. */
export function shortHelp(): string {
  return `yore finds what a question needs in a repository and writes it as one digest.

  yore assemble "<question>"   the digest, with the source of every line
  yore search <words>          the sections that match, best first
  yore outline                 a map of the repository; of a file, its parts
  yore ask "<question>"        an answer by an LLM of your choice

The first one builds an index of this folder; later ones read only what changed.
\`yore --help\` lists every command; \`yore <command> --help\` explains one.
`
}
