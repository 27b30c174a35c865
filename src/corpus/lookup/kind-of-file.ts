// Is this file a document, code, a test or configuration? The first that fits.

import { isCodeLanguage } from '../../model/code-languages.ts'
import type { FileKind } from '../../model/file-kind.ts'
import { extensionOf, lastSegment } from '../../model/paths.ts'
import type { FileRow } from '../../model/section.ts'
import { isTestPath } from '../resolve/code/code-roles.ts'

const configExtensions: ReadonlySet<string> = new Set(
  '.json .jsonc .json5 .yaml .yml .toml .ini .cfg .conf .config .properties .env .xml .plist .tf .hcl .gradle .cmake .mk .bazel .nix .service .in .ac .am'.split(
    ' ',
  ),
)
const configNames =
  /^(?:makefile|gnumakefile|dockerfile|containerfile|justfile|rakefile|gemfile|procfile|vagrantfile|jenkinsfile|build|workspace|cmakelists\.txt|requirements.*\.txt|\..+)$/i

/** The kind of a file as `--kind` names it; a test counts as a test, whatever its language. */
export function fileKindOf({ path, language }: Pick<FileRow, 'path' | 'language'>): FileKind {
  if (isTestPath(path)) return 'tests'
  if (isCodeLanguage(language) && language !== 'html') return 'code'
  const name = lastSegment(path)
  if (language !== 'markdown' && (configExtensions.has(extensionOf(path)) || configNames.test(name)))
    return 'config'
  return language === 'generic' ? 'code' : 'docs'
}
