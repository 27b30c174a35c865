// Does setup know its own entries, and keep what somebody added to them?
import { expect, it } from 'vitest'
import { dropEntries, putEntries } from './edit-json.ts'
import type { ClientFiles } from './setup-clients.ts'
import { type CommandWords, commandLine, serverEntry } from './setup-texts.ts'

const entryOf = (words: CommandWords) => [
  serverEntry({ servers: 'servers', form: 'plain' } as ClientFiles, words),
]
const own = { command: '/usr/bin/node', args: ['/opt/yore/bin/yore.js', 'mcp'] }
const ours = entryOf([own.command, ...own.args])
const holding = (yore: unknown): string => JSON.stringify({ servers: { yore, other: {} } })

it.each<[boolean, unknown]>([
  [false, own],
  [false, { type: 'stdio', command: 'npx', args: ['--no', 'yore', 'mcp'] }],
  [false, { command: 'node.exe', args: ['C:\\yore\\bin\\yore.js', 'mcp', '--root', 'x'] }],
  [false, { command: process.execPath, args: ['mcp'] }],
  [false, { type: 'local', command: ['yore', 'mcp'] }],
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
  const taken = isForeign ? ['servers.yore'] : []
  expect(dropEntries(text, ours)).toEqual({ text: isForeign ? text : '{"servers":{"other":{}}}', taken })
  const put = putEntries(text, ours)
  expect(put.taken).toEqual(taken)
  if (isForeign) expect(put.text).toBe(text)
})

it('replaces the command of its own entry, and keeps what was added to it', () => {
  const text = holding({ ...own, env: { YORE_DEPTH: '0' } })
  expect(putEntries(text, ours).text).toBe(text)
  const moved = { command: '/usr/bin/node', args: ['/new/bin/yore.js', 'mcp'] }
  const other = entryOf([moved.command, ...moved.args])
  expect(putEntries(text, other).text).toBe(holding({ ...moved, env: { YORE_DEPTH: '0' } }))
})

it.each(['{"servers":null}', '{"servers":[]}', '[]', '{'])('does not guess what %s means', (text) => {
  expect(() => putEntries(text, ours)).toThrow()
})

it('refuses what is nested too deeply to be edited', () => {
  const text = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(() => putEntries(text, ours)).toThrow('nested too deeply')
})

it('quotes what a shell would change', () => {
  const words = ['C:\\Program Files\\node.exe', 'C:\\npm\\yore.js', 'hook']
  expect(commandLine(words)).toBe('"C:\\\\Program Files\\\\node.exe" "C:\\\\npm\\\\yore.js" hook')
})
