// What does the landing page show? One question to a small repository becoming one digest, asked of yore when the site is built.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { repository } from './pages.ts'

export interface Shown {
  readonly question: string
  readonly budget: number
  readonly tokensUsed: number
  readonly tokensOfAll: number
  readonly files: readonly { readonly path: string; readonly role: 'answer' | 'reference' | 'unused' }[]
  readonly candidates: number
  readonly digest: string
}

const question = 'How are failed jobs retried?'
const budget = 700
const when = Date.parse('2025-11-29T15:23:00Z')

export async function showOneQuestion(): Promise<Shown> {
  const root = mkdtempSync(path.join(tmpdir(), 'yore-site-'))
  try {
    cpSync(path.join(repository, 'test/fixtures/mixed'), root, { recursive: true })
    const names = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
    let tokensOfAll = 0
    for (const name of names) {
      tokensOfAll += countTokens(readFileSync(name, 'utf8'))
      utimesSync(name, when / 1000, when / 1000)
    }
    using engine = openEngine(root)
    await engine.index()
    const { output, digest, tokensUsed } = await engine.assemble(question, { maxTokens: budget, now: when })
    const answers = new Set(digest.primary.map((passage) => passage.path))
    const references = new Set(digest.expanded.map((document) => document.path))
    const files = names.map((name) => {
      const file = path.relative(root, name).replaceAll(path.sep, '/')
      const role = answers.has(file) ? 'answer' : references.has(file) ? 'reference' : 'unused'
      return { path: file, role } as const
    })
    return {
      question,
      budget,
      tokensUsed,
      tokensOfAll,
      files,
      candidates: digest.candidateSections,
      digest: output,
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
