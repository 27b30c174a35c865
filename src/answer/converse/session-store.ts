// Where are conversations stored? One file each next to the index, a signed line per exchange, readable by its owner only.
import path from 'node:path'
import { SignedFiles } from '../../corpus/store/ownership/signed-files.ts'
import type { Environment } from '../../model/config/state-folder.ts'
import type { Exchange, Session, SessionSummary } from '../../model/conversation.ts'
import { YoreError } from '../../model/errors.ts'

/** The sessions of one corpus. */
export class SessionStore {
  readonly #files: SignedFiles

  /** `indexDir` is absolute; the folder in it is made with the first exchange. */
  constructor(indexDir: string, env: Environment) {
    this.#files = new SignedFiles({ folder: path.join(indexDir, 'sessions'), scope: '', env })
  }

  /** Adds an exchange; the first one makes the session. */
  append(id: string, exchange: Exchange): void {
    if (!this.#files.isId(id)) throw unknownSession(id)
    this.#files.append(id, JSON.stringify(exchange))
  }

  /** Throws BAD_INPUT when there is no such session. `last` is the one that was used last. */
  read(id: string): Session {
    const wanted = id === 'last' ? this.list()[0]?.id : id
    if (wanted === undefined || !this.#files.isId(wanted)) throw unknownSession(id)
    const exchanges = this.#exchanges(wanted)
    const [first] = exchanges
    if (first === undefined) throw unknownSession(id)
    return { id: wanted, startedAt: first.at, exchanges }
  }

  /** Those used last first. */
  list(): SessionSummary[] {
    const summaries = this.#files.ids().flatMap((id): SessionSummary[] => {
      const exchanges = this.#exchanges(id)
      const [first, last] = [exchanges[0], exchanges.at(-1)]
      if (first === undefined || last === undefined) return []
      return [
        { id, startedAt: first.at, lastAt: last.at, exchanges: exchanges.length, title: first.question },
      ]
    })
    return summaries.sort((a, b) => b.lastAt - a.lastAt || (a.id < b.id ? 1 : -1))
  }

  /** Removes a session. Throws BAD_INPUT when there is none. */
  delete(id: string): void {
    this.#files.remove(this.read(id).id)
  }

  #exchanges(id: string): Exchange[] {
    return this.#files.read(id).flatMap(readLine)
  }
}

function readLine(line: string): Exchange[] {
  try {
    const value = JSON.parse(line) as Partial<Exchange>
    return isExchange(value) ? [value] : []
  } catch {
    return []
  }
}

function isExchange(value: Partial<Exchange> | null): value is Exchange {
  if (typeof value !== 'object' || value === null || !Array.isArray(value.cited)) return false
  const texts = [value.question, value.answer, ...value.cited.flatMap((one) => [one?.path, one?.title])]
  return Number.isFinite(value.at) && texts.every((text) => typeof text === 'string')
}

function unknownSession(id: string): YoreError {
  return new YoreError('BAD_INPUT', `there is no session ${JSON.stringify(id.slice(0, 80))}`, {
    hint: '`yore chat list` lists the sessions',
  })
}
