// Is every entry of the table of text formats complete? A file with each ending is indexed with headings, references and a fence.
import { describe, expect, it } from 'vitest'
import { documentLanguage } from '../src/answer/assemble/fence-language.ts'
import { textFormats } from '../src/read/parse/text/text-formats.ts'
import { textScanners } from '../src/read/parse/text/text-scanners.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

interface Sample {
  /** With the heading `Install` and, where the format has references, one to the file `other`. */
  readonly text: string
}

/** One text for each format. A format without one fails below. */
const samples: Readonly<Record<string, Sample>> = {
  rst: { text: 'Guide\n=====\n\nInstall\n-------\n\nRead :doc:`other` first.\n' },
  asciidoc: { text: '= Guide\n\n== Install\n\nRead xref:other.ENDING[the other page] first.\n' },
}

for (const { name, endings, fence } of textFormats)
  describe(name, () => {
    const { mentions } = textScanners[name]
    const { text = '' } = samples[name] ?? {}
    const files = endings.map((ending) => ({ guide: `guide.${ending}`, other: `other.${ending}`, ending }))

    it('has a sample, and a name for its files', () => {
      expect(text).not.toBe('')
      expect(files).not.toEqual([])
    })

    it.each(files)(
      'indexes $guide as prose with headings, references and a fence',
      async ({ guide, other, ending }) => {
        const root = makeFolder()
        const written = text.replaceAll('ENDING', ending)
        writeFiles(root, { [guide]: written, [other]: written.replaceAll('Install', 'Elsewhere') })
        using engine = openCorpus(root)
        await engine.index()
        const document = await engine.describeDocument(guide)
        expect(document.language).toBe('text')
        expect((await engine.artifactIds()).filter((id) => id.startsWith(`${guide}#`))).not.toEqual([])
        if (mentions !== null) expect(document.references.map(({ to }) => to)).toContain(other)
        expect(documentLanguage(guide, 'text_document')).toBe(fence)
      },
    )
  })
