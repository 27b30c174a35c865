// How does a process stay to answer later commands of its user? One per user, behind a socket of theirs; it goes by itself.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { takeWriterLock, type WriterLock } from '../../corpus/store/ownership/writer-lock.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import { isOwnFolder, placeFile, type ResidentPlace } from './ask-resident.ts'

export interface ResidentOptions {
  /** For the lock, the socket and the place of it; made when it is missing. */
  readonly folder: string
  readonly build: string
  readonly answer: (request: unknown) => Promise<unknown>
  /** Without a request for so long it ends. */
  readonly idleMilliseconds: number
  /** Looked at after each answer and once a minute: true when it should make way. */
  readonly isSpent: () => boolean
}

const mostConnections = 64
const mostCharacters = 4 * 1024 * 1024
/** From connecting to a whole request. */
const requestMilliseconds = 5000

/** Serves until it is idle or spent, or the signal aborts. False when another process serves already. Throws NO_PERMISSION. */
export async function serveResident(options: ResidentOptions, signal: AbortSignal): Promise<boolean> {
  const { folder, build } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!isOwnFolder(folder)) throw notOwnFolder(folder)
  const lock = lockAlone(folder)
  if (lock === null) return false
  const key = (): string => randomBytes(16).toString('hex')
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${product.name}-${key()}` : path.join(folder, 'socket')
  const place: ResidentPlace = { pid: process.pid, build, address, knock: key(), welcome: key() }
  const resident = new Resident(place, options)
  try {
    // Whoever left it is gone: the lock is ours.
    if (process.platform !== 'win32') rmSync(address, { force: true })
    await resident.listen()
    writePlace(folder, place)
    await resident.served(signal)
  } finally {
    await resident.close()
    rmSync(path.join(folder, placeFile), { force: true })
    lock.release()
  }
  return true
}

/** Why nothing is served from there. */
export function notOwnFolder(folder: string): YoreError {
  return new YoreError('NO_PERMISSION', `${folder} is open to other users, or belongs to one`, {
    hint: `make it yours alone (chmod 700 ${folder}) or delete it`,
  })
}

function lockAlone(folder: string): WriterLock | null {
  try {
    return takeWriterLock(folder)
  } catch (error) {
    if (error instanceof YoreError && error.code === 'INDEX_LOCKED') return null
    throw error
  }
}

/** Whole or not at all, for its user alone. */
function writePlace(folder: string, place: ResidentPlace): void {
  const temporary = path.join(folder, `${placeFile}.${place.pid}`)
  rmSync(temporary, { force: true })
  writeFileSync(temporary, JSON.stringify(place), { mode: 0o600, flag: 'wx' })
  renameSync(temporary, path.join(folder, placeFile))
}

class Resident {
  readonly #place: ResidentPlace
  readonly #options: ResidentOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #answering = 0
  #lastAt = performance.now()
  #end: () => void = () => {}

  constructor(place: ResidentPlace, options: ResidentOptions) {
    this.#place = place
    this.#options = options
    this.#server = createServer((socket) => this.#hear(socket))
    this.#server.maxConnections = mostConnections
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#place.address, resolve)
    })
    // Nobody else could have reached it before: the folder is closed to them.
    if (process.platform !== 'win32') chmodSync(this.#place.address, 0o600)
  }

  async served(signal: AbortSignal): Promise<void> {
    const look = (): void => {
      const isIdle = performance.now() - this.#lastAt > this.#options.idleMilliseconds
      if (this.#answering === 0 && (isIdle || this.#options.isSpent())) this.#end()
    }
    const looking = setInterval(look, Math.min(60_000, this.#options.idleMilliseconds))
    await new Promise<void>((resolve) => {
      this.#end = resolve
      signal.addEventListener('abort', () => resolve())
      if (signal.aborted) resolve()
    })
    clearInterval(looking)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroySoon()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #hear(socket: Socket): void {
    this.#sockets.add(socket)
    let line = ''
    let hasKnocked = false
    const late = setTimeout(() => socket.destroy(), requestMilliseconds)
    socket.on('close', () => {
      clearTimeout(late)
      this.#sockets.delete(socket)
    })
    // Who has gone is not answered; nothing else happens.
    socket.on('error', () => socket.destroy())
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      line += text
      if (line.length > mostCharacters) socket.destroy()
      if (!text.endsWith('\n')) return
      const said = line.slice(0, -1)
      line = ''
      if (hasKnocked) {
        clearTimeout(late)
        void this.#answer(socket, said)
      } else if (said === this.#place.knock) {
        hasKnocked = true
        socket.write(`${this.#place.welcome}\n`)
      } else socket.destroy()
    })
  }

  async #answer(socket: Socket, request: string): Promise<void> {
    this.#answering++
    try {
      socket.end(`${JSON.stringify(await this.#options.answer(JSON.parse(request)))}\n`)
    } catch {
      socket.destroy()
    }
    this.#answering--
    this.#lastAt = performance.now()
    if (this.#answering === 0 && this.#options.isSpent()) this.#end()
  }
}
