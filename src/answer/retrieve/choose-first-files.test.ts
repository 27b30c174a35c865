// Does a first question to a large repository find its files, however many there are?
import { expect, it } from 'vitest'
import { makeFolder, writeFiles } from '../../../test/temporary-corpus.ts'
import type { FileStamp } from '../../model/source-file.ts'
import { analyzeQuery } from './analyze-query.ts'
import { chooseFirstFiles } from './choose-first-files.ts'

const stampOf = (path: string, size: number): FileStamp => ({ path, size, mtime: 1, ctime: 1, inode: 1 })

/** The first files for a question to this number of files, of which these exist. */
function choose(count: number, files: Readonly<Record<string, string>>, question: string): readonly string[] {
  const root = makeFolder()
  writeFiles(root, files)
  const others = Array.from({ length: count }, (_, at) => stampOf(`a/${String(at).padStart(6, '0')}.md`, 500))
  const known = Object.entries(files).map(([path, text]) => stampOf(path, text.length))
  const chosen = chooseFirstFiles(root, [...others, ...known], analyzeQuery(question).terms, () => true)
  return (chosen ?? []).map(({ path }) => path)
}

it('reads more than 20,000 files for the words of a question', () => {
  const files = { 'b/notes.md': 'The walrus snapshot is restored by a rollback.\n' }
  expect(choose(26_000, files, 'Who restores the walrus snapshot?')[0]).toBe('b/notes.md')
})

it('chooses by their paths those beyond what it reads', () => {
  const files = { 'b/walrus-snapshot.md': 'Text.\n', 'b/other.md': 'The walrus snapshot.\n' }
  const chosen = choose(50_000, files, 'Who restores the walrus snapshot?')
  expect([chosen[0], chosen.length]).toEqual(['b/walrus-snapshot.md', 64])
})
