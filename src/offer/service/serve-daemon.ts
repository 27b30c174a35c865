// How does the daemon serve? One process per user, on a private socket; it ends by itself when idle.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { takeWriterLock, type WriterLock } from '../../corpus/store/ownership/writer-lock.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import { type DaemonAddress, isPrivateFolder, placeFile, readLines } from './call-daemon.ts'

export interface DaemonOptions {
  /** Holds the lock, the socket and its address; created if missing. */
  readonly folder: string
  readonly build: string
  readonly answer: (request: unknown) => Promise<unknown>
  /** Ends after this time without a request. */
  readonly idleMilliseconds: number
  /** Checked after each answer and once a minute: true when it should end. */
  readonly isSpent: () => boolean
}

const mostConnections = 64
const mostCharacters = 4 * 1024 * 1024
/** Timeout from connecting to a complete request. */
const requestMilliseconds = 5000

/** Serves until it is idle or spent, or the signal aborts. False when another process serves already. Throws NO_PERMISSION. */
export async function serveDaemon(options: DaemonOptions, signal: AbortSignal): Promise<boolean> {
  const { folder, build } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!isPrivateFolder(folder)) throw notPrivateFolder(folder)
  const lock = lockAlone(folder)
  if (lock === null) return false
  const key = (): string => randomBytes(16).toString('hex')
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${product.name}-${key()}` : path.join(folder, 'socket')
  const place: DaemonAddress = { pid: process.pid, build, address, knock: key(), welcome: key() }
  const daemon = new DaemonServer(place, options)
  try {
    // Stale: this process holds the lock.
    if (process.platform !== 'win32') rmSync(address, { force: true })
    await daemon.listen()
    writePlace(folder, place)
    await daemon.served(signal)
  } finally {
    await daemon.close()
    rmSync(path.join(folder, placeFile), { force: true })
    lock.release()
  }
  return true
}

export function notPrivateFolder(folder: string): YoreError {
  return new YoreError('NO_PERMISSION', `${folder} is accessible to other users`, {
    hint: `restrict it (chmod 700 ${folder}) or delete it`,
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

/** Written atomically, readable by its user only. */
function writePlace(folder: string, place: DaemonAddress): void {
  const temporary = path.join(folder, `${placeFile}.${place.pid}`)
  rmSync(temporary, { force: true })
  writeFileSync(temporary, JSON.stringify(place), { mode: 0o600, flag: 'wx' })
  renameSync(temporary, path.join(folder, placeFile))
}

class DaemonServer {
  readonly #place: DaemonAddress
  readonly #options: DaemonOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #answering = 0
  #lastAt = performance.now()
  #end: () => void = () => {}

  constructor(place: DaemonAddress, options: DaemonOptions) {
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
    // The private folder protected it until now.
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
    let hasKnocked = false
    const late = setTimeout(() => socket.destroy(), requestMilliseconds)
    socket.on('close', () => {
      clearTimeout(late)
      this.#sockets.delete(socket)
    })
    // The client has disconnected.
    socket.on('error', () => socket.destroy())
    const hear = (said: string): void => {
      if (hasKnocked) {
        clearTimeout(late)
        void this.#answer(socket, said)
      } else if (said === this.#place.knock) {
        hasKnocked = true
        socket.write(`${this.#place.welcome}\n`)
      } else socket.destroy()
    }
    readLines(socket, mostCharacters, hear)
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
