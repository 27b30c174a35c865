// Which manuals does Debian ship in several formats, and how are they had? Downloaded by apt-get, unpacked by dpkg-deb, never committed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface Manual {
  readonly name: string
  readonly package: string
  readonly pdf: string
  /** A page, or a folder with its pages; a pattern chooses among them. */
  readonly html: string
  readonly pages?: RegExp
  readonly htmlPackage?: string
  readonly epub?: string
}

const r = (name: string): Manual => ({
  name,
  package: 'r-doc-pdf',
  pdf: `usr/share/R/doc/manual/${name}.pdf`,
  htmlPackage: 'r-doc-html',
  html: `usr/share/R/doc/manual/${name}.html`,
})

export const manuals: readonly Manual[] = [
  ...['R-admin', 'R-data', 'R-exts', 'R-intro', 'R-ints', 'R-lang'].map(r),
  {
    name: 'bash',
    package: 'bash-doc',
    pdf: 'usr/share/doc/bash/bashref.pdf',
    html: 'usr/share/doc/bash/bashref.html',
  },
  {
    name: 'developers-reference',
    package: 'developers-reference',
    pdf: 'usr/share/developers-reference/developers-reference.pdf',
    html: 'usr/share/developers-reference',
    pages: /^(?!developers-reference|index|search).*\.html$/,
    epub: 'usr/share/developers-reference/developers-reference.epub',
  },
  {
    name: 'debian-reference',
    package: 'debian-reference-en',
    pdf: 'usr/share/debian-reference/debian-reference.en.pdf',
    html: 'usr/share/debian-reference',
    pages: /^(?:ch|ap|pr)\w+\.en\.html$/,
  },
  {
    name: 'debmake-doc',
    package: 'debmake-doc',
    pdf: 'usr/share/doc/debmake-doc/debmake-doc.en.pdf',
    html: 'usr/share/doc/debmake-doc/html',
    pages: /^(?:ch|ap|pr)\w+\.en\.html$/,
    epub: 'usr/share/doc/debmake-doc/debmake-doc.en.epub',
  },
  {
    name: 'debian-policy',
    package: 'debian-policy',
    pdf: 'usr/share/doc/debian-policy/policy.pdf.gz',
    html: 'usr/share/doc/debian-policy/policy.html',
    pages: /^(?:(?:ch|ap)-.*|upgrading-checklist)\.html$/,
    epub: 'usr/share/doc/debian-policy/policy.epub',
  },
  {
    name: 'nettle',
    package: 'nettle-dev',
    pdf: 'usr/share/doc/nettle-dev/nettle.pdf.gz',
    html: 'usr/share/doc/nettle-dev/nettle.html',
  },
]

export function fetchPackages(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-manuals-'))
  const packages = new Set(
    manuals.flatMap((manual) => [manual.package, manual.htmlPackage ?? manual.package]),
  )
  execFileSync('apt-get', ['download', ...packages], { cwd: folder, stdio: 'ignore' })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', file, file.split('_', 1)[0] as string], { cwd: folder })
  return folder
}

export const read = (file: string): Buffer =>
  file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)

/** Without numbers, case, blanks and signs. */
export function normalize(heading: string): string {
  return heading
    .normalize('NFKC')
    .replace(/\s*\{#[^}]*\}$/, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/^\s*(?:chapter|appendix|part)\s+(?=[\da-z]{1,4}\b)/, '')
    .replace(/^\s*(?:\d+|[a-z])(?:\.\d+)*[.:]?\s+/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The HTML of a manual, in the order of its file names; empty when it is not there. */
export function htmlOf(folder: string, manual: Manual): readonly Buffer[] {
  const source = path.join(folder, manual.htmlPackage ?? manual.package, manual.html)
  if (!existsSync(source)) return []
  if (!statSync(source).isDirectory()) return [read(source)]
  return readdirSync(source)
    .filter((name) => manual.pages?.test(name) ?? true)
    .sort()
    .map((name) => read(path.join(source, name)))
}
