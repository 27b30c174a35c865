// What went wrong with a file, in words?

export const noPermission = 'no permission to read it'

const failures: Readonly<Record<string, string>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  ELOOP: 'a link in a circle, or a link that took its place during the walk',
  ENOTDIR: 'no longer a folder',
  ENOENT: 'gone before it could be read',
  ENAMETOOLONG: 'its path is too long for the file system',
}

/** One plain sentence part for an error of the file system. */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return failures[code] ?? `the file system says ${code}`
}
