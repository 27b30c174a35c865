// How does the reference of all commands become readable pages? One page per group of commands, and a list of all.
import { makePage, type Page } from './pages.ts'

const whole = 'reference/cli'

/** The list with the shared options first, then one page per group; links to a command lead to the page of its group. */
export function splitCommands(page: Page): {
  readonly pages: readonly Page[]
  readonly moved: ReadonlyMap<string, string>
} {
  const [head = '', ...sections] = page.text.split(/^(?=## )/m)
  const bySlug = new Map(
    sections.map((section) => [section.slice(3, section.indexOf('\n')).replaceAll(' ', '-'), section]),
  )
  const moved = new Map<string, string>()
  const groups = [...head.matchAll(/^\*\*(.+)\*\*\n\n((?:- .*\n)+)/gm)].map(([, group = '', list = '']) => {
    const place = `${whole}-${group.toLowerCase().replaceAll(' ', '-')}`
    const slugs = [...list.matchAll(/\]\(#([\w-]+)\)/g)].map(([, slug]) => slug as string)
    for (const slug of slugs) moved.set(`/${whole}.md#${slug}`, `/${place}.md#${slug}`)
    const text = slugs
      .map((slug) => bySlug.get(slug) ?? '')
      .join('')
      .replaceAll('](#shared-options)', `](/${whole}.md#shared-options)`)
    return makePage(page.source, place, `# Commands: ${group}\n\n[All commands](/${whole}.md)\n\n${text}`)
  })
  const list = head.replaceAll(
    /\]\(#(yore-[\w-]+)\)/g,
    (_, slug: string) => `](${moved.get(`/${whole}.md#${slug}`)})`,
  )
  return { pages: [{ ...page, text: list + (bySlug.get('Shared-options') ?? '') }, ...groups], moved }
}
