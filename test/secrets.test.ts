// Is a secret in an ordinary file ever stored, shown or sent? T27: canaries in every kind of place, every output read.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import { callTool } from '../src/offer/mcp/call-tool.ts'
import { Contexts } from '../src/offer/mcp/contexts.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { canaryKinds, canaryPlaces } from './canaries.ts'
import { makeFolder, openCorpus, runSeed, slow, writeFiles } from './temporary-corpus.ts'

/** So much of a secret in a row counts as a leak. */
const LEAK = 8

function findLeak(output: string, hidden: readonly string[]): string | null {
  for (const secret of hidden)
    for (let at = 0; at + LEAK <= secret.length; at++)
      if (output.includes(secret.slice(at, at + LEAK))) return secret.slice(at, at + LEAK)
  return null
}

/** A run of digits without the hash in it, which may have other digits beside it. */
function withoutHash(digits: string, hashes: ReadonlySet<string>): string {
  for (let at = 0; at + 64 <= digits.length; at++)
    if (hashes.has(digits.slice(at, at + 64))) return `${digits.slice(0, at)}\0${digits.slice(at + 64)}`
  return digits
}

if (slow) vi.setConfig({ testTimeout: 1_800_000 })

it('T27: 200 canaries in more than 40 kinds of place: none is served, in none of the outputs', async () => {
  const root = makeFolder()
  const engine = openCorpus(root)
  onTestFinished(() => {
    engine.close()
  })
  const kinds = canaryKinds(runSeed)
  const rounds = slow ? kinds.length : 5
  const files: Record<string, string> = {}
  const hidden: string[] = []
  for (const [index, [place, write]] of canaryPlaces.entries())
    for (let round = 0; round < rounds; round++) {
      const canary = kinds[(index * 5 + round) % kinds.length]!()
      files[`${round}/${place}`] = write(canary.text)
      hidden.push(...canary.hidden)
    }
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(200)
  writeFiles(root, files)
  const report = await engine.index()
  expect(report.skipped.filter(({ reason }) => reason !== 'secret')).toEqual([])

  const outputs: [string, string][] = []
  const countTokens = loadTokenizer()
  const settings = { ...defaultSettings, refresh: 'never' as const }
  const contexts = new Contexts(engine)
  const call = async (name: string, given: Record<string, unknown>) => {
    const signal = new AbortController().signal
    return JSON.stringify(await callTool(name, given, { engine, settings, countTokens, contexts, signal }))
  }
  const status = await engine.status()
  outputs.push(['status', JSON.stringify(status)], ['status tool', await call('status', {})])
  for (const question of ['key setting deploy login', 'password secret token', 'orders', 'masked', 'run']) {
    for (const format of ['markdown', 'json'] as const) {
      const { output, explanation } = await engine.assemble(question, {
        maxTokens: 60_000,
        format,
        explain: true,
      })
      outputs.push([`${question} ${format}`, output], ['explanation', explanation])
    }
    outputs.push(['search', JSON.stringify(await engine.search(question, { limit: 500 }))])
    outputs.push(['assemble tool', await call('assemble_context', { question, maxTokens: 12_000 })])
    outputs.push(['search tool', await call('search', { query: question })])
  }
  outputs.push(['links', JSON.stringify(await engine.checkLinks())])
  for (const file of Object.keys(files)) {
    if (report.skipped.some((skip) => skip.path === file)) continue
    outputs.push([`read ${file}`, (await engine.read(file)).output])
    outputs.push([`graph ${file}`, JSON.stringify(await engine.graph(file))])
    if (file.startsWith('0/')) outputs.push([`read tool ${file}`, await call('read', { place: file })])
  }
  const leaks = outputs.flatMap(([name, output]) => {
    const leak = findLeak(output, hidden)
    return leak === null ? [] : [`${name}: ${leak}`]
  })
  expect(leaks).toEqual([])
  expect(status.masked.length).toBeGreaterThanOrEqual(Object.keys(files).length - report.skipped.length)

  // Nor is it anywhere in the index: not in a text, a posting, a vector's excerpt or a page that was freed. The hashes of
  // the files are known and not looked at: among so many digits are eight of some hexadecimal canary by chance.
  const hashes = new Set(Object.values(files).map((text) => createHash('sha256').update(text).digest('hex')))
  for (const name of readdirSync(path.join(root, '.yore'))) {
    const bytes = readFileSync(path.join(root, '.yore', name))
      .toString('latin1')
      .replaceAll(/[0-9a-f]{64,}/g, (digits) => withoutHash(digits, hashes))
      .toLowerCase()
    expect([
      name,
      findLeak(
        bytes,
        hidden.map((secret) => secret.toLowerCase()),
      ),
    ]).toEqual([name, null])
  }
})
