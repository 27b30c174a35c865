// Does setup know its own entries, and keep what somebody added to them?
import { expect, it } from 'vitest'
import { addToJson, hasForeignEntry, removeFromJson } from './setup-texts.ts'

const own = { command: '/usr/bin/node', args: ['/opt/yore/bin/yore.js', 'mcp'] }
const holding = (yore: unknown): string => JSON.stringify({ servers: { yore, other: {} } })

it.each<[boolean, unknown]>([
  [false, own],
  [false, { type: 'stdio', command: 'npx', args: ['--no', 'yore', 'mcp'] }],
  [false, { command: 'node.exe', args: ['C:\\yore\\bin\\yore.js', 'mcp', '--root', 'x'] }],
  [false, { command: 'yore', args: ['mcp'] }],
  [false, { command: 'cmd', args: ['/c', 'yore', 'mcp'] }],
  [true, { command: 'mine' }],
  [true, { command: 'yore', args: ['mcp', '--root', '/r'] }],
  [true, { command: 'npx', args: ['yore', 'mcp'] }],
  [true, { command: 'node', args: ['/opt/yore/bin/yore.js', 'watch'] }],
  [true, null],
  [true, 'yore'],
])('%s: %j is of another hand', (isForeign, entry) => {
  const text = holding(entry)
  expect(hasForeignEntry(text, 'servers')).toBe(isForeign)
  if (!isForeign) expect(removeFromJson(text, 'servers')).toBe('{"servers":{"other":{}}}')
  else {
    expect(removeFromJson(text, 'servers')).toBe(text)
    expect(() => addToJson(text, 'servers', own)).toThrow('that setup did not write')
  }
})

it('replaces the command of its own entry, and keeps what was added to it', () => {
  const text = holding({ ...own, env: { YORE_DEPTH: '0' } })
  expect(addToJson(text, 'servers', own)).toBe(text)
  const moved = { command: '/usr/bin/node', args: ['/new/bin/yore.js', 'mcp'] }
  expect(addToJson(text, 'servers', moved)).toBe(holding({ ...moved, env: { YORE_DEPTH: '0' } }))
})

it.each(['{"servers":null}', '{"servers":[]}', '[]', '{'])('does not guess what %s means', (text) => {
  expect(() => addToJson(text, 'servers', own)).toThrow()
})
