// Which yore is this? Its version, kept equal to package.json by a test, and the names that it goes by on a machine.

export const yoreVersion = '0.2.0'

/**
 * What a rename changes: the name of the command, the package and the user's folders; the folder of an index, the file
 * of ignore rules, and how variables of the environment begin. Sentences that name it are words, not names: a search
 * finds them.
 */
export const product = {
  name: 'yore',
  folder: '.yore',
  ignoreFile: '.yoreignore',
  environment: 'YORE_',
} as const
