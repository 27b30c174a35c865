// Which language is this file in? By its name; null means that only its text can tell, or that it is binary.

import {
  isCodeLanguage,
  languageOfExtension as languageOfCode,
  languageOfInterpreter,
} from '../../model/code-languages.ts'
import { configExtensions, endsWith, markdownExtensions, plainCodeFile } from '../../model/file-extensions.ts'
import { extensionOf, lastSegment } from '../../model/paths.ts'
import type { RuledLanguage } from '../../model/source-file.ts'
import { textFormats } from '../parse/text/text-formats.ts'

const languageOfExtension: ReadonlyMap<string, RuledLanguage> = new Map<string, RuledLanguage>([
  ...markdownExtensions.map((extension) => [extension, 'markdown'] as const),
  ...textFormats.flatMap(({ endings }) => endings.map((ending) => [ending, 'text'] as const)),
  ...languageOfCode,
])

/** Extensions of binary files, which the walk counts and never opens. */
const binaryExtensions: ReadonlySet<string> = new Set(
  (
    '.png .jpg .jpeg .gif .bmp .ico .icns .webp .avif .tif .tiff .psd .xcf .heic ' +
    '.mp3 .mp4 .m4a .mov .avi .mkv .webm .ogg .ogv .flac .wav .aac ' +
    '.woff .woff2 .ttf .otf .eot .pfb ' +
    '.zip .gz .tgz .bz2 .xz .zst .lz4 .br .7z .rar .tar .jar .war .whl .deb .rpm .dmg .iso ' +
    '.doc .xls .xlsx .ppt .odt .ods .odp .epub ' +
    '.exe .dll .so .dylib .a .o .obj .lib .class .pyc .pyo .wasm .bin .dat .pdb .db .sqlite .sqlite3'
  ).split(' '),
)

/**
 * The language of a path; null when only the text can tell.
 *
 * @example languageOf('docs/guide.md') // 'markdown'
 */
export const languageOf = (path: string): RuledLanguage | null =>
  languageOfExtension.get(extensionOf(path).slice(1)) ?? null

/** Is this the name of an image, an archive, a program or another binary file? */
export const isBinaryName = (path: string): boolean => binaryExtensions.has(extensionOf(path))

const configFile = endsWith(Object.values(configExtensions).flat())
const buildFile = /^(?:GNU)?makefile$|^(?:dockerfile|containerfile)(?:\.|$)/i

/** Is this the name of configuration or of code, which is never read as prose? */
export function isConfigOrCode(path: string): boolean {
  const name = lastSegment(path)
  return configFile.test(name) || buildFile.test(name) || plainCodeFile.test(name)
}

/**
 * The language of a script by its first line, or null.
 *
 * @example languageOfShebang('#!/usr/bin/env -S python3.12 -u') // 'python'
 */
export function languageOfShebang(firstLine: string): RuledLanguage | null {
  if (!firstLine.startsWith('#!')) return null
  const words = firstLine.slice(2, 200).trim().split(/\s+/)
  const names = words.map((word) => lastSegment(word))
  const name = names[0] === 'env' ? names.slice(1).find((one) => !/^-|=/.test(one)) : names[0]
  return languageOfInterpreter.get(name?.replace(/(?<![\d.])[\d.]+$/, '') ?? '') ?? null
}

/** Constructs that only C++ has at the start of a line. */
const plainlyCpp =
  /^[ \t]*(?:namespace\s+[\w:]*\s*\{|template\s*<|class\s+\w+[^;()]{0,200}\{|(?:public|private|protected)\s*:|using\s+(?:namespace\s|\w+\s*=))/m

/**
 * The language of a file by its name, or by its first line if it has no extension. A header is C++ if
 * it has constructs that only C++ has.
 */
export function languageOfText(path: string, text: string): RuledLanguage | null {
  const named = languageOf(path)
  const extension = extensionOf(path)
  if (extension === '.h') return plainlyCpp.test(text) ? 'cpp' : named
  if (extension !== '' || !text.startsWith('#!')) return named
  return languageOfShebang(text.slice(0, 200).split('\n', 1)[0] as string) ?? named
}

export function isCodeFile(path: string): boolean {
  const language = languageOf(path)
  return language !== null && isCodeLanguage(language)
}
