// Can a reader's program be made to fetch something by an answer? Links, images and tags that no source has are taken out.
import { readTarget, runAt, type SourceLinks, trailing, urlStart } from './source-links.ts'

interface StrippedText {
  readonly text: string
  /** What was taken out, shortened. */
  readonly removed: readonly string[]
}

const gone = '(link removed)'

/**
 * The text without links that the sources do not have. It works on characters, not on a parsed page, so that it does
 * not matter which renderer shows the answer, and it treats code like prose.
 */
export function stripLinks(text: string, sources: SourceLinks): StrippedText {
  const removed: string[] = []
  const remove = (what: string): string => {
    removed.push(what.length > 200 ? `${what.slice(0, 197)}...` : what)
    return gone
  }
  const steps = [hideEntities, breakDefinitions, stripTargets, hideTags, stripUrls]
  const stripped = steps.reduce((rest, step) => step(rest, sources, remove), text)
  return { text: stripped, removed }
}

type Step = (text: string, sources: SourceLinks, remove: (what: string) => string) => string

const harmlessEntities: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'nbsp'])

/** An address may be spelt with entities; without their `&` they are only letters. */
const hideEntities: Step = (text) =>
  text.replace(/&(#?\w{1,40});/g, (whole, name: string) =>
    harmlessEntities.has(name) ? whole : `&amp;${name};`,
  )

/** `[label]: target` at the start of a line defines a link; with a blank before the colon it does not. */
const breakDefinitions: Step = (text) => {
  let result = ''
  let last = 0
  let open = -1
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\') at++
    else if (char === '[') open = at
    else if (char === ']') {
      if (open >= 0 && text.charAt(at + 1) === ':' && startsLine(text, open)) {
        result += `${text.slice(last, at + 1)} `
        last = at + 1
      }
      open = -1
    }
  }
  return result + text.slice(last)
}

/** Are there only marks of quotes and lists before it in the line? */
function startsLine(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[\s>*+\-\d.)]*$/.test(text.slice(start, at))
}

/** A target that no source has goes; what cannot be read as a link is kept from being one. */
const stripTargets: Step = (text, { targets, urls }, remove) => {
  let result = ''
  let at = 0
  for (;;) {
    const next = text.indexOf('](', at)
    if (next < 0) return result + text.slice(at)
    const read = readTarget(text, next + 2)
    if (read === null) {
      result += `${text.slice(at, next)}] (`
      at = next + 2
    } else if (targets.has(read.target) || urls.has(read.target)) {
      result += text.slice(at, read.end)
      at = read.end
    } else {
      result += `${text.slice(at, next)}] ${remove(read.target)}`
      at = read.end
    }
  }
}

/** Marks such as `**.` that may follow an address without a blank. */
const fewMarks = 3
const delimiter = /^[&.,;:!?'"`)\]}([{*_~|\\]/

const stripUrls: Step = (text, { urls }, remove) => {
  let result = ''
  let at = 0
  const start = new RegExp(urlStart)
  for (;;) {
    start.lastIndex = at
    const found = start.exec(text)
    if (found === null) return result + text.slice(at)
    result += text.slice(at, found.index)
    const run = runAt(text, found.index)
    const known = knownPrefix(run, urls)
    if (known === null) {
      const address = run.replace(trailing, '')
      result += remove(address)
      at = found.index + Math.max(1, address.length)
    } else {
      const rest = run.slice(known.length)
      // What follows directly could be read as more of the address; a few marks with a blank behind them end it.
      const isEnd = rest === '' || /^\s?$/.test(text.charAt(found.index + run.length))
      result += isEnd && rest.length <= fewMarks && rest.replace(trailing, '') === '' ? known : `${known} `
      at = found.index + known.length
    }
  }
}

/** The longest address of the sources that the run starts with, when it ends there or at a delimiter. */
function knownPrefix(run: string, urls: ReadonlySet<string>): string | null {
  let best: string | null = null
  for (const url of urls) {
    if (!run.startsWith(url) || url.length <= (best?.length ?? 0)) continue
    const rest = run.slice(url.length)
    if (rest === '' || delimiter.test(rest)) best = url
  }
  return best
}

/** Elements that do something without any attribute. */
const activeTags: ReadonlySet<string> = new Set(
  'script style iframe frame frameset object embed link meta base svg math template noscript form input button textarea select plaintext xmp noembed noframes title'.split(
    ' ',
  ),
)
/** A tag without attributes' values, such as <br> or a placeholder like <service-name>. */
const bareTag = /<\/?([A-Za-z][\w-]{0,60})[^<>="'`:/\\\n]{0,200}\/?>/y

/** Opening brackets of other tags become `&lt;`. */
const hideTags: Step = (text, { urls, tags }, remove) =>
  text.replace(/<(?=[A-Za-z/!?])/g, (bracket, at: number) => {
    bareTag.lastIndex = at
    const bare = bareTag.exec(text)
    if (bare !== null && !activeTags.has((bare[1] as string).toLowerCase())) return bracket
    const end = text.slice(at, at + 4000).search(/>/)
    const tag = end < 0 ? '' : text.slice(at, at + end + 1)
    if (tags.has(tag) || urls.has(tag.slice(1, -1))) return bracket
    if (tag.includes('=')) remove(tag)
    return '&lt;'
  })
