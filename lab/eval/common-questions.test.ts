// Does yore answer common questions about itself from its own documents? Each has the pages that answer it.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { parseDigest } from '../../test/parse-digest.ts'

const repository = path.join(import.meta.dirname, '../..')
/** What a user reads, so without the page that compares yore with its design documents; the same time for every file, so that the result does not depend on the checkout. */
const folders = ['docs/tutorial', 'docs/guides', 'docs/reference', 'docs/explanation']
const when = Date.parse('2026-01-01T00:00:00Z')
const maxTokens = 900

/** Raise these when more are right; never lower them for a change of ranking or of words. */
const rightFirst = 38
const rightQuoted = 47

interface CommonQuestion {
  readonly id: string
  readonly question: string
  /** Pages of which each would do. */
  readonly accepted: readonly string[]
}

const questions = readFileSync(path.join(import.meta.dirname, 'own/common-questions.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CommonQuestion)

it('expects pages that exist', () => {
  const accepted = questions.flatMap((one) => one.accepted)
  expect(accepted.filter((page) => !existsSync(path.join(repository, page)))).toEqual([])
})

it('answers most of them, from the right page first', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'yore-common-'))
  try {
    const pages = folders.flatMap((folder) => {
      mkdirSync(path.join(root, folder), { recursive: true })
      return readdirSync(path.join(repository, folder)).map((name) => `${folder}/${name}`)
    })
    for (const page of ['README.md', ...pages]) {
      copyFileSync(path.join(repository, page), path.join(root, page))
      utimesSync(path.join(root, page), when / 1000, when / 1000)
    }
    using engine = openEngine(root, { env: {} })
    await engine.index()
    const wrong: string[] = []
    let [first, quoted] = [0, 0]
    for (const { id, question, accepted } of questions) {
      const { output } = await engine.assemble(question, { maxTokens, layout: 'brief', now: when })
      const { passages, expanded } = parseDigest(output)
      const shown = [...passages, ...expanded].map((passage) => passage.path)
      if (accepted.includes(shown[0] ?? '')) first++
      else wrong.push(`${id} ${question}: ${shown[0] ?? 'nothing'}`)
      if (shown.some((page) => accepted.includes(page))) quoted++
    }
    console.log(
      `${first} of ${questions.length} right first, ${quoted} quoted in ${maxTokens} tokens\n${wrong.join('\n')}`,
    )
    expect(first).toBeGreaterThanOrEqual(rightFirst)
    expect(quoted).toBeGreaterThanOrEqual(rightQuoted)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
