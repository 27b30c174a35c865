// What does somebody see who types only `yore`? The commands that one needs first.
import { operations } from '../operations.ts'

/** The text for standard output. */
export function shortHelp(): string {
  const { search, assemble, outline } = operations
  return `yore finds what a question needs in a repository and writes it as one digest for an LLM.

  yore assemble "<question>"   ${firstSentence(assemble.summary)}
  yore search <words>          ${firstSentence(search.summary)}
  yore outline                 ${firstSentence(outline.summary)}

The first one builds an index of this folder; later ones read only what changed.
\`yore --help\` lists every command; \`yore <command> --help\` explains one.
`
}

function firstSentence(summary: string): string {
  return summary.split(/[;.]/, 1)[0]!
}
