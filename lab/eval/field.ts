// How does yore stand on the field's own yardsticks? Public sets over public repositories, one command for all of them.
//
// node lab/eval/field.ts SET --snapshots FOLDER [--half A|B|all] [--tool yore|windows|…] [--sample N] [--repo NAME,…] [--ablate] [--misses] [--record FILE] [--resume FILE]
// SET is codesearch, localise, swebench, contextbench or sweqa. FOLDER holds git directories, `owner+name/repo`.
// With --resume each question's measures are appended to FILE, questions that it has are skipped, and one index per repository is kept.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { featureTable } from '../../src/answer/retrieve/feature-table.ts'
import { defaultSettings } from '../../src/model/config/settings.ts'
import { loadTokenizer } from '../../src/read/assets/load-tokenizer.ts'
import type { FieldQuestion, FieldTool, Measures } from './field-sets.ts'
import { fieldSets } from './field-sets.ts'
import { openPeer } from './field-tools.ts'
import { type Half, pickQuestions } from './figures.ts'
import { dateOf, layOut } from './lay-out.ts'
import { estimate } from './measures.ts'
import { cacheFolder, modelFolder, prepareFolder } from './prepare-corpus.ts'
import { evalFolder, readRows } from './read-sets.ts'
import { placesOf } from './score-real.ts'

/** Hits that an agent would read on, and those that hold ten files. */
const READ = 50
const MANY = 300

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    snapshots: { type: 'string', default: process.env['YORE_SNAPSHOTS'] ?? '' },
    half: { type: 'string', default: 'A' },
    tool: { type: 'string', default: 'yore' },
    sample: { type: 'string' },
    repo: { type: 'string', default: '' },
    ablate: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    record: { type: 'string' },
    resume: { type: 'string', default: '' },
  },
})
const [name = ''] = positionals
const set = fieldSets[name]
if (set === undefined) throw new Error(`name a set: ${Object.keys(fieldSets).join(', ')}`)
const countTokens = loadTokenizer()

interface Room {
  readonly questions: readonly FieldQuestion[]
  /** The folder that is indexed. */
  readonly root: string
}

/** yore as a user has it, over the index of one commit. That of the commit before is taken along and brought up to date. */
async function openYore({ questions, root }: Room, before: string): Promise<FieldTool & { folder: string }> {
  const [{ repository, commit }] = questions as [FieldQuestion]
  const folder = join(root, '..', `index-${commit.slice(0, 12)}`)
  const settings = { ...defaultSettings, 'embedding.model': modelFolder(), refresh: 'never' } as const
  const { engine } = await prepareFolder(
    { name: `${repository} ${commit.slice(0, 12)}`, root, folder, settings },
    {
      content: commit,
      write: () => {
        writeTree(questions[0] as FieldQuestion, root)
        if (before !== '' && before !== folder) takeIndex(before, folder)
      },
    },
  )
  return {
    folder,
    list: async (text) => {
      const { hits } = await engine.search(text, { limit: name === 'codesearch' ? READ : MANY })
      return hits.map(({ path, lines, matchedLines, excerpt }) => ({
        path,
        ...lines,
        shown: excerpt.text,
        matched: { path, ...(matchedLines[0] ?? lines) },
      }))
    },
    digest: async (text, maxTokens) => {
      const { digest, output } = await engine.assemble(text, { maxTokens, layout: 'brief' })
      return { places: placesOf(digest), tokens: countTokens(output) }
    },
    close: () => engine.close(),
  }
}

/** A resumed run moves the index along: hundreds of copies would fill a disk. */
function takeIndex(before: string, folder: string): void {
  if (options.resume === '') {
    cpSync(join(before, 'index'), join(folder, 'index'), { recursive: true })
    return
  }
  mkdirSync(folder, { recursive: true })
  renameSync(join(before, 'index'), join(folder, 'index'))
  rmSync(before, { recursive: true })
}

/** The index that an interrupted run left behind; empty without one. */
function findIndexLeft([room]: readonly Room[]): string {
  if (options.resume === '' || room === undefined || !existsSync(dirname(room.root))) return ''
  const left = readdirSync(dirname(room.root)).find((one) => one.startsWith('index-'))
  return left === undefined ? '' : join(dirname(room.root), left)
}

function writeTree(question: FieldQuestion, root: string): void {
  const absent = layOut(options.snapshots, question, root)
  if (absent > 0) console.error(`${question.repository}: the snapshot lacks ${absent} files`)
}

/** Questions by repository and commit, oldest commit first. */
function groupRooms(questions: readonly FieldQuestion[]): Room[][] {
  const rooms: Room[][] = []
  for (const [repository, own] of Map.groupBy(questions, (one) => `${one.repository} ${one.root}`)) {
    const root = join(cacheFolder(), 'field', name, repository.replaceAll(/[/ ]/g, '+'), 'tree')
    const dated = [...Map.groupBy(own, ({ commit }) => commit).values()].flatMap((some) => {
      const [first] = some as [FieldQuestion]
      const date = dateOf(options.snapshots, first)
      if (date !== null) return [{ date, room: { questions: some, root } }]
      console.error(
        `ABSENT, ${some.length} questions not asked: ${first.repository} at ${first.commit.slice(0, 12)}`,
      )
      return []
    })
    rooms.push(dated.sort((a, b) => a.date - b.date).map(({ room }) => room))
  }
  return rooms
}

interface Result {
  readonly question: FieldQuestion
  readonly measures: Measures
}

const results = new Map<string, Result[]>([['', []]])
const topics = Object.entries(featureTable).filter(
  ([, { weight, when }]) => weight !== 0 && when !== undefined,
)

async function askRoom(tool: FieldTool, { questions, root }: Room): Promise<void> {
  const counting = {
    ofText: countTokens,
    ofPlace: ({ path, start, end }: { path: string; start: number; end: number }): number => {
      const lines = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8').split('\n') : []
      return countTokens(lines.slice(start - 1, end).join('\n'))
    },
  }
  const ask = async (question: FieldQuestion, without: string): Promise<void> => {
    const measures = await set!.score(tool, question, counting)
    results.set(without, [...(results.get(without) ?? []), { question, measures }])
    if (options.resume !== '' && without === '')
      appendFileSync(options.resume, `${JSON.stringify({ _id: question._id, measures })}\n`)
    if (options.misses && Object.values(measures)[0] !== 1)
      console.log(
        `${question._id} ${Object.values(measures)
          .map((one) => one.toFixed(2))
          .join(' ')} ${[...new Set(question.gold.map(({ path }) => path))].join(' ')} | ${(
          await tool.list(question.text)
        )
          .slice(0, 4)
          .map(({ path }) => path)
          .join(' ')} | ${JSON.stringify(question.text.slice(0, 160))}`,
      )
  }
  for (const question of questions) {
    await ask(question, '')
    if (!options.ablate) continue
    for (const [feature, entry] of topics) {
      const { weight } = entry
      Object.assign(entry, { weight: 0 })
      await ask(question, feature)
      Object.assign(entry, { weight })
    }
  }
}

function tableOf(some: readonly Result[]): string[] {
  const measures = [...new Set(some.flatMap((one) => Object.keys(one.measures)))]
  const format = (value: number): string => (value > 1.5 ? value.toFixed(0) : value.toFixed(3))
  const row = (title: string, those: readonly Result[], wide: boolean): string => {
    const cells = measures.map((measure) => {
      const values = those.flatMap(({ measures: { [measure]: value } }) =>
        value === undefined ? [] : [value],
      )
      const { mean, low, high } = estimate(values)
      return wide && mean <= 1.5 ? `${format(mean)} [${format(low)}, ${format(high)}]` : format(mean)
    })
    return `| ${title} | ${those.length} | ${cells.join(' | ')} |`
  }
  const groups = [...Map.groupBy(some, ({ question }) => question.group)].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    `| | questions | ${measures.join(' | ')} |`,
    `|---|---|${measures.map(() => '---|').join('')}`,
    row('all', some, true),
    ...groups.map(([group, those]) => row(group, those, false)),
  ]
}

const shared = evalFolder()
if (shared === null || !existsSync(join(shared, name)) || options.snapshots === '') {
  console.error(`SKIPPED: no questions of ${name}, or no --snapshots FOLDER of git directories`)
} else {
  const inHalf = set
    .read(join(shared, name))
    .filter(
      ({ half, repository }) =>
        (options.half === 'all' || half === options.half) &&
        options.repo.split(',').some((one) => repository.includes(one)),
    )
  const sample = options.sample === undefined ? null : Number(options.sample)
  const picked = pickQuestions(inHalf, { half: 'all' as Half, sample })
  const started = process.cpuUsage()
  const answered = new Map(
    existsSync(options.resume)
      ? readRows<{ _id: string; measures: Measures }>(options.resume).map((row) => [row._id, row.measures])
      : [],
  )
  for (const question of picked) {
    const measures = answered.get(question._id)
    if (measures !== undefined) results.get('')?.push({ question, measures })
  }
  for (const rooms of groupRooms(picked.filter(({ _id }) => !answered.has(_id)))) {
    let before = findIndexLeft(rooms)
    for (const room of rooms) {
      if (options.tool === 'yore') {
        const tool = await openYore(room, before)
        before = tool.folder
        await askRoom(tool, room)
        tool.close()
      } else {
        writeTree(room.questions[0] as FieldQuestion, room.root)
        const texts = room.questions.map(({ text }) => text)
        const tool = openPeer(options.tool, room.root, texts)
        await askRoom(tool, room)
        tool.close()
      }
    }
  }
  const { user, system } = process.cpuUsage(started)
  const all = results.get('') ?? []
  const [measure = ''] = Object.keys(all[0]?.measures ?? {})
  const ablation = [...results].flatMap(([feature, some]) =>
    results.size === 1
      ? []
      : [
          `| ${feature === '' ? 'nothing' : `\`${feature}\``} | ${tableOf(some)[2]?.split(' | ').slice(2, 6).join(' | ')} |`,
        ],
  )
  const text = [
    `# ${name}, half ${options.half}, ${options.tool}`,
    '',
    `${all.length} of ${inHalf.length} questions over ${new Set(all.map(({ question }) => question.repository)).size} repositories; ${((user + system) / 1e6).toFixed(0)} s of processor time.`,
    '',
    ...tableOf(all),
    ...(ablation.length === 0 ? [] : ['', `| without | ${measure} and the next |`, '|---|---|', ...ablation]),
    '',
  ].join('\n')
  console.log(text)
  if (options.record !== undefined) writeFileSync(options.record, text)
}
