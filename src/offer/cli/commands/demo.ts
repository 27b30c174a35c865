// How does a newcomer try yore without a repository? `yore demo` copies a small sample, with a broken link, a superseded decision and a PDF.
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../../../model/errors.ts'
import { packagePath } from '../../../model/package-path.ts'
import { product } from '../../../model/version.ts'
import { type Command, plainCommand } from '../command.ts'
import { printable } from '../format.ts'
import { isOnPath } from '../setup/setup-clients.ts'
import { note, out } from '../terminal.ts'

export const command: Command = plainCommand(
  {
    name: 'demo',
    summary: 'Copy a small sample repository, which the tutorials use.',
    details: ['It has one broken link, one superseded decision that is still cited, and one PDF.'],
    arguments: {
      folder: {
        form: 'file',
        required: false,
        help: 'A new or empty folder for it; `yore-demo` if none is named.',
      },
    },
    options: {},
    examples: ['yore demo', 'yore demo services && cd services'],
  },
  async ({ folder = 'yore-demo' }) => {
    const target = path.resolve(folder)
    if (existsSync(target) && readdirSync(target).length > 0)
      throw new YoreError('BAD_INPUT', `${target} is not empty`, {
        hint: 'if it holds the sample, go on there; else name a new folder: `yore demo FOLDER`',
      })
    // What the tests use, and what the tutorial on documents finds and repairs.
    for (const part of ['documents', 'findings'])
      cpSync(packagePath(`assets/demo/${part}`), target, { recursive: true })
    // Its own root, also inside of a repository.
    mkdirSync(path.join(target, product.folder))
    const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    out(`${printable(target)}\n`)
    note(`${files.length} documents of a platform team: guides, runbooks, decisions, and a PDF`)
    const yore = isOnPath('yore', process) ? 'yore' : 'npx yore'
    note(`next: cd ${printable(folder)} && ${yore} "How do I deploy a new service?"`)
    note(`then: ${yore} links, ${yore} ui`)
    return 0
  },
)
