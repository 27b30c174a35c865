// Do colours of one text leave the memory of the grammars alone?
import { expect, it, vi } from 'vitest'
import { TreeCursor } from 'web-tree-sitter'
import { colourLines, fileOfFence } from './colour-lines.ts'

it('deletes its cursor before the tree: collected later it would free memory of another grammar', async () => {
  const deleted = vi.spyOn(TreeCursor.prototype, 'delete')
  const [line] = (await colourLines('if true; then echo "done"; fi\n', fileOfFence('sh'))) ?? []
  expect(line?.text).toContain('<span class="k1">if</span>')
  expect(deleted).toHaveBeenCalledOnce()
})

it('links names of code to their definitions, and no word of a string or comment', async () => {
  const code = '// call run\nconst text = "run"\nrun(rerun)\n'
  const lines = await colourLines(
    code,
    { path: 'a.ts', language: 'typescript' },
    () => new Map([['run', { href: '/doc/b.ts', title: 'run() · b.ts:1' }]]),
  )
  const linked = lines?.map(({ text }) => text.match(/<a [^>]*>[^<]*<\/a>/g))
  expect(linked?.slice(0, 3)).toEqual([
    null,
    null,
    ['<a class="defined" href="/doc/b.ts" title="run() · b.ts:1">run</a>'],
  ])
})
