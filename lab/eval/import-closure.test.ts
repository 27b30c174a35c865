// Is an index built again when the code that makes it changes? The closure has every file that indexing loads.
import { execFileSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { makeTestTree } from '../../test/support/test-tree.ts'
import { importClosure } from './import-closure.ts'

const repository = join(import.meta.dirname, '../..')
const closure = importClosure(join(repository, 'src/corpus/indexing/index-corpus.ts')).map((file) =>
  relative(repository, file).replaceAll('\\', '/'),
)

it('follows values, awaited imports and workers, and no types', () => {
  const root = makeTestTree({
    'a.ts': `import type { T } from './type.ts'\nimport {\n  b,\n  type B,\n} from './sub/b.ts'\nconst c = await import('./c.ts')\nnew Worker(new URL(\`./w\${extname(x)}\`))\n`,
    'sub/b.ts': "export { d } from '../d.ts'\nimport '../a.ts'\nimport { join } from 'node:path'\n",
    'c.ts': '',
    'd.ts': '',
    'w.ts': '',
    'type.ts': '',
  })
  expect(importClosure(join(root, 'a.ts')).map((file) => relative(root, file).replaceAll('\\', '/'))).toEqual(
    ['a.ts', 'c.ts', 'd.ts', 'sub/b.ts', 'w.ts'],
  )
})

it('holds what decides words, names, references and rows, and nothing that only answers', () => {
  for (const file of [
    'corpus/indexing/parse-worker',
    'read/parse/markdown/parse-markdown',
    'corpus/store/schema',
  ])
    expect(closure).toContain(`src/${file}.ts`)
  expect(closure.filter((file) => /^src\/(?:answer|explore|check|offer)\/|\.test\.ts$/.test(file))).toEqual(
    [],
  )
})

it('holds every module that Node loads for an index', () => {
  const root = makeTestTree({
    'a.md': '# A\n\nSee ADR-1.\n',
    'docs/adr/ADR-1.md': '# One\n',
    'b.py': 'import os\n',
  })
  const program = `
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { console.log(url); return next(url, context) } })
    const { openEngine } = await import(${JSON.stringify(join(repository, 'src/index.ts'))})
    console.log('opened')
    const engine = openEngine(${JSON.stringify(root)})
    await engine.index()
    engine.close()`
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const indexing = loaded
    .slice(loaded.indexOf('opened'))
    .matchAll(/\/(src\/(?:model|read|corpus)\/[\w/.-]+\.ts)$/gm)
  const missing = [...indexing].map(([, file]) => file as string).filter((file) => !closure.includes(file))
  expect(missing).toEqual([])
})
