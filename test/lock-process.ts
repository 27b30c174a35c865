// What does a process of the lock test do? Takes the lock again and again, and says when it was not alone.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { takeWriterLock, type WriterLock } from '../src/corpus/store/ownership/writer-lock.ts'

const [folder = '', turns = '0'] = process.argv.slice(2)
const inside = path.join(folder, 'inside')

function take(): WriterLock | null {
  try {
    return takeWriterLock(folder)
  } catch {
    return null
  }
}

let taken = 0
for (const end = Date.now() + 20_000; taken < Number(turns) && Date.now() < end; ) {
  const lock = take()
  if (lock === null) {
    await setTimeout(1)
    continue
  }
  closeSync(openSync(inside, 'wx')) // Throws when another process is inside.
  taken++
  rmSync(inside)
  // Every third time it dies in the middle, as it were: a lock of a process that is gone stays there.
  if (taken % 3 === 0) {
    const place = path.join(folder, 'writer.lock')
    const holder = JSON.parse(readFileSync(place, 'utf8')) as Record<string, unknown>
    writeFileSync(place, JSON.stringify({ ...holder, pid: 4_194_305 }))
  } else lock.release()
}
console.log(taken)
