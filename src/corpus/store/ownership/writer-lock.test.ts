// Is there one writer at a time, and does nobody wait for the dead?
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { lookAtLock, takeWriterLock } from './writer-lock.ts'

let folder: string
let place: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'yore-lock-'))
  place = path.join(folder, 'writer.lock')
})

it('is held by one, and free again afterwards', () => {
  const lock = takeWriterLock(folder)
  expect(() => takeWriterLock(folder)).toThrow(`process ${process.pid}`)
  lock.release()
  expect(existsSync(place)).toBe(false)
  takeWriterLock(folder).release()
})

it('releases only its own lock', () => {
  const lock = takeWriterLock(folder)
  writeFileSync(place, 'another')
  lock.release()
  expect(readFileSync(place, 'utf8')).toBe('another')
})

it('tells a holder that lives from one whose number another process has now', () => {
  const lock = takeWriterLock(folder)
  const holder = JSON.parse(readFileSync(place, 'utf8')) as Record<string, unknown>
  lock.release()
  const stateOf = (change: Record<string, unknown>, age = 0): string => {
    writeFileSync(place, JSON.stringify({ ...holder, ...change }))
    utimesSync(place, Date.now() / 1000 - age, Date.now() / 1000 - age)
    return lookAtLock(folder).kind
  }
  expect(stateOf({})).toBe('held')
  expect(stateOf({ pid: 4_194_305 })).toBe('left')
  if (holder['started'] !== '') expect(stateOf({ started: '1' })).toBe('left')
  expect(stateOf({ host: 'another 1 2' })).toBe('held')
  expect(stateOf({ host: 'another 1 2' }, 3600)).toBe('left')
  expect(stateOf({ pid: -1 })).toBe('left')
})

it.runIf(process.platform === 'linux')(
  'does not wait for a process that ended and was not reaped',
  async () => {
    const lock = takeWriterLock(folder)
    const holder = JSON.parse(readFileSync(place, 'utf8')) as Record<string, unknown>
    lock.release()
    // `exec` leaves a child to a program that never waits for it.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 20'])
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)))
    const fieldsOf = (): string[] =>
      readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /, '').split(' ')
    while (fieldsOf()[0] !== 'Z') await new Promise((resolve) => setTimeout(resolve, 20))
    writeFileSync(place, JSON.stringify({ ...holder, pid, started: fieldsOf()[19] }))
    expect(lookAtLock(folder).kind).toBe('left')
    parent.kill()
  },
)

it('lets no two processes in, whatever dies', async () => {
  const program = path.join(import.meta.dirname, '../../../../test/lock-process.ts')
  const runs = Array.from({ length: 4 }, () => {
    const child = spawn(process.execPath, [program, folder, '150'])
    let said = ''
    child.stdout.on('data', (part) => (said += part))
    child.stderr.on('data', (part) => (said += part))
    return new Promise<string>((resolve) => child.on('close', () => resolve(said.trim())))
  })
  expect(await Promise.all(runs)).toEqual(['150', '150', '150', '150'])
})

it('removes a lock whose remover was killed', () => {
  const lock = takeWriterLock(folder)
  const left = JSON.stringify({ ...JSON.parse(readFileSync(place, 'utf8')), pid: 4_194_305 })
  lock.release()
  for (const name of ['writer.lock', 'writer.lock.left', 'writer.lock.left.left'])
    writeFileSync(path.join(folder, name), left)
  takeWriterLock(folder).release()
  expect(readdirSync(folder)).toEqual([])
})
