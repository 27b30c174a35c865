// What is in this file? One door to the parser of each language; it answers for any input.
import type { ParsedDocument } from '../../model/artifact.ts'
import { boundMentions, isOversized } from './bound-rows.ts'
import { type FindTool, noTool, parseCode } from './code/parse-code.ts'
import type { MentionOptions } from './markdown/find-mentions.ts'
import { parseMarkdown } from './markdown/parse-markdown.ts'
import type { ParsableFile } from './parsable-file.ts'
import { parseBlind, parseText } from './text/parse-text.ts'

/**
 * Parses a file, deterministically, and never throws: what its parser refuses is read as plain text, and so is
 * code whose rows would outgrow it.
 */
export function parseDocument(
  file: ParsableFile,
  options: Partial<MentionOptions> = {},
  toolFor: FindTool = noTool,
): ParsedDocument {
  const document = parseLanguage(file, options, toolFor)
  const mentions = boundMentions(document.mentions, file.text.length)
  return mentions === document.mentions ? document : { ...document, mentions }
}

function parseLanguage(
  file: ParsableFile,
  options: Partial<MentionOptions>,
  toolFor: FindTool,
): ParsedDocument {
  if (file.language === 'text') return parseText(file, options)
  if (file.language === 'generic') return parseBlind(file, options)
  try {
    if (file.language === 'markdown') return parseMarkdown(file, options, toolFor)
    const code = parseCode(file, toolFor(file), options)
    return isOversized(code, file.text.length) ? parseBlind(file, options) : code
  } catch {
    return file.language === 'markdown' ? parseText(file, options) : parseBlind(file, options)
  }
}
