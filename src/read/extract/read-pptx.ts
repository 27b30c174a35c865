// What is on these slides? The title, points, tables and notes of each, in presentation order.
import type { ExtractedMetadata, FormatReader } from './format.ts'
import { readCoreFacts, readMain, readRelations } from './office-parts.ts'
import { openZip, type Zip } from './read-zip.ts'
import { walkMarkup } from './walk-markup.ts'
import { MarkdownWriter, oneLine } from './write-markdown.ts'

const titles: ReadonlySet<string> = new Set(['title', 'ctrTitle'])
/** Date, footer and slide number repeat on all slides. */
const boilerplate: ReadonlySet<string> = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])

interface Shape {
  readonly type: string
  readonly paragraphs: { readonly text: string; readonly depth: number }[]
  readonly rows: string[][]
}

function readShapes(source: string): Shape[] {
  const shapes: Shape[] = []
  let shape: Shape | null = null
  let [text, depth, isText, isCell] = ['', 0, false, false]
  walkMarkup(source, 'xml', {
    open(name, attributes) {
      if (name === 'sp' || name === 'graphicFrame') {
        shape = { type: '', paragraphs: [], rows: [] }
        shapes.push(shape)
      } else if (name === 'ph' && shape !== null)
        shape = shapes[shapes.length - 1] = { ...shape, type: attributes['type'] ?? 'body' }
      else if (name === 'p') [text, depth] = ['', 0]
      else if (name === 'pPr') depth = Number(attributes['lvl']) || 0
      else if (name === 't') isText = true
      else if (name === 'br') text += ' '
      else if (name === 'tr') shape?.rows.push([])
      else if (name === 'tc') {
        isCell = true
        shape?.rows.at(-1)?.push('')
      }
    },
    text(part) {
      if (isText) text += part
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'tc') isCell = false
      else if (name === 'p' && shape !== null && text.trim() !== '') {
        const row = isCell ? shape.rows.at(-1) : undefined
        if (row === undefined) shape.paragraphs.push({ text, depth })
        else row[row.length - 1] = oneLine(`${row.at(-1)} ${text}`)
        text = ''
      }
    },
  })
  return shapes.filter(({ type }) => !boilerplate.has(type))
}

function writeSlide(writer: MarkdownWriter, source: string, number: number): void {
  const shapes = readShapes(source)
  const title = shapes.find(({ type }) => titles.has(type))
  const name = oneLine(title?.paragraphs.map(({ text }) => text).join(' ') ?? '')
  writer.heading(2, name === '' ? `Slide ${number}` : name)
  for (const shape of shapes) {
    if (shape === title) continue
    if (shape.type === 'subTitle') writer.paragraph(shape.paragraphs.map(({ text }) => text))
    else for (const { text, depth } of shape.paragraphs) writer.item(text, { depth })
    if (shape.rows.length > 0) writer.table(shape.rows)
  }
}

function writeNotes(writer: MarkdownWriter, source: string): void {
  const said = readShapes(source).flatMap(({ paragraphs }) => paragraphs.map(({ text }) => oneLine(text)))
  if (said.length > 0) writer.paragraph([`Notes: ${said[0]}`, ...said.slice(1)])
}

export const pptx: FormatReader = {
  read(bytes) {
    const zip = openZip(bytes)
    const main = { part: 'ppt/presentation.xml', root: 'presentation', what: 'a presentation' }
    const { name, text: show } = readMain(zip, main)
    const relations = readRelations(zip, name)
    const writer = new MarkdownWriter()
    // `id` is the slide's number in the file, `r:id` its relation; without prefixes the first hides the second.
    const slides = [...show.matchAll(/<(?:\w+:)?sldId\s[^>]{0,300}?r:id="([^"]{1,80})"/g)]
    for (const [at, [, id = '']] of slides.entries()) {
      const part = relations.get(id)?.target ?? ''
      const slide = zip.text(part)
      writer.at(`slide ${at + 1}`)
      if (slide === null) {
        writer.warnings.push(`slide ${at + 1}: it is missing`)
        continue
      }
      writeSlide(writer, slide, at + 1)
      const notes = [...readRelations(zip, part).values()].find(({ type }) => type.endsWith('/notesSlide'))
      const said = notes === undefined ? null : zip.text(notes.target)
      if (said !== null) writeNotes(writer, said)
    }
    return writer.finish(titled(zip))
  },
}

/** Generated names that say nothing. */
function titled(zip: Zip): ExtractedMetadata {
  const { title, ...facts } = readCoreFacts(zip)
  return title === undefined || /^(?:powerpoint[- ]pr|presentation$|slide 1$)/i.test(title)
    ? facts
    : { ...facts, title }
}
