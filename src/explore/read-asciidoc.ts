// How does a document of AsciiDoc read as Markdown?

export function readAsciidoc(lines: readonly string[]): string {
  let [open, language] = ['', '']
  const read = (line: string): string => {
    const fence = /^(-{4,}|\.{4,}|`{3,})\w*$/.exec(line)?.[1] ?? ''
    if (open !== '') {
      if (fence !== open) return line
      open = ''
      return '```'
    }
    if (fence !== '') {
      open = fence
      const start = `\`\`\`${language}`
      language = ''
      return start
    }
    const block = /^\[(?:source,\s*(\w+))?[^\]]*\]$/.exec(line)
    if (block !== null) language = block[1] ?? ''
    if (block !== null || /^(?::[\w-]+!?:.*|\/\/.*|[=*_]{4,}|\|===|\+|include::.*)$/.test(line)) return ''
    return line
      .replace(/^(={1,6}) /, (_, marks: string) => `${'#'.repeat(marks.length)} `)
      .replace(/^(NOTE|TIP|WARNING|IMPORTANT|CAUTION): /, '**$1:** ')
      .replace(/^\.(?=[A-Z])(.*)$/, '**$1**')
      .replace(
        /^([*.]{1,4}) /,
        (_, marks: string) => `${'  '.repeat(marks.length - 1)}${marks.startsWith('*') ? '-' : '1.'} `,
      )
      .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]{1,200})\*(?![\w*])/g, '**$1**')
      .replaceAll(
        /(?:link:|xref:)?((?:https?:\/\/|(?<=link:|xref:))[^\s[\]]{1,500})\[([^\]\n]{0,200})\]/g,
        (_, to: string, text: string) => `[${text || to}](${to})`,
      )
      .replaceAll(
        /<<([^,<>\n]{1,200})(?:,\s*([^<>\n]{1,200}))?>>/g,
        (_, to: string, text?: string) => `[${text ?? to}](#${to})`,
      )
  }
  return lines.map(read).join('\n')
}
