// Which files make an index large, slow or hungry? One of each kind, at any size; used by the tests of bounds (T36).

/** Repeats what a function gives for 0, 1, 2 … until the text has so many bytes. */
function fill(bytes: number, part: (number: number) => string, head = '', tail = ''): string {
  const parts = [head]
  let size = head.length + tail.length
  for (let number = 0; size < bytes; number++) {
    const next = part(number)
    const length = Buffer.byteLength(next)
    if (size + length > bytes && number > 0) break
    parts.push(next)
    size += length
  }
  return parts.join('') + tail
}

/** A word that no other number gives. */
const word = (number: number): string => `w${(number * 2_654_435_761) % 2 ** 32}x${number.toString(36)}`

const longName = (bytes: number): string => 'Name '.repeat(Math.ceil(bytes / 5)).trim()

/** Long lines are refused by default, so every line stays under this. */
const line = 9_000

/** What is judged to be data by its first part stays out of the index; behind so much prose nothing does. */
function afterProse(bytes: number, part: (number: number) => string, tail = ''): string {
  const prose = fill(
    Math.min(bytes >> 1, 300_000),
    (n) => `${word(n)} is said of ${word(n + 7)}, and so on.\n`,
  )
  return fill(bytes, part, prose, tail)
}

type Make = (bytes: number) => string

/** By path, what stands in the file when it may have so many bytes. */
export const adversarialFiles: Readonly<Record<string, Make>> = {
  // One long definition, used as often as fits: half of the file each.
  'definition-used-often.md': (bytes) =>
    fill(
      bytes,
      (n) => `[a]${n % 50 === 49 ? '\n' : ''}`,
      `[a]: /${'t'.repeat(Math.min(bytes >> 1, line))}\n\n`,
    ),
  'definitions-used-often.md': (bytes) =>
    fill(
      bytes,
      (n) => `[r${n % 64}]${n % 50 === 49 ? '\n' : ' '}`,
      Array.from({ length: 64 }, (_, n) => `[r${n}]: /${'t'.repeat(Math.min(bytes >> 7, line))}${n}\n`).join(
        '',
      ),
    ),
  'link-titles.md': (bytes) =>
    fill(bytes, (n) => `[a${n % 9}]\n`, `[a1]: /x "${'t'.repeat(Math.min(bytes >> 1, line))}"\n\n`),
  'images.md': (bytes) =>
    fill(
      bytes,
      (n) => `![i][a]${n % 50 === 49 ? '\n' : ''}`,
      `[a]: /${'t'.repeat(Math.min(bytes >> 1, line))}\n\n`,
    ),
  'short-links.md': (bytes) => fill(bytes, (n) => `[](#)${n % 99 === 98 ? '\n' : ''}`),
  'wide-ambiguous-links.md': (bytes) => fill(bytes, () => '[x](x) '.repeat(20).concat('\n')),
  'long-heading-paths.md': (bytes) =>
    fill(
      bytes,
      (n) => `${'#'.repeat(6)} a${n}\n`,
      [1, 2, 3, 4, 5]
        .map((level) => `${'#'.repeat(level)} ${longName(Math.min(bytes >> 4, line))}\n`)
        .join(''),
    ),
  'headings.md': (bytes) => fill(bytes, () => '# a\n'),
  'empty-headings.md': (bytes) => fill(bytes, () => '#\n'),
  'numbered-headings.md': (bytes) =>
    fill(bytes, (n) => `###### h${n}\n`, '# a\n## b\n### c\n#### d\n##### e\n'),
  'title-in-every-section.md': (bytes) =>
    fill(bytes, () => '## b\n', `# ${fill(Math.min(bytes >> 2, line), (n) => `${word(n)} `)}\n`),
  'explicit-ids.md': (bytes) => fill(bytes, () => `# a {#${'i'.repeat(400)}}\n`),
  'short-paragraphs.md': (bytes) => fill(bytes, () => 'a\n\n'),
  'decision-ids.md': (bytes) => fill(bytes, (n) => `ADR-${(n % 9000) + 1}${n % 99 === 98 ? '\n' : ' '}`),
  'repeated-decision-id.md': (bytes) => fill(bytes, (n) => `ADR-1${n % 99 === 98 ? '\n' : ' '}`),
  'code-marks.md': (bytes) => fill(bytes, (n) => `\`a.b${n % 100}\`${n % 99 === 98 ? '\n' : ' '}`),
  'table.md': (bytes) =>
    fill(bytes, (n) => `| ${n} | [x](y.md) | ADR-12 |\n`, '| a | b | c |\n|---|---|---|\n'),
  'wide-table.md': (bytes) => {
    const columns = Math.min(bytes >> 4, 1_000)
    return fill(
      bytes,
      () => `${'|'.repeat(columns)}\n`,
      `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n`,
    )
  },
  'frontmatter.md': (bytes) =>
    fill(bytes, (n) => `key${n}: "[a](b) ADR-${n % 9999}"\n`, '---\n', '---\n# a\n'),
  'frontmatter-words.md': (bytes) => fill(bytes, (n) => `  - ${word(n)}\n`, '---\ntags:\n', '---\n# a\n'),
  'frontmatter-title.md': (bytes) =>
    fill(
      bytes,
      () => '## b\n',
      `---\ntitle: "${fill(Math.min(bytes >> 2, line), (n) => `${word(n)} `)}"\n---\n`,
    ),
  'html.md': (bytes) => fill(bytes, () => `<a href=x>\n`),
  'lists.md': (bytes) => fill(bytes, (n) => `${' '.repeat((n % 40) * 2)}- a\n`),
  'quotes.md': (bytes) => fill(bytes, (n) => `${'> '.repeat(n % 40)}a\n`),
  'brackets.md': (bytes) => fill(bytes, () => `${'['.repeat(800)}\n`),
  'one-word.txt': (bytes) => 'a'.repeat(bytes),
  'one-word-in-lines.txt': (bytes) => afterProse(bytes, () => `${'a'.repeat(line)}\n`),
  'distinct-words.txt': (bytes) => afterProse(bytes, (n) => `${word(n)}${n % 20 === 19 ? '\n\n' : ' '}`),
  'short-words.txt': (bytes) => fill(bytes, (n) => `${n.toString(36)}${n % 40 === 39 ? '\n\n' : ' '}`),
  'camel-words.txt': (bytes) => fill(bytes, (n) => `${'aB'.repeat(30)}${n}${n % 40 === 39 ? '\n\n' : ' '}`),
  'dotted-words.txt': (bytes) =>
    afterProse(bytes, (n) => `a${n}.b${n}.c${n}.d${n}${n % 40 === 39 ? '\n\n' : ' '}`),
  'cjk.txt': (bytes) =>
    fill(bytes, (n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)) + (n % 60 === 59 ? '。\n' : '')),
  'emoji.txt': (bytes) =>
    fill(bytes, (n) => `${String.fromCodePoint(0x1f300 + (n % 700))}${n % 99 === 98 ? '\n' : ''}`),
  'blank-lines.txt': (bytes) => 'a\n'.concat('\n'.repeat(Math.max(0, bytes - 2))),
  'heads.rst': (bytes) => fill(bytes, (n) => `h${n}\n====\n`),
  'deep-heads.rst': (bytes) => fill(bytes, (n) => `h${n}\n${'=-~^"+'[n % 6]?.repeat(8)}\n`),
  'directives.rst': (bytes) => fill(bytes, (n) => `.. function:: f${n}\n`),
  'heads.adoc': (bytes) => fill(bytes, (n) => `${'='.repeat((n % 5) + 1)} T${n}\n`),
  'heads-in-config.conf': (bytes) => afterProse(bytes, (n) => `[s${n}]\n`),
  'banners.conf': (bytes) => afterProse(bytes, (n) => `#### T${n} ####\n`),
  'blocks.tf': (bytes) => afterProse(bytes, (n) => `a${n} {\n}\n\n`),
  'indented.yaml': (bytes) => afterProse(bytes, (n) => `${' '.repeat(n % 30)}k${n}:\n`),
  'keys.json': (bytes) => afterProse(bytes, (n) => `  "k${n}": ${n},\n`),
  'nested.json': (bytes) => fill(bytes >> 1, (n) => `[${n % 900 === 899 ? '\n' : ''}`),
  'functions.py': (bytes) => fill(bytes, (n) => `def f${n}():pass\n`),
  'calls.py': (bytes) => fill(bytes, (n) => `f${n % 999}()\n`),
  'uses.py': (bytes) => fill(bytes, (n) => ` g${n}(h${n})\n`, 'def f():\n'),
  'long-identifiers.py': (bytes) =>
    fill(bytes, (n) => `def ${'i'.repeat(line - 40)}${n}(): ${'i'.repeat(20)}()\n`),
  'class-with-long-name.py': (bytes) =>
    fill(bytes, (n) => ` def f${n}(self):pass\n`, `class ${'C'.repeat(Math.min(bytes >> 2, line))}:\n`),
  'nested-classes.py': (bytes) =>
    fill(Math.min(bytes, 80_000), (n) => `${' '.repeat(n)}class ${'C'.repeat(40)}${n}:\n`),
  'nested-functions.js': (bytes) => afterProse(bytes, (n) => `function ${'f'.repeat(60)}${n}(){\n`),
  'nested-blocks.js': (bytes) => fill(bytes, () => `${'{'.repeat(80)}\n`),
  'imports.py': (bytes) => fill(bytes, (n) => `import m${n}\n`),
  'from-imports.py': (bytes) => fill(bytes, (n) => `from m import a${n}\n`),
  'imports.ts': (bytes) => fill(bytes, (n) => `import{a${n}}from'./m${n}'\n`),
  'imports-of-long-module.ts': (bytes) =>
    fill(bytes, (n) => `a${n},\n`, 'import{\n', `}from'./${'m'.repeat(Math.min(bytes >> 2, line))}'\n`),
  'exports.ts': (bytes) => fill(bytes, (n) => `export*from'./m${n}'\n`),
  'variables.ts': (bytes) => fill(bytes, (n) => `let v${n}=1\n`),
  'long-variables.ts': (bytes) => afterProse(bytes, (n) => `let ${'v'.repeat(line - 40)}${n}=1\n`),
  'dotted-names.js': (bytes) => fill(bytes, (n) => `${'a.'.repeat(400)}b${n}()\n`),
  'comments.py': (bytes) => fill(bytes, (n) => `# ADR-${(n % 9000) + 1}\n`),
  'tags.html': (bytes) => fill(bytes, () => '<p>\n'),
  'scripts.html': (bytes) => fill(bytes, (n) => `<script src=s${n}.js></script>\n`),
  'structs.go': (bytes) => fill(bytes, (n) => `func (t T) f${n}(){}\n`, 'package p\n'),
  'methods-of-long-type.go': (bytes) =>
    fill(bytes, (n) => `func (t T${'t'.repeat(200)}) f${n}(){}\n`, 'package p\n'),
}
