// Where are the files that the package ships? Below its root, which is one folder above dist/ and two above src/model/.
import path from 'node:path'

const here = import.meta.dirname
const root = path.join(here, path.basename(here) === 'dist' ? '..' : '../..')

/**
 * The absolute path of a shipped file or folder.
 *
 * @example packagePath('assets/o200k.bin')
 */
export const packagePath = (name: string): string => path.join(root, name)
