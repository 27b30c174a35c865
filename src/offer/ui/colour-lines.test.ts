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
