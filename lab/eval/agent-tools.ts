// What can an agent do in a repository? grep, read, search and assemble, each as the text that it gets and the lines that it shows.

import { renderHits } from '../../src/explore/render-results.ts'
import { hintFor, type Told } from '../../src/offer/cli/search-hook.ts'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { loadTokenizer } from '../../src/read/assets/load-tokenizer.ts'
import type { CallerGuess, Place } from './real-set.ts'
import { placesOf } from './score-real.ts'
import { listTextFiles, readLines } from './window-floor.ts'

/** One call of a tool, as it was answered. */
export interface Call {
  readonly tool: 'grep' | 'read' | 'search' | 'assemble'
  readonly arguments: Readonly<Record<string, string | number>>
  /** What the agent reads; its tokens are counted with those of the arguments. */
  readonly text: string
  /** Lines of files that stand in the text. */
  readonly shown: readonly Place[]
}

export interface Hit {
  readonly path: string
  readonly start: number
  readonly end: number
}

/** Agents' own tools cut their output; these are the limits of the common ones, rounded. */
export const toolLimits = { grepFiles: 100, grepLines: 100, lineCharacters: 300, readLines: 400 }

const mapLists = (caller: CallerGuess): Record<string, string> =>
  Object.fromEntries(Object.entries(caller).map(([key, words]) => [key, words.join(', ')]))

const asPlace = (path: string, line: number): Place => ({ path, start: line, end: line })

export class AgentTools {
  readonly #root: string
  readonly #engine: Engine
  readonly #files: readonly string[]
  readonly #lines = new Map<string, readonly string[]>()
  readonly #count = loadTokenizer()
  /** What each session was told. */
  readonly #told = new Map<string, Told>()
  #sessions = 0

  constructor(root: string, engine: Engine) {
    this.#root = root
    this.#engine = engine
    this.#files = listTextFiles(root).filter((file) => !/(?:^|\/)\.(?:git|yore)\//.test(file))
  }

  linesOf(path: string): readonly string[] {
    const known = this.#lines.get(path) ?? (this.#files.includes(path) ? readLines(this.#root, path) : [])
    this.#lines.set(path, known)
    return known
  }

  /** Tokens of a call with its result, as they stand in a conversation. */
  tokensOf({ tool, arguments: given, text }: Call): number {
    return this.#count(`${tool} ${JSON.stringify(given)}`) + this.#count(text)
  }

  /** Files with a line that holds the words, in any case, as `rg -i -F -c` lists them: most matches first. */
  grepFiles(words: string): { readonly call: Call; readonly files: readonly string[] } {
    const wanted = words.toLowerCase()
    const counted: [string, number][] = []
    for (const file of this.#files) {
      let count = 0
      for (const line of this.linesOf(file)) if (line.toLowerCase().includes(wanted)) count++
      if (count > 0) counted.push([file, count])
    }
    counted.sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
    const listed = counted.slice(0, toolLimits.grepFiles)
    const more = counted.length > listed.length ? `\n(${counted.length - listed.length} more files)` : ''
    const text = `${listed.map(([file, count]) => `${file}:${count}`).join('\n')}${more}` || 'no matches'
    return {
      call: { tool: 'grep', arguments: { pattern: words, output: 'count' }, text, shown: [] },
      files: counted.map(([file]) => file),
    }
  }

  /** A session of an agent, whose earlier patterns the hook remembers. */
  startSession(): string {
    return `${this.#sessions++}`
  }

  /** A call with what the hook of yore adds to it, and the places that this names, in its order. */
  async hinted(
    call: Call,
    session: string,
  ): Promise<{ readonly call: Call; readonly places: readonly Hit[] }> {
    const before = this.#told.get(session) ?? { session, words: [], lines: [] }
    const { hint, told } = await hintFor(this.#engine, `${call.arguments['pattern']}`, before)
    this.#told.set(session, told)
    const places = [...hint.matchAll(/^- [a-z]+: (.+?):(\d+)(?:-(\d+))? /gm)].map(
      ([, path = '', start = '', end = start]) => ({ path, start: Number(start), end: Number(end) }),
    )
    return { call: hint === '' ? call : { ...call, text: `${call.text}\n${hint}` }, places }
  }

  /** Matching lines with their numbers, as `rg -i -n` prints them: of one file, or of all below a path. */
  grepLines(pattern: string, path = ''): Call {
    const wanted = pattern.toLowerCase().split('|')
    const shown: Place[] = []
    const rows: string[] = []
    for (const file of this.#files.filter(
      (one) => path === '' || one === path || one.startsWith(`${path}/`),
    )) {
      this.linesOf(file).forEach((line, at) => {
        if (rows.length >= toolLimits.grepLines) return
        const lower = line.toLowerCase()
        if (!wanted.some((one) => one !== '' && lower.includes(one))) return
        rows.push(`${path === file ? '' : `${file}:`}${at + 1}:${line.slice(0, toolLimits.lineCharacters)}`)
        shown.push(asPlace(file, at + 1))
      })
      if (rows.length >= toolLimits.grepLines) break
    }
    return { tool: 'grep', arguments: { pattern, path }, text: rows.join('\n') || 'no matches', shown }
  }

  /** Lines of a file with their numbers. */
  read(path: string, start: number, end: number): Call {
    const lines = this.linesOf(path)
    const first = Math.max(1, start)
    const last = Math.min(lines.length, end, first + toolLimits.readLines - 1)
    const text = lines.slice(first - 1, last).map((line, at) => `${first + at}\t${line}`)
    return {
      tool: 'read',
      arguments: { path, start: first, end: last },
      text: text.join('\n') || `no such lines in ${path}`,
      shown: last >= first ? [{ path, start: first, end: last }] : [],
    }
  }

  /** The list of sections that `search` gives agents. Its excerpts are hints, not lines read. */
  async search(query: string, limit = 10): Promise<{ readonly call: Call; readonly hits: readonly Hit[] }> {
    const found = await this.#engine.search(query, { limit })
    return {
      call: { tool: 'search', arguments: { query, limit }, text: renderHits(found, this.#count), shown: [] },
      hits: found.hits.map(({ path, lines }) => ({ path, start: lines.start, end: lines.end })),
    }
  }

  /** The digest that `assemble_context` gives agents. */
  async assemble(question: string, maxTokens: number, caller: CallerGuess = {}): Promise<Call> {
    const { output, digest } = await this.#engine.assemble(question, {
      maxTokens,
      layout: 'brief',
      ...caller,
    })
    const given = { question, maxTokens, ...mapLists(caller) }
    return { tool: 'assemble', arguments: given, text: output, shown: placesOf(digest) }
  }
}
