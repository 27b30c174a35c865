// Which HTML is a document, and which is a part of a program?
import { expect, it } from 'vitest'
import { readsAsPage } from './reads-as-page.ts'

const page = (body: string): string => `<!DOCTYPE html>\n<html><body>${body}</body></html>`
const prose = '<h1>Guide</h1><p>One.</p><p>Two.</p><ul><li>Three.</li></ul>'

it.each([
  ['headings and paragraphs', page(prose), true],
  ['examples of templates', page(`${prose}<pre>{{ name }}</pre><code>{% if %}</code>`), true],
  ['scripts beside its text', page(`${prose.repeat(9)}<script>let a = \`\${b}\`</script>`), true],
  ['no heading', page('<p>One.</p><p>Two.</p><p>Three.</p>'), false],
  ['little text', page('<h1>Guide</h1><p>One.</p>'), false],
  ['an application', page('<h1>App</h1><div id="root"></div><script src="a.js"></script>'), false],
  ['mostly script', page(`${prose}<script>${'call();'.repeat(99)}</script>`), false],
  ['a template of Jinja', page(`${prose}{% block x %}{% endblock %}`), false],
  ['a template of Vue', page(`${prose}<div v-if="a"></div>`), false],
  ['a template of PHP', page(`${prose}<?php echo 1 ?>`), false],
  ['a part of a page', prose, false],
])('a file with %s', (_, text, expected) => {
  expect(readsAsPage(text)).toBe(expected)
})
