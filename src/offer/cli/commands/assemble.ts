// How is a digest printed or written? `yore assemble`: to standard output, a file or the clipboard; notes to standard error.
import path from 'node:path'
import { formatCount, formatQuantity } from '../../../model/format-numbers.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, questionCommand } from '../command.ts'
import { corpusOptions, exitCode, json, nothingFound, now, refresh } from '../options.ts'
import { note, noteFreshness, out } from '../terminal.ts'

export const command: Command = questionCommand(
  {
    ...operations.assemble,
    details: [
      'The budget is a hard cap on everything that is printed. The same index, question and time give identical output.',
    ],
    options: {
      ...operations.assemble.options,
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
      'yore assemble "How do I deploy a new service?"',
      'yore assemble "How do I deploy a new service?" -o context.md',
      'yore assemble "How do I deploy a new service?" --max-tokens 2000 --layout full',
      'yore assemble "Which retry semantics hold?" --format json',
      'yore assemble "What does the release need?" --kind docs --since v1.2.0',
      'yore assemble "calls hang forever, how do they give up?" --words "timeout, deadline" --names requestTimeout',
    ],
  },
  async ({ input: given, indexDir, root, workspace, use, now }) => {
    const input = given.json ? { ...given, format: 'json' as const } : given
    const file = input.output === undefined ? null : path.resolve(process.cwd(), input.output)
    const writing = file === null ? null : await import('../write-output.ts')
    if (file !== null) writing?.refuseIndexFile(indexDir, file)
    const result = await use(async (engine) => {
      if (file !== null)
        await writing?.refuseSourceFile(engine, { root, members: workspace?.members ?? [] }, file)
      return engine.assemble(input.question, input)
    })
    if (file === null) out(result.output)
    else {
      writing?.writeOutput(file, result.output)
      const size = `${formatQuantity(result.tokensUsed, 'token')} of ${formatCount(input.maxTokens)}`
      note(`wrote ${input.output} (${size}, ${formatQuantity(result.digest.sectionsSelected, 'section')})`)
    }
    noteFreshness(result.freshness, now)
    if (input.explain && input.format === 'markdown')
      process.stderr.write(`${result.explanation.trimEnd()}\n`)
    const { label } = result.digest.confidence
    return input.exitCode && label === 'no match' ? nothingFound : 0
  },
)
