// Does an entry come and go without a trace in a file that people wrote?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLooseJson } from '../../../model/config/parse-loose-json.ts'
import { dropEntries, dropEntry, putEntries, putEntry, readLoose } from './edit-json.ts'

const place = ['servers', 'yore'] as const
const entry = { command: 'node', args: ['yore.js', 'mcp'] }

const files: readonly [string, string][] = [
  ['nothing', '{}'],
  ['nothing on two lines', '{\n}\n'],
  ['a remark', '{ // mine\n}'],
  ['a byte order mark', '\ufeff{ "theme": "dark" }\n'],
  ['one line', '{"theme":"dark","servers":{"other":{"command":"x"}}}'],
  ['an empty list of servers', '{"servers":{},"a":[1,{"b":2}]}'],
  ['an empty list on its own line', '{\n\t"servers": {\n\t}\n}\n'],
  ['other servers', '{\n    "servers": {\n        "other": { "command": "x" }\n    },\n    "last": 1\n}\n'],
  ['Windows line ends', '{\r\n  "servers": {\r\n    "other": {}\r\n  }\r\n}\r\n'],
  [
    'remarks and trailing commas',
    '// top\n{\n  /* { */ "inputs": [],\n  "servers": {\n    "other": { "url": "http://x" }, // "yore": {\n    // end\n  },\n}\n',
  ],
  ['a remark behind the last value', '{\n  "a": true // yes\n}'],
  ['numbers and words', '{"a":-1.5e+3,"b":null,"c":"\\"}"}'],
]

describe.each(files)('%s', (_, text) => {
  const put = putEntry(text, place, entry)

  it('holds the entry and everything else', () => {
    const before = readLoose(text) as { servers?: object }
    expect(parseLooseJson(put)).toEqual({ ...before, servers: { ...before.servers, yore: entry } })
  })

  it('gets it replaced', () => {
    const other = { command: 'npx', args: [] }
    expect(dropEntry(putEntry(put, place, other), place)).toBe(text)
    expect(putEntry(put, place, entry)).toBe(put)
  })

  it('is the same bytes without it', () => {
    expect(dropEntry(put, place)).toBe(text)
  })
})

it('writes lines where the file has lines', () => {
  const text = '{\n    "servers": {\n        "other": {} // keep\n    }\n}\n'
  expect(putEntry(text, place, { command: 'x' })).toBe(
    '{\n    "servers": {\n        "yore": {\n            "command": "x"\n        },\n        "other": {} // keep\n    }\n}\n',
  )
})

it('leaves nothing of a file that was made for the entry', () => {
  const ours = { at: place, value: entry, isOurs: () => true }
  expect(dropEntries(putEntries(null, [ours]).text, [ours]).text).toBe(null)
})

it.each(['', '\n', ' \r\n', '\ufeff'])('gives a blank file %j back', (blank) => {
  const ours = { at: place, value: entry, isOurs: () => true }
  expect(dropEntries(putEntries(blank, [ours]).text, [ours]).text).toBe(blank)
})

it('takes out what follows other entries, with the comma before it and no comment', () => {
  const text = '{"servers":{\n  "a": 1, // keep\n  "yore": {"x":[1]}\n}}'
  expect(dropEntry(text, place)).toBe('{"servers":{\n  "a": 1 // keep\n}}')
})

it('takes the entry out from between others', () => {
  const text = '{"servers":{"a":1, "yore":{"x":[1]}, "b":2}}'
  expect(dropEntry(text, place)).toBe('{"servers":{"a":1, "b":2}}')
})

it('any file of values comes back, however it is indented', () => {
  const members = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  const indent = fc.constantFrom(undefined, 1, 4, '\t')
  fc.assert(
    fc.property(members, fc.option(members), indent, (others, servers, space) => {
      const { servers: _, ['__proto__']: __, ...rest } = others
      const inside =
        servers === null
          ? {}
          : {
              servers: Object.fromEntries(
                Object.entries(servers).filter(([key]) => key !== 'yore' && key !== '__proto__'),
              ),
            }
      const text = JSON.stringify({ ...rest, ...inside }, null, space)
      const put = putEntry(text, place, entry)
      expect(JSON.parse(put)).toMatchObject({ servers: { yore: entry } })
      expect(dropEntry(put, place)).toBe(text)
    }),
  )
})
