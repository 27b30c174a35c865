// How does VitePress build the pages? From site/work/pages, which lab/site/build.ts writes; nothing is loaded from elsewhere.
import { readFileSync } from 'node:fs'
import { slugOf } from '../../../src/read/parse/slug.ts'
import { structure } from '../structure.ts'

const pages = JSON.parse(readFileSync(new URL('../work/pages.json', import.meta.url), 'utf8'))

const logo = '/images/logo.svg'

const titles = new Map(pages.map(({ place, title }) => [place, title]))
const sidebar = structure.map(({ text, pages: places }) => ({
  text,
  items: places.map((place) => ({
    text: titles.get(place)?.split(': ')[0],
    link: `/${place.replace(/index$/, '')}`,
  })),
}))

/** Known on GitHub; a local build has no address to link to. */
const repository = process.env.GITHUB_REPOSITORY
const socialLinks =
  repository === undefined ? [] : [{ icon: 'github', link: `https://github.com/${repository}` }]

export default {
  base: process.env.YORE_SITE_BASE ?? '/',
  lang: 'en',
  title: 'yore',
  srcDir: 'work/pages',
  outDir: 'work/dist',
  cacheDir: 'work/cache',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: `${process.env.YORE_SITE_BASE ?? '/'}${logo.slice(1)}` }]],
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
    logo,
    nav: [
      { text: 'Get started', link: '/tutorial/first-digest' },
      { text: 'Use it', link: '/guides/agents' },
      { text: 'Questions', link: '/guides/questions' },
      { text: 'Reference', link: '/reference/cli' },
      { text: 'Evidence', link: '/explanation/evidence' },
    ],
    socialLinks,
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // Whole words and their beginnings; a slip of one letter only in long words.
          searchOptions: {
            prefix: true,
            fuzzy: (term) => (term.length > 6 ? 1 : false),
            combineWith: 'AND',
            // Pages for users before those for contributors.
            boostDocument: (id) => (/\/(?:decisions|project|examples|gallery|records)\//.test(id) ? 0.3 : 1),
          },
        },
      },
    },
  },
}
