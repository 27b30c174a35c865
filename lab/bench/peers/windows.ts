// How does the floor answer? Bare FTS5 over windows of 40 lines of every text file, the best two hundred.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WindowFloor } from '../../eval/window-floor.ts'
import { askAll, cpuTimed, readCall } from './peer.ts'

const { root, work, questions } = readCall()
const database = join(work, 'windows.db')
rmSync(database, { force: true })
const { value: floor, cpuMs } = await cpuTimed(() => new WindowFloor(root, database))
const windows = await askAll(questions, (question) => floor.search(question))
floor.close()
console.log(JSON.stringify({ indexCpuMs: cpuMs, indexBytes: statSync(database).size, variants: { windows } }))
