// How is a digest printed or written? `yore assemble`: to standard output or a file; a question without a command gets a preview on a terminal.
import path from 'node:path'
import { formatCount, formatQuantity } from '../../../model/format-numbers.ts'
import { toggle } from '../../operations/operation.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { outPalette } from '../format.ts'
import { corpusOptions, exitCode, json, nothingFound, now, refresh } from '../options.ts'
import { freshnessNote, hasQuietFlag, note, noteFreshness, out, outWidth, say } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    ...operations.assemble,
    details: [
      'The budget is a hard cap on everything that is printed. The same index, question and time give identical output.',
      'A quoted question without `assemble` shows the best passages on a terminal; a pipe and `--output` get the digest.',
    ],
    options: {
      ...operations.assemble.options,
      all: toggle('With --explain: everything, in more than 60 lines.'),
      output: {
        type: 'file',
        short: 'o',
        value: 'path',
        help: 'File to write.',
        otherwise: 'standard output',
      },
      refresh,
      ...corpusOptions,
      now,
      exitCode,
      json,
    },
    examples: [
      'yore assemble "calls hang forever, how do they give up?" --words "timeout, deadline" --names requestTimeout',
      'yore assemble "How do I deploy a new service?"',
      'yore assemble "How do I deploy a new service?" -o context.md',
      'yore assemble "How do I deploy a new service?" --max-tokens 2000 --layout full',
      'yore assemble "Which retry semantics hold?" --format json',
      'yore assemble "What does the release need?" --kind docs',
    ],
  },
  async ({ input: given, indexDir, root, use, now }, request) => {
    const input = given.json ? { ...given, format: 'json' as const } : given
    const asked = ['output', 'format', 'layout', 'json'].some((name) => Object.hasOwn(request.given, name))
    const preview =
      request.isBare && !asked && process.stdout.isTTY ? await import('../print-preview.ts') : null
    const file = input.output === undefined ? null : path.resolve(process.cwd(), input.output)
    const writing = file === null ? null : await import('../write-output.ts')
    if (file !== null) writing?.refuseIndexFile(indexDir, file)
    const { result, uses } = await use(async (engine) => {
      if (file !== null) await writing?.refuseSourceFile(engine, root, file)
      const asked = preview === null ? input : { ...input, explain: true }
      const result = await engine.assemble(input.question, asked)
      const used = preview === null ? undefined : result.digest.confidence.usesOf
      const uses =
        used === undefined ? null : await engine.uses(used, { direction: 'callers' }).catch(() => null)
      return { result, uses }
    })
    if (file === null && preview === null) out(result.output)
    if (file !== null) {
      writing?.writeOutput(file, result.output)
      const size = `${formatQuantity(result.tokensUsed, 'token')} of ${formatCount(input.maxTokens)}`
      note(`wrote ${input.output} (${size}, ${formatQuantity(result.digest.sectionsSelected, 'section')})`)
    }
    if (preview === null) noteFreshness(result.freshness, now)
    if (input.explain && input.format === 'markdown') say(result.explanation.trimEnd())
    // Last, where the eye is.
    if (preview !== null) {
      const height = process.stdout.rows || 24
      const note = hasQuietFlag() ? null : freshnessNote(result.freshness, now)
      out(preview.printPreview(result, { palette: outPalette(), width: outWidth(), height, note, uses }))
    }
    const { label } = result.digest.confidence
    return input.exitCode && label === 'none' ? nothingFound : 0
  },
)
