// What does an agent always read about this repository? A block in AGENTS.md or CLAUDE.md: what is where, which documents decide, how to ask.

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { findBlock } from '../../../corpus/indexing/written-by-yore.ts'
import { fileKindOf } from '../../../corpus/lookup/kind-of-file.ts'
import { type DocumentNode, listOriginals } from '../../../explore/describe-document.ts'
import { readAddedRoots } from '../../../model/config/added-roots.ts'
import { pathBelow } from '../../../model/config/path-below.ts'
import type { Environment } from '../../../model/config/state-folder.ts'
import { YoreError } from '../../../model/errors.ts'
import { clip } from '../../../model/mark-invisible.ts'
import { loadTokenizer } from '../../../read/assets/load-tokenizer.ts'
import type { CorpusEngine } from '../../engine/engine.ts'
import { writeOutput } from '../write-output.ts'
import { putBlock } from './edit-block.ts'

/** Tokens of the block with its marks. */
const MOST_TOKENS = 400
const MOST_FOLDERS = 8
const MOST_FILES = 3
const MOST_DOCUMENTS = 6
const LONGEST_TITLE = 50
/** A folder with more than this share of all references is listed by its own folders. */
const LARGE_SHARE = 0.2
/** Files that are read for the block, the most referenced first. */
const MOST_READ = 5000

/** The lines of the block. Without an index they say only how to ask. */
export async function describeRepository(
  engine: CorpusEngine | null,
  root: string,
): Promise<readonly string[]> {
  const graph = await engine?.documentGraph({ limit: MOST_READ, refresh: 'never' })
  // Files of added sources are not part of the repository, and a path must not end its code span.
  const isListed = ({ path: file }: DocumentNode): boolean =>
    !/[`\p{Cc}]/u.test(file) && existsSync(path.join(root, file))
  const originals = listOriginals(graph?.nodes ?? [])
  const nodes = originals.filter((node) => fileKindOf(node) !== 'tests' && isListed(node))
  const folders = listFolders(nodes)
  const documents = listDocuments(nodes)
  const countTokens = loadTokenizer('o200k')
  for (let most = folders.length; ; most--) {
    const lines = layOut(folders.slice(0, most), documents.slice(0, Math.max(1, most)))
    if (most === 0 || countTokens(putBlock(null, lines)) <= MOST_TOKENS) return lines
  }
}

function layOut(folders: readonly string[], documents: readonly string[]): string[] {
  return [
    '## Find things in this repository',
    ...(folders.length === 0 ? [] : ['', 'Where to start, by folder:', '', ...folders]),
    ...(documents.length === 0 ? [] : ['', 'Documents that decide:', '', ...documents]),
    '',
    `For any ${folders.length + documents.length === 0 ? '' : 'other '}question, call the tool \`assemble_context\` of yore with the question and with \`words\` that the answer may use: for "calls hang", \`words: ["timeout", "abort"]\`. In a shell: \`yore assemble "calls hang" --words "timeout, abort"\`.`,
  ]
}

/** The folders that are referenced most, each with its most referenced files. Hidden ones configure tools. */
function listFolders(nodes: readonly DocumentNode[]): string[] {
  const below = nodes.filter((node) => /^[^/.][^/]*(?:\/[^/.][^/]*)+$/.test(node.path))
  const weightOf = (held: readonly DocumentNode[]): number =>
    held.reduce((sum, { weight }) => sum + weight, 0)
  const large = weightOf(below) * LARGE_SHARE
  const split = (folder: string, held: readonly DocumentNode[]): [string, readonly DocumentNode[]][] =>
    [...partsOf(folder, held)].flatMap(([part, own]) =>
      part !== folder && weightOf(own) > large ? split(part, own) : [[part, own]],
    )
  return split('', below)
    .sort(([a, one], [b, two]) => weightOf(two) - weightOf(one) || (a < b ? -1 : 1))
    .slice(0, MOST_FOLDERS)
    .map(([folder, held]) => {
      const names = held.slice(0, MOST_FILES).map((node) => nameIn(folder, node))
      return `- \`${folder}/\`: ${names.join(', ')}`
    })
}

/** Files of a folder by the folders directly below it; its own files stay together. */
function partsOf(folder: string, held: readonly DocumentNode[]): Map<string, readonly DocumentNode[]> {
  const from = folder === '' ? 0 : folder.length + 1
  return Map.groupBy(held, ({ path: file }) => {
    const slash = file.indexOf('/', from)
    return slash === -1 ? folder : file.slice(0, slash)
  })
}

function nameIn(folder: string, node: DocumentNode): string {
  return fileKindOf(node) === 'docs' ? titleOf(node) : `\`${node.path.slice(folder.length + 1)}\``
}

/** Its title without characters that an agent's client may act upon, such as those of an import or a tag. */
function titleOf({ title, path: file }: DocumentNode): string {
  return clip(title.replace(/[`@<>[\]!*|]/g, '').trim() || path.posix.basename(file), LONGEST_TITLE)
}

const deciding =
  /(?:^|[/_-])(?:architecture|design|decisions?|adrs?|rfcs?|contribut\w*|conventions?|guidelines?|principles|polic(?:y|ies)|security|specs?|specification|standards|rules|governance)(?:[/._-]|$)/i

/** Documents about rules and decisions, the most referenced first; a folder with several is one line. */
function listDocuments(nodes: readonly DocumentNode[]): string[] {
  const documents = nodes.filter((node) => fileKindOf(node) === 'docs' && deciding.test(node.path))
  const folders = Map.groupBy(documents, ({ path: file }) => path.posix.dirname(file))
  return [...folders]
    .flatMap(([folder, held]) =>
      folder === '.' || held.length < 4
        ? held.map((node) => `- \`${node.path}\`: ${titleOf(node)}`)
        : [`- \`${folder}/\`: ${held.slice(0, MOST_FILES).map(titleOf).join(', ')} …`],
    )
    .slice(0, MOST_DOCUMENTS)
}

/** The text of a file; null when it is not there. Throws BAD_INPUT. */
export function readText(file: string): string | null {
  try {
    // Bytes that are no text would not survive the edit.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new YoreError('BAD_INPUT', `cannot read ${file}`, {
      hint: 'check that it is a text file in UTF-8 that you may read',
      cause,
    })
  }
}

/** Throws OUTSIDE_ROOT if a symbolic link of the repository would redirect a write. */
export function refuseLinkOut(base: string, file: string): void {
  let place = file
  while (!existsSync(place)) place = path.dirname(place)
  if (pathBelow(realpathSync(base), realpathSync(place)) === null)
    throw new YoreError('OUTSIDE_ROOT', `${file} leads out of the project by a link`)
}

/** The files whose block `yore index` may refresh, as `client file`. */
export const blockEntries = (root: string, env: Environment): readonly string[] =>
  readAddedRoots(root, env, 'agent-blocks')

/** Refreshes stale blocks where the user allowed it; gives the files that changed. A block that was removed stays away. */
export async function refreshBlocks(
  engine: CorpusEngine,
  root: string,
  env: Environment,
): Promise<readonly string[]> {
  const names = new Set(blockEntries(root, env).map((entry) => entry.slice(entry.indexOf(' ') + 1)))
  const changed: string[] = []
  let lines: readonly string[] | null = null
  for (const name of names) {
    const file = path.join(root, name)
    const text = readText(file) ?? ''
    if (findBlock(text) === null) continue
    refuseLinkOut(root, file)
    lines ??= await describeRepository(engine, root)
    const after = putBlock(text, lines)
    if (after === text) continue
    writeOutput(file, after)
    changed.push(name)
  }
  return changed
}
