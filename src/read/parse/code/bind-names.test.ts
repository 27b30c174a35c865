// Which class does a call on a field mean? In languages where `this` is left out.
import { expect, it } from 'vitest'
import { parseAs } from './code-tool.fixture.ts'

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
