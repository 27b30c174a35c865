// What does a pasted report say? Lines of an issue, a log or a long message, each with its weight; boilerplate is ignored.
import { REPORT } from './tuning.ts'

export interface ReportLine {
  readonly text: string
  readonly weight: number
  /** Part of a code sample, by the language of its fence or the prompt before it. */
  readonly isSample: boolean
}

/** Times of day with or without a date, and hashes and ids in hexadecimal: of a pasted log, and in no document. */
const passing =
  /(?:\b\d{4}[-/]\d\d[-/]\d\d[T ]|\b)\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z\b|[+-]\d\d:?\d\d\b)?|\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{12,64}\b/g
/** Names of fields that log lines are made of: `"level":`, `msg=`. */
const logField =
  /"(?:t|ts|time|timestamp|level|lvl|severity|caller|logger|msg|message|error|errorType|err|status|statusCode|code|method|path|pid|hostname|stack|stacktrace)":|\b(?:ts?|time|timestamp|level|lvl|severity|caller|logger|msg|err|status|method|path|pid)=/g

/** Words of which headings of templates are made: a line of these alone says nothing. */
const templateWords: ReadonlySet<string> = new Set(
  'a actual additional and any behavior behaviour brief bug bugfix change checklist code command context correct configuration current dependencies describe description desired detail details did do environment example expect expected feature fix happened how info information instructions is issue issues log logs mcve minimal motivation no notes observed of or os output platform possible problem proposed related report reproduce reproducer reproducible reproduction response result results sample screenshot screenshots see short solution steps suggested summary system the this to traceback used version versions what you your'.split(
    ' ',
  ),
)
const environmentWord = /\b(?:environment|versions?|system|platform|os)\b/i
const TEMPLATE_WORDS = 7
/** A section about the environment is ignored up to the next heading. */
const ENVIRONMENT_WORDS = 4
const marked = /^(?:#{1,6} |\*\*.{1,60}\*\*:?$)/
/** Lines that tick boxes, greet and thank, sign and close, or name versions. */
const idle: readonly RegExp[] = [
  /^(?:[-*] )?\[[ xX]\]/,
  /^(?:hi|hello|hey|dear|thanks?|thank you|cheers|regards)\b.{0,40}$/i,
  /^(?:(?:signed-off|co-authored|reviewed)-by:|(?:fix(?:e[sd])?|close[sd]?|refs?|resolve[sd]?|see):? #\d)/i,
  /^(?:[-*] )?[\w .()/+-]{1,40}(?: ?[:=]{1,2} ?| )v?\d{1,4}\.\d[\w.+-]{0,30}(?:[\s,(].{0,120})?$/,
  /^(?:[-*] )?(?:\*\*)?(?:os|operating system|platform|browser|python|node|npm|machine|executable)(?:\*\*)?(?: version)?:.{0,100}$/i,
]
const failure =
  /\b\w{0,60}(?:Error|Exception|Warning)\b ?:|^(?:E |error|fatal|panic|thread '[^']{1,40}' panicked)\b/i
const code = /^(?: {4}|\t|>>> |\.\.\. |\$ |In \[\d|Traceback \(| {2}File ")/
const fence = /^(?:```|~~~)/
/** Fences with a language, other than those of logs and terminals. */
const sampleFence =
  /^(?:```|~~~) ?(?!(?:te?xt|plain\w{0,9}|console|sh|bash|shell|zsh|logs?|output|pytb|traceback|diff)\b)[a-z]/i
const prompt = /^(?:>>>|\.\.\.) /

function withoutComments(text: string): string {
  let said = ''
  let at = 0
  for (let from = text.indexOf('<!--'); from >= 0; from = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', from)
    said += text.slice(at, from)
    if (end < 0) return said
    at = end + 3
  }
  return said + text.slice(at)
}

/** A question without what every log has. */
export const withoutLogFrame = (text: string): string => text.replace(passing, ' ').replace(logField, ' ')

/** The lines of a report that say something; null for a text that is short or has one line. */
export function readReport(text: string): ReportLine[] | null {
  if (!text.trim().includes('\n') || text.split(/\s+/, REPORT.words).length < REPORT.words) return null
  const lines: ReportLine[] = []
  let [isFenced, isSample, isEnvironment] = [false, false, false]
  for (const line of withoutComments(text).split('\n')) {
    const own = line.trim()
    if (fence.test(own)) {
      isFenced = !isFenced
      isSample = isFenced && sampleFence.test(own)
      continue
    }
    const words = own.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const isTemplate = words.length <= TEMPLATE_WORDS && words.every((word) => templateWords.has(word))
    if (!isFenced && (marked.test(own) || (isTemplate && words.length > 0)))
      isEnvironment = marked.test(own) && words.length <= ENVIRONMENT_WORDS && environmentWord.test(own)
    if (isEnvironment || isTemplate || idle.some((pattern) => pattern.test(own))) continue
    const weight = weighLine(line, { isFirst: lines.length === 0, isFenced })
    lines.push({ text: line, weight, isSample: isSample || prompt.test(own) })
  }
  return lines.length === 0 ? null : lines
}

function weighLine(line: string, { isFirst, isFenced }: { isFirst: boolean; isFenced: boolean }): number {
  const isCode = isFenced || code.test(line)
  if (isFirst && !isCode) return REPORT.title
  if (failure.test(line.trim())) return REPORT.failure
  return isCode ? REPORT.code : 1
}
