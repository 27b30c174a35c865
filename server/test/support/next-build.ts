// How does a test get the next release? These sources with the next number of the index format, or a package that was built of such.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { schemaVersion } from '../../src/yore.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')

/** A program of the next release, made below the folder unless `YORE_NEXT_PROGRAM` names one. */
export function makeNextBuild(folder: string): string {
  const built = process.env['YORE_NEXT_PROGRAM']
  if (built !== undefined) return built
  const build = path.join(folder, 'next')
  for (const name of ['src', 'languages', 'formats', 'rulebooks', 'assets', 'package.json', 'server/src'])
    cpSync(path.join(root, name), path.join(build, name), { recursive: true })
  cpSync(path.join(root, 'server/package.json'), path.join(build, 'server/package.json'))
  symlinkSync(path.join(root, 'node_modules'), path.join(build, 'node_modules'))
  symlinkSync(path.join(root, 'server/node_modules'), path.join(build, 'server/node_modules'))
  const schema = path.join(build, 'src/corpus/store/schema.ts')
  const text = readFileSync(schema, 'utf8')
  const raised = text.replace(`schemaVersion = ${schemaVersion}`, `schemaVersion = ${schemaVersion + 1}`)
  if (raised === text) throw new Error('the number of the index format was not found')
  writeFileSync(schema, raised)
  return path.join(build, 'server/src/main.ts')
}

/** Throws what went wrong: the database may be away. */
export function migrateWith(program: string, ownerUrl: string): void {
  const env = { ...process.env, YORE_OWNER_URL: ownerUrl }
  const { status, stderr } = spawnSync(process.execPath, [program, 'admin', 'migrate'], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}
