// Which files of an index are generic, and which count less? Counts for people who ask how it stands.
import { roleOf } from '../graph/score-canonicality.ts'
import type { StatusReport } from '../model/report.ts'
import { extensionOf } from '../source/language-of.ts'
import type { FileRow } from '../store/corpus-reader.ts'

/** Generic files by extension, and all files by the role that lowers them. */
export function countKinds(files: readonly FileRow[]): Pick<StatusReport, 'generic' | 'roles'> {
  const generic: Record<string, number> = Object.create(null)
  const roles: Record<string, number> = Object.create(null)
  for (const file of files) {
    const extension = extensionOf(file.path)
    if (file.language === 'generic') generic[extension] = (generic[extension] ?? 0) + 1
    const role = roleOf(file)?.reason
    if (role !== undefined) roles[role] = (roles[role] ?? 0) + 1
  }
  return { generic: { ...generic }, roles: { ...roles } }
}
