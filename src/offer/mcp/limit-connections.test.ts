// Do slow clients make way? A real server with small limits, and real sockets.
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BodyReader, limitConnections } from './limit-connections.ts'

const limits = { mostConnections: 5, headMilliseconds: 500, requestMilliseconds: 800, idleMilliseconds: 1500 }
const sockets: Socket[] = []
let server: Server
let answer: () => void

/** It answers what is asked at /wait when it is told to, and all else at once, with the bytes of the body. */
beforeEach(async () => {
  const bodies = new BodyReader()
  const told = new Promise<void>((resolve) => {
    answer = resolve
  })
  server = createServer({ connectionsCheckingInterval: 50 }, async (request, response) => {
    const body = await bodies.read(request).catch(() => null)
    if (body === null) return
    connections.began(request.socket)
    response.once('close', () => connections.ended(request.socket))
    if (request.url === '/wait') await told
    response.end(typeof body === 'string' ? body : `${body.length} bytes`)
  })
  const connections = limitConnections(server, limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

/** Connects and sends; what came back until now can be read. */
async function open(text: string): Promise<{ socket: Socket; heard: () => string; isOpen: () => boolean }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  let heard = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    heard += part
  })
  socket.on('error', () => {})
  let isOpen = true
  socket.once('close', () => {
    isOpen = false
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  await setTimeout(20)
  return { socket, heard: () => heard, isOpen: () => isOpen }
}

const head = (path: string, length = 0): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`
const halfHead = 'POST / HTTP/1.1\r\nhost: loc'

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 10_000; waited += 10) await setTimeout(10)
  expect(holds()).toBe(true)
}

it('gives the place of who waits longest to a newcomer, and none of who is being answered', async () => {
  const asking = await open(head('/wait'))
  const slow = [await open(halfHead), await open(halfHead), await open(head('/', 9)), await open('')]
  for (const { isOpen } of slow) expect(isOpen()).toBe(true)
  const quick = await open(head('/'))
  await until(() => quick.heard().includes('0 bytes'))
  await until(() => !slow[0]!.isOpen())
  expect(slow.slice(1).every(({ isOpen }) => isOpen())).toBe(true)
  answer()
  await until(() => asking.heard().includes('0 bytes'))
})

it('turns a newcomer away only when everybody is being answered', async () => {
  const asking = await Promise.all(Array.from({ length: 5 }, () => open(head('/wait'))))
  const late = await open(head('/'))
  await until(() => !late.isOpen())
  answer()
  for (const { heard } of asking) await until(() => heard().includes('0 bytes'))
  // They are kept, and make way now.
  const later = await open(head('/'))
  await until(() => later.heard().includes('0 bytes'))
})

it('closes heads and bodies that take too long, and connections on which nothing moves', async () => {
  const heads = await open(halfHead)
  const bodies = await open(`${head('/', 1000)}{`)
  const kept = await open(head('/'))
  const drip = setInterval(() => {
    if (heads.isOpen()) heads.socket.write('a')
    if (bodies.isOpen()) bodies.socket.write('x')
  }, 20)
  await until(() => !heads.isOpen() && !bodies.isOpen() && !kept.isOpen())
  clearInterval(drip)
  expect(heads.heard()).toContain('408')
  expect(bodies.heard()).toContain('408')
  expect(kept.heard()).toContain('0 bytes')
})

it('reads small bodies whatever the large ones take, and refuses one that would take too much', async () => {
  const bodies = new BodyReader()
  const release: (() => void)[] = []
  /** A body of 900 KB whose end is held back. */
  const endless = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.alloc(900_000)
    await new Promise<void>((resolve) => release.push(resolve))
  }
  const whole = async function* (bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; left -= 50_000) yield Buffer.alloc(Math.min(left, 50_000))
  }
  const read = (body: AsyncGenerator<Buffer>): ReturnType<BodyReader['read']> =>
    bodies.read(Readable.from(body) as never)
  const large = Array.from({ length: 10 }, () => read(endless()))
  await setTimeout(10)
  expect(await read(whole(900_000))).toBe('busy')
  expect(await read(whole(16_000))).toHaveLength(16_000)
  for (const end of release) end()
  const outcomes = await Promise.all(large)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(6)
  expect(await read(whole(900_000))).toHaveLength(900_000)
  expect(await read(whole(1_100_000))).toBe('too large')
})
