// What is in an EPUB? Its chapters in reading order, each with the name of its file.
import path from 'node:path'
import { type FormatReader, UnreadableFormat } from './format.ts'
import { writePage } from './read-html.ts'
import { Zip } from './read-zip.ts'
import { elementsOf, textsOf } from './walk-markup.ts'
import { MarkdownWriter, yearOf } from './write-markdown.ts'

const chapterType = /xhtml|html/

export const epub: FormatReader = {
  read(bytes) {
    const zip = new Zip(bytes)
    const root = elementsOf(zip.text('META-INF/container.xml'), 'rootfile')[0]?.['full-path']
    const list = root === undefined ? null : zip.text(root)
    if (root === undefined || list === null)
      throw new UnreadableFormat('it is not an EPUB: it has no list of contents')
    const items = new Map(elementsOf(list, 'item').map((item) => [item['id'], item]))
    const writer = new MarkdownWriter()
    for (const { idref } of elementsOf(list, 'itemref')) {
      const item = items.get(idref)
      if (item?.['href'] === undefined || !chapterType.test(item['media-type'] ?? '')) continue
      if (/(?:^|\s)nav(?:\s|$)/.test(item['properties'] ?? '')) continue
      const name = path.posix.join(path.posix.dirname(root), decodeName(item['href']))
      const chapter = zip.text(name)
      if (chapter === null) writer.warnings.push(`${path.posix.basename(name)}: it is missing`)
      else writePage(chapter, writer, 'html', () => path.posix.basename(name))
    }
    const { title = [], creator = [], date = [] } = textsOf(list, ['title', 'creator', 'date'])
    return writer.finish({
      ...(title[0] === undefined ? {} : { title: title[0] }),
      authors: creator,
      ...yearOf(date[0]),
    })
  },
}

function decodeName(href: string): string {
  try {
    return decodeURIComponent(href.split('#', 1)[0] as string)
  } catch {
    return href
  }
}
