// Who uses a piece of code or a document, and what does it use? `yore uses`.
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { showReport } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    ...operations.uses,
    details: [
      'Name code as Task.cancel, src/task.py#Task.cancel or src/task.py:42, a document by its path. A class includes its methods, a file everything in it; documents that name code count as users.',
    ],
    options: { ...operations.uses.options, refresh, ...corpusOptions, json },
    examples: ['yore uses Task.cancel', 'yore uses src/task.py --direction callers --depth 3'],
  },
  async ({ input, now, useAt }) =>
    showReport(input, now, await useAt(input.name, (engine, name) => engine.uses(name, input))),
)
