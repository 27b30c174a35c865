// Does a text without a known extension read as prose? By the share of its lines that are sentences, without comments.

/** UTF-16 units that are examined. */
const WINDOW = 64 * 1024
/** Longer lines are cut. */
const LINE_WINDOW = 400
/** From this share of prose lines on, a text is prose; the rest is headings, lists and examples. */
const MIN_PROSE = 0.35
/** Largest share of lines in prose that look like code or settings. */
const MAX_CODE = 0.3
/** Above this share of comments, the text is code or commented configuration. */
const MAX_COMMENTS = 0.3
/** Minimum number of words in a prose line. */
const MIN_WORDS = 4

/** Lines that mark reStructuredText and AsciiDoc, and man pages, whose words are prose. */
const documentMark =
  /^(?:\.(?:TH|SH|SS|Dd|Dt|Sh|Ss)\b|'\\"|\.\\"|\.\. (?:_[\w .-]{1,100}:$|[a-z][\w:-]{1,40}::)|\[\[[\w.-]{1,100}\]\]$|(?:include|ifdef|ifndef)::\S)/
/** Other roff requests and markup blocks: neither prose nor code. */
const markup = /^(?:\.[A-Za-z]{1,3}\b|\.\. |:[\w-]+:|[=\-~^*+#_.]{3,}$|\[[\w", =%.-]+\]$|\+$|\S.*::$)/
/** `#!/bin/sh`, `# x`, `// x`, `/* x`, ` * x` after one of them, `; x`, `-- x`, `dnl x`, `% x`, `<!-- x`, `REM x`. */
const comment = /^(?:#(?:[\s#!]|$)|\/\/|\/\*|\*\/|;|--\s|dnl\b|%\s|<!--|REM\b|"\s)/
/** Marks of code: `x = y`, `f(`, `{`, `};`, `"key": …`, `<tag>`, `$x`, `a::b`, `->`. */
const code =
  /^#\w|[;{}\\]\s*$|^[<{}()[\]@$&|]|^"|[\w\])"']\s*(?::=|[+|&!<>=-]?=)\s*\S|\w\(\w*[,)]|->|=>|::\w|\$[\w{(]|<\/?\w+[ />]|&&|\|\|/
/** `Key: value`, as at the start of letters and some documents. */
const header = /^[A-Za-z][\w-]{0,30}:(?:\s|$)/
const letters = /[A-Za-z\u00c0-\u024f]{2,}/g
/** Letters of scripts that have no spaces or that code is not written in. */
const foreign = /[\u0370-\u1fff\u3040-\ud7af]/g

function isProse(line: string): boolean {
  const words = line.match(letters)?.length ?? 0
  if (words >= MIN_WORDS) {
    let others = 0
    for (let at = 0; at < line.length; at++) {
      const unit = line.charCodeAt(at)
      const isPlain = unit === 32 || (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit > 127
      if (!isPlain) others++
    }
    return others <= line.length * 0.25
  }
  return (line.match(foreign)?.length ?? 0) >= 8
}

/** Is this a rule below a title, of the title's length? */
function underlines(line: string, title: string): boolean {
  const room = line.length - title.length
  const isAsLong = line.length > 3 && room >= -2 && room <= 3
  return isAsLong && /^(?:=+|-+|~+|\^+|\++)$/.test(line) && /^[A-Z\d]/i.test(title)
}

/** The number of `Key: value` lines above the text. */
function endOfHeader(lines: readonly string[]): number {
  let at = 0
  while (header.test(lines[at] ?? '')) at++
  const end = lines[at]?.trim()
  return (end === '' || end === '---') && lines.slice(at).some((line) => line.trim().length > 3) ? at + 1 : 0
}

/**
 * Is this prose rather than code or configuration? Both are indexed; prose may refer to other documents.
 *
 * @example readsAsProse('Call before you visit.') // true
 */
export function readsAsProse(text: string): boolean {
  if (text.startsWith('#!')) return false
  let prose = 0
  let codeLines = 0
  let comments = 0
  let neutral = 0
  let marks = 0
  let inComment = false
  /** Inside triple quotes, which hold documentation in many languages. */
  let quoted = false
  let before = ''
  const lines = text.slice(0, WINDOW).split(/\r\n?|\n/)
  for (const raw of lines.slice(endOfHeader(lines))) {
    const line = raw.slice(0, LINE_WINDOW).trim()
    const title = before
    before = line
    if (line === '') continue
    if (quoted) {
      quoted = !line.includes('"""')
      comments++
    } else if (inComment || line.startsWith('/*')) {
      inComment = !line.includes('*/')
      comments++
    } else if (line.split('"""').length === 2) quoted = true
    else if (documentMark.test(line) || underlines(line, title)) marks++
    else if (markup.test(line)) neutral++
    else if (comment.test(line)) comments++
    else if (code.test(line)) {
      codeLines++
      if (isProse(line)) prose += 0.5
    } else if (isProse(line)) prose++
    else neutral++
  }
  if (marks > 0 && marks >= codeLines * 0.1 && comments <= marks) return true
  const others = prose + codeLines + neutral
  if (others === 0) return comments === 0
  if (comments > MAX_COMMENTS * (others + comments)) return false
  return codeLines <= MAX_CODE * others && (prose >= MIN_PROSE * others || (others < 4 && comments === 0))
}
