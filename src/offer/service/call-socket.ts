// How does a hook find and call the process that answers it? Loads almost nothing: an agent waits for it.
import { hash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { type Environment, stateFolder } from '../../model/config/state-folder.ts'

/** Where a process listens, in a file of a folder that only its user may open. */
export interface SocketAddress {
  /** A unix socket, or a named pipe on Windows. */
  readonly address: string
  /** Authenticates the client: any user may open a pipe. */
  readonly knock: string
  /** Authenticates the server before a request is sent: any user may plant a pipe or a socket. */
  readonly welcome: string
}

/** The client gives up when the server does not greet in this time. */
const welcomeMilliseconds = 1000
const answerMilliseconds = 60_000
const mostCharacters = 1024 * 1024

/** The folder of the process that answers hooks for a corpus, such as its MCP server; null if the user has no state folder. */
export function hintFolder(env: Environment, root: string): string | null {
  const folder = stateFolder(env)
  return folder === null ? null : path.join(folder, 'hints', hash('sha256', root).slice(0, 32))
}

export const placeFile = 'place.json'

/** True for a folder that only this user can read. Windows separates profiles itself. */
export function isPrivateFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isDirectory()) return false
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0)
}

/** The address in this folder; null if no process serves or it cannot be trusted. */
export function findSocket(folder: string | null): SocketAddress | null {
  try {
    if (folder === null || !isPrivateFolder(folder)) return null
    const place = JSON.parse(readFileSync(path.join(folder, placeFile), 'utf8')) as SocketAddress
    if (process.platform === 'win32') return place
    const socket = lstatSync(place.address)
    return socket.isSocket() && socket.uid === process.getuid?.() ? place : null
  } catch {
    return null
  }
}

/** The answer; null if the server does not run, does not authenticate, is busy or ends early. */
export function callSocket(place: SocketAddress, request: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect(place.address)
    let isWelcome = false
    const end = (answer: unknown): void => {
      clearTimeout(late)
      socket.destroy()
      resolve(answer)
    }
    let late = setTimeout(end, welcomeMilliseconds, null)
    const hear = (said: string): void => {
      if (isWelcome) end(parse(said))
      else if (said !== place.welcome) end(null)
      else {
        isWelcome = true
        clearTimeout(late)
        late = setTimeout(end, answerMilliseconds, null)
        socket.write(`${JSON.stringify(request)}\n`)
      }
    }
    socket.on('connect', () => socket.write(`${place.knock}\n`))
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
    readLines(socket, mostCharacters, hear)
  })
}

/** Passes each line of a connection on; one with more characters closes it. */
export function readLines(socket: Socket, most: number, hear: (line: string) => void): void {
  let line = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    line += text
    if (line.length > most) return void socket.destroy()
    if (!text.endsWith('\n')) return
    const said = line.slice(0, -1)
    line = ''
    hear(said)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
