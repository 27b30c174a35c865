// Does the source of a program lead over its manifest, and over programs that test it?
import { expect, it } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import { indexFiles } from './indexed-fixture.ts'

const { engine } = await indexFiles(
  {
    'package.json': JSON.stringify(
      {
        name: 'web',
        description: 'Secure cookie helper: signed cookie, cookie prefix, cookie options',
        keywords: ['cookie', 'cookie helper', 'signed', 'secure'],
        dependencies: { mime: '^3.0.0' },
      },
      null,
      2,
    ),
    'src/helper.ts':
      "/** Sets a cookie on the response. */\nexport function writeHeader(name: string): string {\n  return name + '=1; Secure'\n}\n",
    'src/serve.ts':
      '/** Serves static files from a folder. */\nexport function serve(folder: string): string {\n  return folder\n}\n',
    'runtime-tests/deno/serve.ts':
      '/** Serves static files from a folder: static files of a static folder. */\nexport function serve(folder: string): string {\n  return folder\n}\n',
  },
  defaultSettings,
)
const first = async (question: string): Promise<string | undefined> =>
  (await engine.assemble(question)).digest.primary[0]?.path

it('shows the manifest first for a question about the package', async () => {
  expect(await first('Which dependencies does the cookie helper package have?')).toBe('package.json')
})

it('shows the source before a folder of tests', async () => {
  expect(await first('Where are static files served from a folder?')).toBe('src/serve.ts')
})
