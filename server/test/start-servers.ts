// Which servers do the tests talk to? Real ones, started for the run and stopped after it.
import { spawn } from 'node:child_process'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { createTemplate } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Port of a PostgreSQL on 127.0.0.1 whose owner is yore_owner. */
    readonly postgresPort: number
    /** Address of an S3 with key yorekey and secret yoresecret; null where it cannot be installed. */
    readonly s3Url: string | null
  }
}

interface Started {
  readonly first: string
  readonly folder: string
  readonly pids: readonly number[]
}

/** Runs a script of this folder that leaves servers behind and prints one line about them. */
export function startScript(name: string, env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const script = path.join(import.meta.dirname, name)
  const child = spawn(script, [], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    let said = ''
    let complained = ''
    child.stderr.on('data', (piece: Buffer) => {
      complained += piece.toString()
    })
    child.stdout.on('data', (piece: Buffer) => {
      said += piece.toString()
      const line = /^(\S+) (\S+) ([\d ]+)\n/.exec(said)
      if (line === null) return
      const [, first = '', folder = '', pids = ''] = line
      resolve({ first, folder, pids: pids.split(' ').map(Number) })
      // The servers keep these open; nobody reads them any more.
      child.stdout.destroy()
      child.stderr.destroy()
      child.unref()
    })
    child.on('error', reject)
    child.on('exit', (status) => {
      if (status !== 0) reject(new Error(`${name} ended with ${status}: ${complained}`))
    })
  })
}

/** `prepare` gets the port of PostgreSQL; if it fails, nothing is left running. */
export default async function startServers(
  project: Pick<TestProject, 'provide'>,
  prepare: (port: number) => Promise<void> = createTemplate,
): Promise<() => void> {
  const running: (readonly [signal: 'SIGINT' | 'SIGTERM', pids: readonly number[]])[] = []
  const stop = (): void => {
    for (const [signal, pids] of running) for (const pid of pids) process.kill(pid, signal)
  }
  try {
    const postgres = await startScript('start-postgres.sh', { FSYNC: 'off' })
    running.push(['SIGINT', postgres.pids])
    const s3 = process.env['YORE_TEST_S3'] === undefined ? null : await startScript('start-s3.sh')
    running.push(['SIGTERM', s3?.pids ?? []])
    await prepare(Number(postgres.first))
    project.provide('postgresPort', Number(postgres.first))
    project.provide('s3Url', s3?.first ?? null)
  } catch (error) {
    stop()
    throw error
  }
  return stop
}
