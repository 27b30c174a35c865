// Which paths do the ignore files exclude? git's rules, with `.yoreignore` above every `.gitignore`.
import ignore, { type Ignore } from 'ignore'

/**
 * The rules that apply in one folder. Later rules win, so the order is: `.git/info/exclude`, each `.gitignore` from
 * the top down, each `.yoreignore` from the top down, the caller's own patterns.
 */
export interface IgnoreRules {
  readonly fromGit: readonly Ignore[]
  readonly fromYore: readonly Ignore[]
  readonly fromCaller: readonly Ignore[]
  /** All of the above as one list; null without any rule. */
  readonly matcher: Ignore | null
}

export const noRules: IgnoreRules = { fromGit: [], fromYore: [], fromCaller: [], matcher: null }

/** Longer patterns are refused: compiling one takes more than linear time. */
const MAX_PATTERN_LENGTH = 1024
/** Each `**` between slashes multiplies the ways to match a path; three are still fast at the greatest depth. */
const MAX_DOUBLE_STARS = 3

/** Adds the rules of an ignore file; returns the line numbers of refused patterns, which could be slow. */
export function addIgnoreText(
  rules: IgnoreRules,
  source: { readonly origin: 'git' | 'yore' | 'caller'; readonly folder: string; readonly text: string },
): { readonly rules: IgnoreRules; readonly refused: readonly number[] } {
  const added: Ignore[] = []
  const refused: number[] = []
  source.text.split('\n').forEach((line, index) => {
    const pattern = scopePattern(index === 0 ? line.replace(/^\ufeff/, '') : line, source.folder)
    if (pattern === null) return
    const rule = compileRule(pattern)
    if (rule === null) refused.push(index + 1)
    else added.push(rule)
  })
  if (added.length === 0) return { rules, refused }
  const { fromGit, fromYore, fromCaller } = rules
  const next = {
    fromGit: source.origin === 'git' ? [...fromGit, ...added] : fromGit,
    fromYore: source.origin === 'yore' ? [...fromYore, ...added] : fromYore,
    fromCaller: source.origin === 'caller' ? [...fromCaller, ...added] : fromCaller,
  }
  const matcher = newIgnore().add([...next.fromGit, ...next.fromYore, ...next.fromCaller])
  return { rules: { ...next, matcher }, refused }
}

/** Is this path ignored? `path` is relative to the top of the checkout; no folder above it may be ignored. */
export function isIgnored(rules: IgnoreRules, path: string, kind: 'file' | 'directory'): boolean {
  if (rules.matcher === null) return false
  return rules.matcher.test(kind === 'directory' ? `${path}/` : path).ignored
}

/** Case matters, as in git on Linux, so that every machine indexes the same files. */
const newIgnore = (): Ignore => ignore({ ignoreCase: false })

function compileRule(pattern: string): Ignore | null {
  if (pattern.length > MAX_PATTERN_LENGTH) return null
  if (pattern.split('**/').length - 1 > MAX_DOUBLE_STARS) return null
  try {
    const rule = newIgnore().add(pattern)
    rule.test('x') // Compiles the pattern now, so that one which cannot be compiled is refused here.
    return rule
  } catch {
    return null
  }
}

// Rewrites a pattern from `folder` relative to the top: in `a/b`, `/x` becomes `/a/b/x`, and `*.log`
// becomes `/a/b/` + `**/*.log`. Null for blank lines and comments.
function scopePattern(line: string, folder: string): string | null {
  const pattern = line.endsWith('\r') ? line.slice(0, -1) : line
  if (pattern === '' || pattern.startsWith('#')) return null
  const negated = pattern.startsWith('!')
  const body = negated ? pattern.slice(1) : pattern
  const length = lengthWithoutTrailingSpaces(body)
  if (/^[/ ]*$/.test(body)) return null
  if (folder === '') return pattern

  const slash = body.indexOf('/')
  const anchored = slash >= 0 && slash < length - 1
  const below = slash === 0 ? body.slice(1) : body
  return `${negated ? '!' : ''}/${escapeFolder(folder)}/${anchored ? '' : '**/'}${below}`
}

function lengthWithoutTrailingSpaces(body: string): number {
  let length = body.length
  while (length > 0 && body[length - 1] === ' ') length--
  return length
}

/** A pattern that re-includes exactly one folder, relative to the top: an explicit request outranks any rule. */
export const reincludeFolder = (folder: string): string => `!/${escapeFolder(folder)}/`

const escapeFolder = (folder: string): string => folder.replace(/[\\*?[\]!# ]/g, '\\$&')
