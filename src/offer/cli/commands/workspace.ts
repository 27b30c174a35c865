// Which repositories answer together? `yore workspace` lists, adds and removes them in a file that a team can commit.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { readAddedRoots, writeAddedRoots } from '../../../model/config/added-roots.ts'
import { findCorpus } from '../../../model/config/find-root.ts'
import { loadSettings } from '../../../model/config/load-settings.ts'
import {
  makeEntry,
  readEntry,
  readWorkspace,
  readWorkspaceEntries,
  type Workspace,
} from '../../../model/config/workspace.ts'
import { YoreError } from '../../../model/errors.ts'
import { formatCount, formatQuantity } from '../../../model/format-numbers.ts'
import { product } from '../../../model/version.ts'
import type { MemberReport, OpenedWorkspace } from '../../engine/open-workspace.ts'
import { type Command, plainCommand } from '../command.ts'
import { printable } from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import { note, show, warn } from '../terminal.ts'
import { writeOutput } from '../write-output.ts'

const { root } = corpusOptions
const { workspaceFile } = product
const folders = {
  form: 'paths',
  required: false,
  help: 'Repositories, or a folder of clones; NAME=FOLDER sets a name.',
} as const

interface Place {
  readonly cwd: string
  readonly root: string
}

/** The folder with the file; without one, the current repository or folder. */
function findPlace(given: string | undefined): Place {
  const cwd = process.cwd()
  return { cwd, root: findCorpus({ cwd, root: given }).root }
}

async function open(workspace: Workspace): Promise<OpenedWorkspace> {
  const { openWorkspace } = await import('../../engine/open-workspace.ts')
  const { root } = workspace
  const { env } = process
  const { settings } = loadSettings({ root, env })
  return openWorkspace({ root, indexDir: root, settings, now: Date.now, clock: Date.now, env, workspace })
}

function write(root: string, repositories: readonly string[]): void {
  writeOutput(path.join(root, workspaceFile), `${JSON.stringify({ repositories }, null, 2)}\n`)
}

const add: Command = plainCommand(
  {
    name: 'workspace add',
    summary: 'Add repositories, or a folder of clones, and index them in the background.',
    details: ["Without a folder it allows what a colleague's file lists."],
    arguments: { path: folders },
    options: {},
    examples: ['yore workspace add ../api ../web', 'yore workspace add ~/clones'],
  },
  async (input) => {
    const place = findPlace(undefined)
    const before = readWorkspaceEntries(place.root)
    // The repository that others are added to answers, too.
    const own = before === null && existsSync(path.join(place.root, '.git')) ? ['.'] : []
    const known = before ?? own
    const entries = input.path.map((one) => makeEntry(one, place))
    const texts = [...new Set([...known, ...entries.map(({ text }) => text)])]
    if (texts.length === 0)
      throw new YoreError('BAD_INPUT', 'no repository is named', { hint: 'yore workspace add ../api ../web' })
    const allowed = readAddedRoots(place.root, process.env, 'workspaces')
    const wanted = entries.length > 0 ? entries : known.map((one) => readEntry(one, place.root))
    const all = [...new Set([...allowed, ...wanted.map(({ folder }) => folder)])]
    writeAddedRoots(place.root, process.env, all, 'workspaces')
    if (texts.length > (before ?? []).length) write(place.root, texts)
    return listMembers(place.root, { json: false })
  },
)

const remove: Command = plainCommand(
  {
    name: 'workspace remove',
    summary: 'Remove repositories by name or folder; their indexes stay.',
    arguments: { path: { ...folders, required: true, help: 'Names or folders.' } },
    options: {},
    examples: ['yore workspace remove web'],
  },
  async (input) => {
    const place = findPlace(undefined)
    const workspace = require(place.root)
    let entries = (readWorkspaceEntries(place.root) ?? []).map((one) => readEntry(one, place.root))
    for (const given of input.path) {
      const member = workspace.members.find(({ name }) => name === given)
      const removed = member?.root ?? readEntry(given, place.cwd).folder
      const kept = entries.filter(({ folder }) => folder !== removed)
      if (kept.length === entries.length)
        throw new YoreError('BAD_INPUT', `${workspaceFile} does not list ${given}`, {
          hint: `it lists ${entries.map(({ text }) => text).join(', ')}`,
        })
      entries = kept
    }
    const left = new Set(entries.map(({ folder }) => folder))
    const allowed = readAddedRoots(place.root, process.env, 'workspaces')
    writeAddedRoots(
      place.root,
      process.env,
      allowed.filter((one) => left.has(one)),
      'workspaces',
    )
    write(
      place.root,
      entries.map(({ text }) => text),
    )
    return listMembers(place.root, { json: false })
  },
)

function require(root: string): Workspace {
  const workspace = readWorkspace(root, process.env)
  if (workspace !== null) return workspace
  throw new YoreError('BAD_INPUT', `no ${workspaceFile} in ${root}`, {
    hint: 'make one: yore workspace add ../api ../web',
  })
}

/** Prints the repositories and the state of their indexes. Starts the background process where one is missing. */
export async function listMembers(root: string, input: { readonly json: boolean }): Promise<number> {
  const workspace = require(root)
  using engine = await open(workspace)
  engine.startIndexing()
  const members = engine.members()
  show(input, { ...workspace, members }, () => members.map(printMember).join(''))
  warn(workspace.warnings)
  const left = members.filter(({ state }) => state === 'waiting' || state === 'being indexed').length
  if (left > 0)
    note(
      `${left} of ${formatCount(members.length)} repositories are being indexed in the background; \`yore workspace\` shows the progress`,
    )
  return 0
}

function printMember({ name, root, state, files, failure }: MemberReport): string {
  const count = files > 0 ? `, ${formatQuantity(files, 'file')}` : ''
  return printable(`${name}  ${root}  ${failure === undefined ? state : failure}${count}`).concat('\n')
}

export const command: Command = {
  ...plainCommand(
    {
      name: 'workspace',
      summary: 'List the repositories that answer together; add and remove them.',
      details: ['More about it: {docs}/guides/workspaces.md.'],
      arguments: {},
      options: { root, json },
      examples: ['yore workspace', 'yore workspace add ../api ../web'],
    },
    async (input) => listMembers(findPlace(input.root).root, input),
  ),
  subcommands: [add, remove],
}
