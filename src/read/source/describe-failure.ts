// How are file system errors and sizes over the limit described?

const noPermission = 'no permission to read it'

const failures: Readonly<Record<string, string>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  ELOOP: 'a cycle of links, or a link that replaced it during the walk',
  ENOTDIR: 'no longer a folder',
  ENOENT: 'removed before it could be read',
  ENAMETOOLONG: 'its path is too long for the file system',
}

/** Describes a file system error as part of a sentence. */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return failures[code] ?? `the file system says ${code}`
}

/**
 * @example describeSize(3_250_585) // '3.1 MB'
 */
function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const inMegabytes = bytes >= 1024 * 1024
  const value = bytes / (inMegabytes ? 1024 * 1024 : 1024)
  return `${Math.round(value * 10) / 10} ${inMegabytes ? 'MB' : 'KB'}`
}

/** Explains why a file is too large, as part of a sentence. */
export function describeExcess(bytes: number, limit: number): string {
  const size = describeSize(bytes)
  const most = describeSize(limit)
  return size === most ? `${bytes} bytes, the limit is ${limit} bytes` : `${size}, the limit is ${most}`
}
