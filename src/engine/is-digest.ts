// Did yore write this text? A digest quotes the corpus, so it is no part of it.

/** By the first lines of a digest, as `yore assemble --output` writes it in Markdown or JSON. */
export function isDigest(text: string): boolean {
  const start = text.slice(0, 2000)
  if (start.startsWith('# Context Digest for: "')) return start.includes('\n**Token Budget:** ')
  return start.startsWith('{\n"schemaVersion":') && start.includes('\n"tokenBudget":')
}
