// How much may a node read and keep? Each limit is an option of `serve`, in the unit of its name.

/** Each limit with its default and its description. */
const table = {
  idleSeconds: [
    30,
    'seconds without progress after which reading an upload is stopped; ten times as many for publishing',
  ],
  archiveFiles: [20_000, 'files of an archive'],
  archiveMegabytes: [512, 'size of an archive as it is uploaded'],
  unpackedMegabytes: [1024, 'size of the files of an archive'],
  workMegabytes: [20_480, 'disk for working copies of corpora; the least recently used are removed'],
  versionMegabytes: [20_480, 'disk for versions that questions use; the least recently used are removed'],
  staleSeconds: [
    300,
    'seconds for which known keys and corpora are answered while PostgreSQL is away; 0 for none',
  ],
  ingestionDays: [30, 'days for which finished uploads are listed'],
  auditDays: [365, 'days for which the audit log is kept, at least 30'],
} as const satisfies Record<string, readonly [number, string]>

export type NodeLimits = Readonly<Record<keyof typeof table, number>>

export const nodeLimits: readonly {
  readonly name: keyof NodeLimits
  readonly flag: string
  readonly help: string
}[] = Object.entries(table).map(([name, [, help]]) => ({
  name: name as keyof NodeLimits,
  flag: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  help,
}))

export const nodeLimitDefaults: NodeLimits = Object.fromEntries(
  Object.entries(table).map(([name, [value]]) => [name, value]),
) as NodeLimits

export const megabyte: number = 1024 * 1024
