// Can an answer make a reader's program fetch something? It keeps no link, image or tag, and only addresses that a source contains.
import { cut } from '../../model/mark-invisible.ts'

/** Where an address starts: with a scheme and slashes, without a scheme, with www, or with a scheme that runs or holds data. */
const addressStart =
  /[a-z][a-z0-9+.-]{1,20}:[/\\]{2}|(?<![a-z0-9:/\\])\/\/(?=[\w-]{1,63}\.\w|localhost|\[)|(?<![a-z0-9.])www\.(?=\w)|(?<![a-z0-9])(?:javascript|vbscript|blob|filesystem):(?=\S)|(?<![a-z0-9])data:(?=[\w/+.;=-]{0,80},)/gi
/** No address is longer. */
const addressRest = /[^\s<>"'`)\]}|\\*_~,;]{0,4000}/y
/** Punctuation that may follow an address without being part of it. */
const trailing = /[.:!?]{1,40}$/

/**
 * The text without addresses that the sources do not contain, and without links: the target follows the name as
 * plain text. It works on characters, not on a parsed page, so that it does not matter which renderer shows the answer,
 * and it treats code like prose. Gives also the removed addresses, shortened.
 */
export function stripLinks(
  text: string,
  sources: readonly string[],
): { readonly text: string; readonly removed: readonly string[] } {
  const known = new Set(sources.flatMap((source) => [...addressesIn(source)].map(({ address }) => address)))
  const removed: string[] = []
  const plain = withoutMarkup(text)
  let result = ''
  let last = 0
  for (const { at, address } of addressesIn(plain)) {
    if (known.has(address)) {
      // What follows directly could be read as more of the address.
      const end = at + address.length
      result += `${plain.slice(last, end)}${/^(?:[.,;:!?)\]*_`]{0,3}(?:\s|$)|$)/.test(plain.slice(end, end + 4)) ? '' : ' '}`
      last = end
      continue
    }
    removed.push(cut(address, 200))
    result += `${plain.slice(last, at)}(link removed)`
    last = at + address.length
  }
  return { text: result + plain.slice(last), removed }
}

function* addressesIn(text: string): Generator<{ readonly at: number; readonly address: string }> {
  let end = 0
  for (const { index, 0: start } of text.matchAll(addressStart)) {
    // An address inside of another is a part of it.
    if (index < end) continue
    addressRest.lastIndex = index + start.length
    const address = (start + (addressRest.exec(text)?.[0] ?? '')).replace(trailing, '')
    end = index + address.length
    yield { at: index, address }
  }
}

/** A tag without attributes, such as <br> or a placeholder like <service-name>. */
const bareTag = /^<\/?([A-Za-z][\w-]{0,60})\s{0,9}\/?>/
/** Elements that do something without any attribute. */
const activeTags =
  /^(?:script|style|iframe|frame|frameset|object|embed|link|meta|base|svg|math|template|noscript|form|input|button|textarea|select|plaintext|xmp|noembed|noframes|title)$/i
const harmlessEntities = /^&(?:amp|lt|gt|quot|nbsp);/

/** Breaks what a renderer would read as a link, a definition of one, a tag, or a letter of an address. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll(/\](?=[(:])/g, '] ')
    .replaceAll(/&(?=#?\w{1,40};)/g, (sign, at: number, whole: string) =>
      harmlessEntities.test(whole.slice(at, at + 6)) ? sign : '&amp;',
    )
    .replaceAll(/<(?=[A-Za-z/!?])/g, (bracket, at: number, whole: string) => {
      const [, name] = bareTag.exec(whole.slice(at, at + 80)) ?? []
      return name === undefined || activeTags.test(name) ? '&lt;' : bracket
    })
}
