// Where does a run that was stopped go on? A file with the table's state, which belongs to one recipe and one set of texts.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { BagTable } from './bag-table.ts'
import type { Checkpoint } from './train-table.ts'

const headBytes = 8

/** `key` names what is trained and how; a state of anything else is in another file. */
export function openCheckpoint(folder: string, key: string): Checkpoint & { readonly clear: () => void } {
  const file = `${folder}/state-${key}.bin`
  const load = (table: BagTable): number | null => {
    const { floats } = table.state
    if (!existsSync(file)) return null
    const bytes = readFileSync(file)
    if (bytes.length !== headBytes + floats.byteLength) return null
    new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength).set(bytes.subarray(headBytes))
    table.state.steps = bytes.readUInt32LE(4)
    return bytes.readUInt32LE(0)
  }
  const save = (table: BagTable, stepsDone: number): void => {
    const { floats, steps } = table.state
    const head = Buffer.alloc(headBytes)
    head.writeUInt32LE(stepsDone, 0)
    head.writeUInt32LE(steps, 4)
    const body = new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength)
    writeFileSync(`${file}.part`, Buffer.concat([head, body]))
    renameSync(`${file}.part`, file)
  }
  return { load, save, clear: () => rmSync(file, { force: true }) }
}
