// How large may an index get, and how hungry its maker? T36: hostile files of every kind, small ones in CI and 2 MB each with YORE_SLOW=1.
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { IndexReport } from '../src/model/report.ts'
import { parseDocument } from '../src/read/parse/parse-document.ts'
import { adversarialFiles } from './adversarial-files.ts'
import type { ProcessTask } from './index-process.ts'
import { processorTime } from './processor-time.ts'
import { parseAs } from './support/code-tool.ts'
import { indexFolder, makeFolder, openCorpus, removeFolder, slow, writeFiles } from './temporary-corpus.ts'

const megabyte = 2 ** 20
const fileBytes = slow ? 2 * megabyte : 40_000
/** An index without anything in it, and the rows that each file may have whatever its size. */
const freeBytes = 1088 * 1024

const folders: string[] = []
afterAll(() => folders.forEach(removeFolder))
function newFolder(): string {
  const folder = makeFolder()
  folders.push(folder)
  return folder
}

function indexBytes(root: string): number {
  const folder = path.join(root, '.yore')
  return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)
}

interface Use {
  readonly maxRss: number
  /** Of the processor, in all threads. */
  readonly seconds: number
}
type Measured = IndexReport & Use

/** In a process of its own, whose memory is its own. */
function measure(root: string): Measured {
  const task: ProcessTask = { root, do: 'measure' }
  const program = path.join(import.meta.dirname, 'index-process.ts')
  const arguments_ = ['--disable-warning=ExperimentalWarning', program, JSON.stringify(task)]
  return JSON.parse(
    execFileSync(process.execPath, arguments_, { encoding: 'utf8', maxBuffer: 64 * megabyte }),
  )
}

describe('T36: an index', () => {
  it.each(Object.entries(adversarialFiles))(
    'stays below 20 times its source: %s',
    async (name, make) => {
      const root = newFolder()
      const text = make(fileBytes)
      writeFiles(root, { [name]: text, 'README.md': '# Lighthouse\n' })
      const { maxRss, seconds } = slow ? measure(root) : await openAndIndex(root)
      const ratio = (indexBytes(root) - freeBytes) / Buffer.byteLength(text)
      if (slow)
        console.log(
          name,
          `${ratio.toFixed(1)} x`,
          `${seconds.toFixed(1)} s`,
          `${(maxRss / megabyte).toFixed(0)} MB`,
        )
      expect(ratio).toBeLessThanOrEqual(20)
      expect(seconds).toBeLessThan(60)
      expect(maxRss).toBeLessThanOrEqual(512 * megabyte)
      removeFolder(root)
    },
    600_000,
  )

  it.each([
    { count: 60_000, megabytes: 400, part: (n: number) => `# Heading ${n}\n\nab\n` },
    {
      count: 44_000,
      megabytes: 470,
      part: (n: number) => `## Same heading\n\nText about ${n} of the file.\n`,
    },
  ])(
    'of $count headings is made in $megabytes MB, in time that is linear',
    ({ count, megabytes, part }) => {
      const measureHeadings = (length: number): Use => {
        const root = newFolder()
        writeFiles(root, { 'headings.md': Array.from({ length }, (_, n) => part(n)).join('') })
        return measure(root)
      }
      const [quarter, all] = [measureHeadings(count / 4), measureHeadings(count)]
      expect(all.maxRss / megabyte).toBeLessThanOrEqual(megabytes)
      expect(all.seconds).toBeLessThan(5 * quarter.seconds)
    },
    600_000,
  )

  it('of C++ does not take the 200 MB with which V8 would optimize the lexer', () => {
    const root = newFolder()
    const part = (n: number): string =>
      `template <class A> int Box${n}::put(const A &a) {\n  if (a > ${n}) throw Full("full", 'x'); // ${n}\n  return size_++;\n}\n\n`
    for (let file = 0; file < 20; file++)
      writeFiles(root, { [`box${file}.cpp`]: Array.from({ length: 100 }, (_, n) => part(n)).join('') })
    expect(measure(root).maxRss / megabyte).toBeLessThanOrEqual(256)
  }, 600_000)

  it('of all of them at once is made in 512 MB', () => {
    const root = newFolder()
    for (const [name, make] of Object.entries(adversarialFiles)) writeFiles(root, { [name]: make(40_000) })
    const { maxRss, indexed } = measure(root)
    expect(indexed).toBeGreaterThan(50)
    expect(maxRss).toBeLessThanOrEqual(512 * megabyte)
  }, 600_000)
})

async function openAndIndex(root: string): Promise<Use> {
  const started = processorTime()
  await indexFolder(root)
  return { maxRss: 0, seconds: (processorTime() - started) / 1000 }
}

describe('what is bounded', () => {
  const parse = (text: string) => parseDocument({ path: 'a.md', language: 'markdown', text })

  it('keeps every heading and every link of a file that a person wrote', () => {
    const text = Array.from(
      { length: 800 },
      (_, n) =>
        `## Part ${n}\n\nSee [part ${n}](b${n}.md) for more of it, and come back here when you are done.\n`,
    )
    const { artifacts, mentions } = parse(text.join('\n'))
    expect([artifacts.length, mentions.length]).toEqual([801, 800])
  })

  it('reads an interface of several hundred one-line methods by its grammar', async () => {
    const methods = Array.from({ length: 300 }, (_, n) => `  String method${n}(int n);\n`).join('')
    const { artifacts } = await parseAs(
      'src/main/java/org/app/Methods.java',
      `interface Methods {\n${methods}}\n`,
    )
    expect(artifacts.filter(({ kind }) => kind === 'java_class_function')).toHaveLength(300)
  })

  it('makes a section of each of several hundred short headings', () => {
    const text = Array.from({ length: 900 }, (_, n) => `## Setting number ${n}\n\n`).join('')
    expect(parse(text).artifacts.length).toBe(901)
    expect(parse(text).warning).toBeUndefined()
  })

  it('keeps the first link from a section to a target before the second one', () => {
    const again = '[a]\n'.repeat(20_000)
    const { mentions } = parse(`[a]: ${'t'.repeat(9_000)}\n\n${again}\n# Last\n\n[other](b.md)\n`)
    expect(mentions.at(-1)?.target).toBe('b.md')
    expect(mentions.length).toBeLessThan(1_000)
    expect(Math.max(...mentions.map(({ target }) => target.length))).toBe(2_000)
  })

  it('leaves the text of headings that become no section in the section before', () => {
    const text = '# a\n'.repeat(50_000)
    const { artifacts, warning } = parse(text)
    expect(artifacts.map((artifact) => artifact.text).join('')).toBe(text)
    expect(artifacts.length).toBeLessThan(text.length / 40)
    expect(artifacts.length - 1 + Number.parseInt(warning ?? '', 10)).toBe(50_000)
  })

  it('reports how many headings became no section', async () => {
    const root = newFolder()
    writeFiles(root, { 'many.md': '# a\n'.repeat(50_000) })
    using engine = openCorpus(root)
    const { notices } = await engine.index()
    expect(notices).toEqual([
      expect.stringMatching(/^many\.md: \d+ headings over the limit of a file are not sections$/),
    ])
  })
})
