// How does text become HTML that cannot be more than text? A tagged template that escapes every value but its own results.
import { YoreError } from '../../model/errors.ts'
import { unprintable } from '../../model/mark-invisible.ts'

/** HTML that this file has made; everything else is text. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Child = Markup | string | number | null | undefined | false | readonly Child[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(unprintable, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(/[&<>"']/g, (one) => entities[one] as string)

function write(child: Child): string {
  if (child === null || child === undefined || child === false) return ''
  if (child instanceof Markup) return child.text
  if (Array.isArray(child)) return child.map(write).join('')
  return escapeHtml(String(child))
}

/** Values are escaped, in text and in quoted attributes alike; attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly Child[]): Markup {
  let text = strings[0] ?? ''
  for (const [at, value] of values.entries()) text += write(value) + (strings[at + 1] ?? '')
  return new Markup(text)
}

/** An address on this server, with its query; empty values are omitted. */
export function addressOf(path: string, query: Readonly<Record<string, string | number | undefined>> = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const written = new URLSearchParams(
    given.map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
  return written === '' ? path : `${path}?${written}`
}

export function documentAddress(path: string, lines?: { readonly start: number; readonly end: number }) {
  const place = `/doc/${path.toWellFormed().split('/').map(encodeURIComponent).join('/')}`
  if (lines === undefined) return place
  const { start, end } = lines
  return end > start ? `${place}?lines=${start}-${end}#L${start}` : `${place}?lines=${start}#L${start}`
}

export function numberIn(
  query: URLSearchParams,
  name: string,
  { otherwise, least, most }: { otherwise: number; least: number; most: number },
): number {
  const written = query.get(name) ?? ''
  return Math.min(most, Math.max(least, /^\d{1,9}$/.test(written) ? Number(written) : otherwise))
}

/** The path that an address names. Throws BAD_INPUT. */
export function decodePath(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    throw new YoreError('BAD_INPUT', 'the address of this document is malformed', { hint: 'begin at /doc' })
  }
}
