// Which kinds of files may a question or a graph be confined to? As `--kind` names them.

export const fileKinds = ['docs', 'code', 'tests', 'config'] as const
export type FileKind = (typeof fileKinds)[number]
