// What does somebody see whose question finds no index? Progress from the first second, a question when it takes long, and what was built.
import type { FirstUse } from '../../config/engine-options.ts'
import { confirmed, note } from './attend-call.ts'
import { formatBytes, formatMany } from './format-numbers.ts'
import { printable } from './printable.ts'
import { openProgressLine } from './progress.ts'
import { isQuiet } from './terminal.ts'

/** For one command; `root` is told to those who are asked. */
export function attendFirstUse(root: string): FirstUse {
  const progress = openProgressLine(isQuiet() ? { write: () => {} } : process.stderr, () => performance.now())
  let isTold = false
  return {
    onProgress: (step) => {
      if (!isTold) note(`no index of ${printable(root)} yet: building one`)
      isTold = true
      progress.report(step)
    },
    onEnded: (report) => {
      progress.clear()
      if (report === null) return
      const seconds = (report.milliseconds / 1000).toFixed(1)
      note(
        `indexed ${formatMany(report.files, 'file')} in ${seconds} s; later questions read only what changed`,
      )
      for (const notice of report.notices) note(printable(notice))
    },
    confirm: ({ files, bytes }) => {
      progress.clear()
      return confirmed(`Index ${formatMany(files, 'file')} (${formatBytes(bytes)}) now?`)
    },
  }
}
