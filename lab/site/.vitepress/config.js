// How does VitePress build the pages? From site/work/pages, which lab/site/build.ts writes; nothing is loaded from elsewhere.
import { readFileSync } from 'node:fs'
import { slugOf } from '../../../src/read/parse/slug.ts'

const pages = JSON.parse(readFileSync(new URL('../work/pages.json', import.meta.url), 'utf8'))

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='%231a5d4d'/><path d='M4 3l4 5v5m0-5l4-5' stroke='white' stroke-width='2' fill='none'/></svg>"

const group = (text, folder) => ({
  text,
  items: pages
    .filter(({ place }) => place.startsWith(`${folder}/`) && !place.endsWith('/index'))
    .map(({ title, place }) => ({ text: title, link: `/${place}` })),
})

const sidebar = [
  {
    text: 'Look',
    items: [
      { text: 'Common questions', link: '/questions/' },
      { text: 'Gallery of digests', link: '/gallery/' },
      { text: 'Figures', link: '/figures' },
      { text: 'Decisions', link: '/decisions/' },
    ],
  },
  group('Start', 'tutorial'),
  group('Guides', 'guides'),
  group('Reference', 'reference'),
  group('Explained', 'explanation'),
  group('Project', 'project'),
]

export default {
  base: process.env.YORE_SITE_BASE ?? '/',
  lang: 'en',
  title: 'yore',
  srcDir: 'work/pages',
  outDir: 'work/dist',
  cacheDir: 'work/cache',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: icon }]],
  markdown: {
    // Documents are text: what looks like a tag in them is shown.
    html: false,
    linkify: false,
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      // The corner of a table that has none is no heading.
      md.core.ruler.push('empty_heads', ({ tokens }) => {
        tokens.forEach((token, at) => {
          if (token.type !== 'th_open' || tokens[at + 1].content !== '') return
          token.tag = 'td'
          tokens[at + 2].tag = 'td'
        })
      })
      for (const name of ['text', 'code_inline']) {
        const rule = md.renderer.rules[name]
        // Two braces are a template of Vue.
        md.renderer.rules[name] = (...args) => rule(...args).replaceAll('{{', '&#123;&#123;')
      }
    },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/tutorial/first-digest' },
      { text: 'Questions', link: '/questions/' },
      { text: 'Guides', link: '/guides/agents' },
      { text: 'Reference', link: '/reference/cli' },
      { text: 'Figures', link: '/figures' },
      { text: 'Gallery', link: '/gallery/' },
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // The text of an answer stands on its own page already: here its question alone is found.
        _render(src, env, md) {
          const html = md.render(src, env)
          const heading = html.slice(0, html.indexOf('</h1>') + 5)
          return env.relativePath.startsWith('questions/') ? `${heading}<p>Answered by yore.</p>` : html
        },
      },
    },
  },
}
