// Does a nearly identical copy of a passage take tokens from others?
import { expect, it } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import { indexFiles } from './indexed-fixture.ts'

const lines = Array.from(
  { length: 12 },
  (_, at) => `  buffer = resize(buffer, ${at}, capacity * ${at + 2})\n`,
)
const resize = (first: string, body: readonly string[] = lines): string =>
  `/** Grows the ring buffer of events. */\nexport function growRing(buffer, capacity) {\n  ${first}\n${body.join('')}  return buffer\n}\n`

it('shows one of two nearly identical functions, and says in an explanation which was dropped', async () => {
  const { engine } = await indexFiles(
    { 'src/ring.js': resize('check(buffer)'), 'lib/copy/ring.js': resize('verify(buffer)') },
    defaultSettings,
  )
  const { digest, explanation } = await engine.assemble('How does the ring buffer of events grow?', {
    explain: true,
  })
  expect(digest.primary.map(({ path }) => path)).toHaveLength(1)
  expect(explanation).toMatch(/duplicate +(?:lib\/copy|src)\/ring\.js/)
})

it('shows both of two functions of the same name that differ', async () => {
  const windows = lines.map((line) =>
    line.replace('resize', 'VirtualAlloc').replace('capacity', 'MEM_COMMIT'),
  )
  const { engine } = await indexFiles(
    { 'unix/ring.js': resize('check(buffer)'), 'win/ring.js': resize('check(buffer)', windows) },
    defaultSettings,
  )
  const { digest } = await engine.assemble('How does the ring buffer of events grow?')
  expect(digest.primary.map(({ path }) => path).toSorted()).toEqual(['unix/ring.js', 'win/ring.js'])
})
