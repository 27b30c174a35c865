// How is a file called from a folder? By its path below it, the same on systems with either separator.
import path, { type PlatformPath } from 'node:path'

/** With `/` between its parts; empty for the folder itself, null for what lies outside. Both are absolute. */
export function pathBelow(folder: string, file: string, system: PlatformPath = path): string | null {
  const relative = system.relative(folder, file)
  // Another drive of Windows has no relative path at all.
  const isOutside = relative === '..' || relative.startsWith(`..${system.sep}`) || system.isAbsolute(relative)
  return isOutside ? null : relative.split(system.sep).join('/')
}
