// How does a process answer hooks? On a socket in a folder that only its user may open, until it is stopped.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { takeWriterLock, type WriterLock } from '../../corpus/store/ownership/writer-lock.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import { isPrivateFolder, placeFile, readLines, type SocketAddress } from './call-socket.ts'

const mostConnections = 64
const mostCharacters = 4 * 1024 * 1024
/** Timeout from connecting to a complete request. */
const requestMilliseconds = 5000

/** Serves until the signal aborts. Ends at once when another process serves this folder, or when others may read it. */
export async function serveSocket(
  folder: string,
  answer: (request: unknown) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = isPrivateFolder(folder) ? lockAlone(folder) : null
  if (lock === null) return
  const key = (): string => randomBytes(16).toString('hex')
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${product.name}-${key()}` : path.join(folder, 'socket')
  const place: SocketAddress = { address, knock: key(), welcome: key() }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    hear(socket, place, answer)
  })
  server.maxConnections = mostConnections
  try {
    // Stale: this process holds the lock.
    if (process.platform !== 'win32') rmSync(address, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(address, resolve)
    })
    // The private folder protected it until now.
    if (process.platform !== 'win32') chmodSync(address, 0o600)
    writePlace(folder, place)
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve())
      if (signal.aborted) resolve()
    })
  } finally {
    for (const socket of sockets) socket.destroySoon()
    await new Promise((resolve) => server.close(resolve))
    rmSync(path.join(folder, placeFile), { force: true })
    lock.release()
  }
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
function writePlace(folder: string, place: SocketAddress): void {
  const temporary = path.join(folder, `${placeFile}.${process.pid}`)
  rmSync(temporary, { force: true })
  writeFileSync(temporary, JSON.stringify(place), { mode: 0o600, flag: 'wx' })
  renameSync(temporary, path.join(folder, placeFile))
}

function hear(socket: Socket, place: SocketAddress, answer: (request: unknown) => Promise<unknown>): void {
  let hasKnocked = false
  const late = setTimeout(() => socket.destroy(), requestMilliseconds)
  socket.on('close', () => clearTimeout(late))
  // The client has disconnected.
  socket.on('error', () => socket.destroy())
  const respond = async (request: string): Promise<void> => {
    try {
      socket.end(`${JSON.stringify(await answer(JSON.parse(request)))}\n`)
    } catch {
      socket.destroy()
    }
  }
  readLines(socket, mostCharacters, (line) => {
    if (hasKnocked) {
      clearTimeout(late)
      void respond(line)
    } else if (line === place.knock) {
      hasKnocked = true
      socket.write(`${place.welcome}\n`)
    } else socket.destroy()
  })
}
