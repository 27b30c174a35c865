// Which version of yore is this? What the package says, found upwards from this file, in the sources and when bundled.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The version in yore's own package.json. */
export function findVersion(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json')
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    if (folder === path.dirname(folder)) return 'unknown'
  }
}
