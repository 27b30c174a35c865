// How is untrusted XML or HTML read? Event by event, with limited depth, and names without prefixes.
import { Parser } from 'htmlparser2'
import { UnreadableFormat } from './format.ts'

export type Attributes = Readonly<Record<string, string>>

export interface MarkupHandler {
  open?(name: string, attributes: Attributes): void
  close?(name: string): void
  text?(text: string): void
}

/** Deeper than any document; the parser is quadratic in the depth. */
const MOST_DEPTH = 2_000

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** `w:val` becomes `val`; the first of two counts. */
function localAttributes(attributes: Attributes): Attributes {
  const local: Record<string, string> = {}
  for (const name in attributes) {
    const short = localName(name)
    if (!Object.hasOwn(local, short)) local[short] = attributes[name] as string
  }
  return local
}

/** Walks a text without expanding the entities that it defines. Throws UnreadableFormat. */
export function walkMarkup(source: string, mode: 'xml' | 'html', handler: MarkupHandler): void {
  const isXml = mode === 'xml'
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MOST_DEPTH)
          throw new UnreadableFormat(`its markup is nested more than ${MOST_DEPTH} deep`)
        handler.open?.(isXml ? localName(name) : name, isXml ? localAttributes(attributes) : attributes)
      },
      onclosetag(name) {
        depth--
        handler.close?.(isXml ? localName(name) : name)
      },
      ontext: (text) => handler.text?.(text),
    },
    { xmlMode: isXml, decodeEntities: true },
  )
  parser.write(source)
  parser.end()
}

/** Attributes of all elements of a name, in order. */
export function elementsOf(source: string | null, name: string): Attributes[] {
  const found: Attributes[] = []
  if (source !== null)
    walkMarkup(source, 'xml', { open: (tag, attributes) => void (tag === name && found.push(attributes)) })
  return found
}

/** Texts of the elements of these names, in order. */
export function textsOf(source: string | null, names: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  let current: string[] | null = null
  if (source !== null)
    walkMarkup(source, 'xml', {
      open(name) {
        if (!names.includes(name)) return
        current = found[name] ??= []
        current.push('')
      },
      text(text) {
        if (current !== null) current[current.length - 1] += text
      },
      close(name) {
        if (names.includes(name)) current = null
      },
    })
  return found
}
