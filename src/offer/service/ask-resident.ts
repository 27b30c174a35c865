// Is there a process of this user that answers, and what does it say? Loads almost nothing: a cold command pays for it.
import { lstatSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { type Environment, stateFolder } from '../../model/config/state-folder.ts'

/** What a resident process leaves for those who look for it, in a folder that only its user may enter. */
export interface ResidentPlace {
  readonly pid: number
  /** Which code it runs. */
  readonly build: string
  /** A unix socket, or a named pipe on Windows. */
  readonly address: string
  /** What a client must say first: anybody may open a pipe. */
  readonly knock: string
  /** What the process must answer before it is told anything: anybody may plant a pipe or a socket. */
  readonly welcome: string
}

/** A process that is busy for longer is not waited for. */
const welcomeMilliseconds = 1000
const answerMilliseconds = 60_000
const mostCharacters = 256 * 1024 * 1024

/** Null when the user has no place of their own. */
export function residentFolder(env: Environment): string | null {
  const folder = stateFolder(env)
  return folder === null ? null : path.join(folder, 'daemon')
}

export const placeFile = 'place.json'

/** A folder of this user that no other user may even look into. Windows keeps profiles apart by itself. */
export function isOwnFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isDirectory()) return false
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0)
}

/** Where the process listens; null when there is none, or none that can be trusted. */
export function findResident(env: Environment): ResidentPlace | null {
  const folder = residentFolder(env)
  try {
    if (folder === null || !isOwnFolder(folder)) return null
    const place = JSON.parse(readFileSync(path.join(folder, placeFile), 'utf8')) as ResidentPlace
    if (process.platform === 'win32') return place
    const socket = lstatSync(place.address)
    return socket.isSocket() && socket.uid === process.getuid?.() ? place : null
  } catch {
    return null
  }
}

/** The whole answer, or null: nobody there, somebody else, too busy, or gone before the end. */
export function askResident(place: ResidentPlace, request: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect(place.address)
    let line = ''
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
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(`${place.knock}\n`))
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
    socket.on('data', (text: string) => {
      line += text
      if (line.length > mostCharacters) end(null)
      if (!text.endsWith('\n')) return
      const said = line.slice(0, -1)
      line = ''
      hear(said)
    })
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
