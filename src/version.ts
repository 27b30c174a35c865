// Which yore is this? Its version, kept equal to package.json by a test, and the names that it goes by on a machine.

export const yoreVersion = '0.1.0'

/** What a rename changes: the folder of an index, the file of ignore rules, and how variables of the environment begin. */
export const product = { folder: '.yore', ignoreFile: '.yoreignore', environment: 'YORE_' } as const
