// Which names does a chunk use, and which class does a call on a field mean?
import { expect, it } from 'vitest'
import { parseAs } from '../../../../test/support/code-tool.ts'

it.each([
  [
    'Run.java',
    'class Run {\n  private final Box<String> box = null;\n  void go() { box.put(); }\n  void other(Bag box) { box.put(); }\n}\n',
    ['Box.put', 'Bag.put'],
  ],
  [
    'Run.kt',
    'class Run(private val box: Box) {\n  fun go() { box.put() }\n  fun other() {\n    val box = make()\n    box.put()\n  }\n}\n',
    ['Box.put'],
  ],
  [
    'Run.cs',
    'class Run {\n  Box? box;\n  void go() { box.put(); }\n  void other(Bag<int> box) { box.put(); }\n}\n',
    ['Box.put', 'Bag.put'],
  ],
  [
    'run.ts',
    'class Run {\n  private box: Box\n  go() { box.put() }\n  other() { this.box.put() }\n}\n',
    ['box.put', 'Box.put'],
  ],
])('is that of the field, unless a local name hides it: %s', async (path, text, targets) => {
  const { mentions } = await parseAs(path, text)
  expect(mentions.filter((one) => one.text.endsWith('box.put')).map(({ target }) => target)).toEqual(targets)
})

it('counts types in every position, and values that the file defines or imports by name', async () => {
  const { mentions } = await parseAs(
    'run.ts',
    "import * as all from './all.ts'\nimport { limit } from './c.ts'\ntype Pair<T extends Base> = [Left, all.Right] | Fn<Arg>\nexport function go(n: number) {\n  if (n > limit) return all.x\n  return n > other\n}\n",
  )
  const texts = mentions.filter(({ form }) => form === 'uses').map(({ text }) => text)
  expect(texts).toEqual(['T', 'Base', 'Left', 'all.Right', 'Fn', 'Arg', 'limit'])
})
