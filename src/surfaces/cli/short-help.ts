// What does somebody see who types only `yore`? The three commands that one needs first.
import { operations } from '../operations.ts'

/** The text for standard output. */
export function shortHelp(): string {
  const { index, search, assemble } = operations
  return `yore finds what a question needs in a repository and writes it as one digest for an LLM.

  yore index                      ${firstSentence(index.summary)}
  yore search <words>             ${firstSentence(search.summary)}
  yore assemble "<question>"      ${firstSentence(assemble.summary)}

\`yore --help\` lists every command; \`yore <command> --help\` explains one.
`
}

function firstSentence(summary: string): string {
  return summary.split(/[;.]/, 1)[0]!
}
