// Which intents does a question have? Code, a guide, a reason, an option, an error: classified by its words, with the words that show it.
import type { Intent, QueryAnalysis } from '../../model/report.ts'

const intents: readonly Intent[] = [
  'code',
  'callers',
  'task',
  'reason',
  'option',
  'error',
  'name',
  'overview',
  'versions',
  'topic',
]

/** The cue words of each intent. Each pattern is linear, and is tried on bounded text. */
const patterns: Readonly<Partial<Record<Intent, RegExp>>> = {
  code: /\bwhere(?:abouts)?\b|\b(?:which|what|in what) (?:files?|code|functions?|methods?|class|modules?|package|part of the code|line|place)\b|\b(?:find|show|see|look (?:at)|point me to) (?:me )?(?:the |where |which )?(?:exact )?(?:\w+ )?(?:code|functions?|methods?|class|check|place|spot|implementation|source|generator)\b|\b(?:the )?code (?:that|which|for|where|path)\b|\bimplement(?:ed|ation|s)\b|\bin the (?:code|source)\b|\bsource (?:code|file)\b/i,
  callers:
    /\bwho (?:else )?(?:calls?|uses?|invokes?|imports?)\b|\b(?:which|what) \w{1,30} (?:calls?|uses?|invokes?|imports?) |\b(?:callers?|call sites?|usages?|users) of\b|\bwhat (?:calls|uses|invokes)\b|\bwhere (?:is|are|does|do) .{1,60} (?:called|used|invoked)\b/i,
  task: /\bhow (?:do|can|to|would|should|could|might) ?(?:i|we|you|one)?\b|\b(?:i|we)(?:'d| would)? (?:want|need|like|have to|wish)\b|\bis there (?:a|an|some|any) (?:way|possibility)\b|\b(?:configure|set ?up|enable|disable|turn (?:on|off)|install|deploy|build)\b|\b(?:best|right|proper|\w+) way to\b|^(?:add|allow|change|configure|create|define|disable|enable|generate|limit|make|put|replace|run|send|set|show|skip|spin up|start|stop|turn|use|write) /i,
  reason:
    /\bwhy\b|\bhow come\b|\b(?:what(?:'s| is) the |the )(?:reason|reasoning|rationale|point|motivation)\b|\b(?:intentional|deliberate|on purpose|by design|supposed to)\b/i,
  option:
    /\b(?:options?|flags?|settings?|knobs?|switch|parameters?|arguments?|env(?:ironment)? var(?:iable)?s?|config(?:uration)? (?:keys?|values?))\b|\bdefaults? (?:value|limit|timeout|size|to)\b|\bthe default\b|(?:^|\s)--[a-z]/i,
  error:
    /\b\w*(?:Error|Exception)\b(?:[:[(]|$)|(?:^|\s)\[?(?:error|ERROR|fatal|FATAL|panic|warning|failed|exception)\b ?[:[(\]]|\bTraceback\b|^[ \t]*at \S+ \(?\S*:\d+|"(?:level|error|status)":|\b(?:error message|stack ?trace|throws?|crash(?:es|ed)?|blows up)\b/m,
  overview:
    /\bwalk me through\b|\bend to end\b|\boverview\b|\barchitecture\b|\bhow (?:does|do|is|are) .{2,80}\b(?:work|works|fit together|interact|handled internally|get from)\b|\bexplain how\b|\bbig picture\b|\binternally\b/i,
  versions:
    /\b(?:change ?logs?|release notes?|breaking changes?|deprecat\w+)\b|\b(?:which|what|since (?:which|what)) (?:versions?|releases?)\b|\bwhat(?:'s| is| has| was)? (?:new|changed)\b|\bsince when\b|\b(?:what|which) (?:\w+ )?(?:replace[sd]|superseded)\b|\breplacements? (?:for|of)\b|\b(?:upgrad|migrat)(?:e|ing|ion) (?:from|to|guide|notes|path)\b|\b(?:added|removed|introduced|changed|fixed) in (?:v|version |release )?\d/i,
}

/** Each match of a pattern has one of these. To compile a pattern takes longer than to look for them. */
const cues: Readonly<Partial<Record<Intent, string>>> = {
  code: 'where code function method class module package line place file check spot implement source generator',
  callers: 'call use invoke import usage',
  reason: 'why come reason rationale point motivation intentional deliberate purpose design supposed',
  option: 'option flag setting knob switch parameter argument env config default --',
  error: 'error exception fatal panic warning failed traceback stack throw crash blows :',
  overview: 'walk end overview architecture work together interact internally get explain picture',
  versions:
    'change release breaking deprecat version new since replace supersede upgrad migrat added removed introduced fixed',
}

function isShown(intent: Intent, text: string): boolean {
  const lower = text.toLowerCase()
  const hasCue = cues[intent]?.split(' ').some((cue) => lower.includes(cue)) ?? true
  return hasCue && patterns[intent]?.test(text) === true
}

/** Characters; a longer question is a pasted log, of which only the two ends are classified. */
const ENDS = 1_500

const endsOf = (text: string): string =>
  text.length <= 2 * ENDS ? text : `${text.slice(0, ENDS)}\n${text.slice(-ENDS)}`

/** Signs of more than a subject: a question, a request, or a function call. */
const asksOrWants =
  /[?\n]|\(\)|\b(?:i|we|my|our|me|us|you|your|what|whats|which|why|when|where|who|please)\b|^(?:find|show|list|explain|describe|tell|give) /i
/** A longer text than this many words tells more than a subject. */
const TOPIC_WORDS = 14

/** `session management`, `how routes are matched`, `ClientSession`: a subject, and no question, task or message. */
function isTopic(question: string, found: ReadonlySet<Intent>): boolean {
  if (['callers', 'task', 'reason', 'overview'].some((intent) => found.has(intent as Intent))) return false
  const text = question.trim()
  return !asksOrWants.test(text) && text.split(/\s+/, TOPIC_WORDS + 1).length <= TOPIC_WORDS
}

/** Of a report only whether it shows an error: in a long text, cues of the other intents are chance. */
export const readReportIntents = (report: string): Intent[] =>
  patterns.error?.test(endsOf(report)) === true ? ['error', 'report'] : ['report']

/** Maximum number of words, as in "what does X do" or "explain X". */
const FEW_WORDS = 4

/** The intents of a question: several may hold at once, or none. */
export function readIntents(
  question: string,
  analysis: Pick<QueryAnalysis, 'identifiers' | 'names' | 'terms'>,
): Intent[] {
  const text = endsOf(question)
  const found = new Set<Intent>()
  for (const intent of intents) if (isShown(intent, text)) found.add(intent)
  const names = analysis.identifiers.length + analysis.names.length
  const words = analysis.terms.filter(({ word }) => !word.includes(' ')).map(({ word }) => word)
  if (names > 0 && new Set(words).size <= FEW_WORDS && !found.has('error')) found.add('name')
  if (found.has('callers')) found.delete('code')
  if (found.has('overview')) found.delete('task')
  if (isTopic(text, found)) found.add('topic')
  return intents.filter((intent) => found.has(intent))
}
