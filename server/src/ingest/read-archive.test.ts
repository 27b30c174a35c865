// Are archives read whole, and hostile ones refused? Made by tar itself, and byte by byte.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { makeTarGz } from '../../test/support/archives.ts'
import { type ArchiveLimits, readArchive } from './read-archive.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'yore-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limits: ArchiveLimits = { fileBytes: 100_000, totalBytes: 1_000_000, entries: 100, strip: 0 }

async function read(
  bytes: Uint8Array,
  changes: Partial<ArchiveLimits> = {},
): Promise<Record<string, string>> {
  const file = path.join(folder, 'archive')
  writeFileSync(file, bytes)
  const found: Record<string, string> = {}
  for await (const entry of readArchive(file, { ...limits, ...changes }))
    found[entry.path] =
      entry.bytes === null ? `skipped: ${entry.reason}` : Buffer.from(entry.bytes).toString()
  return found
}

const files = { 'README.md': '# Read me\n', 'docs/guide.md': 'x'.repeat(5000), 'docs/empty.md': '' }

const make = (given: Record<string, string>): Buffer =>
  makeTarGz(Object.entries(given).map(([name, content]) => ({ name, content })))

describe('a tar.gz', () => {
  it('gives every file', async () => {
    expect(await read(make(files))).toEqual(files)
  })

  it('drops folders at the start and those of tools, and names what is too large or above', async () => {
    const given = { 'repo/a.md': 'a', 'repo/.git/config': 'x', 'repo/large.md': 'y'.repeat(200), top: 't' }
    expect(await read(make(given), { strip: 1, fileBytes: 100 })).toEqual({
      'a.md': 'a',
      'large.md': 'skipped: larger than 0 MB',
      top: 'skipped: it is not below the 1 stripped folder',
    })
  })

  it.each(['../a.md', 'a/../../b.md', '/etc/passwd', 'a\\..\\b.md', 'a\nb.md'])(
    'refuses %j',
    async (name) => {
      await expect(read(make({ [name]: 'x' }))).rejects.toMatchObject({ code: 'BAD_ARCHIVE' })
    },
  )

  it('refuses too many entries and too many bytes', async () => {
    await expect(read(make(files), { entries: 2 })).rejects.toThrow(/entries/)
    const bomb = make({ 'bomb.md': '0'.repeat(3_000_000) })
    expect(bomb.length).toBeLessThan(20_000)
    await expect(read(bomb)).rejects.toThrow(/1000000 bytes/)
  })

  it('refuses folders in folders without end', async () => {
    const deep = (at: number): string => `${at}/${'x/'.repeat(40)}a.md`
    const given = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [deep(at), 'a']))
    await expect(read(make(given))).rejects.toThrow(/100 folders/)
    expect(Object.keys(await read(make({ [deep(1)]: 'a', [deep(2)]: 'b' })))).toHaveLength(2)
  })

  it('refuses or reads whatever bytes come, and gives no path that leads out', async () => {
    const whole = make(files)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), async (at, byte, cut) => {
        const changed = Buffer.from(whole)
        changed[at] = byte
        for (const bytes of [changed, whole.subarray(0, cut)])
          try {
            for (const name of Object.keys(await read(bytes))) expect(path.posix.normalize(name)).toBe(name)
          } catch (error) {
            expect(['BAD_ARCHIVE', 'TOO_LARGE']).toContain((error as { code?: string }).code)
          }
      }),
      { numRuns: 150 },
    )
  })
})

describe('tar', () => {
  it.each(['gnu', 'pax', 'ustar'])(
    'of the system, in the form %s, is read with long names',
    async (format) => {
      const root = mkdtempSync(path.join(folder, 'tar-'))
      const long = `${'long-'.repeat(14)}/${'name-'.repeat(14)}.md`
      mkdirSync(path.join(root, path.dirname(long)), { recursive: true })
      writeFileSync(path.join(root, long), 'long')
      writeFileSync(path.join(root, 'ü.md'), 'umlaut')
      const archive = path.join(folder, `${format}.tgz`)
      execFileSync('tar', ['--format', format, '-czf', archive, '-C', root, '.'])
      const found: Record<string, string> = {}
      for await (const entry of readArchive(archive, limits))
        found[entry.path] = Buffer.from(entry.bytes ?? '').toString()
      expect(found).toEqual({ [long]: 'long', 'ü.md': 'umlaut' })
    },
  )

  it.each([
    ['a symbolic link', { name: 'a', type: '2', link: '/etc/passwd' }],
    ['a hard link', { name: 'a', type: '1', link: 'b' }],
    ['a device', { name: 'a', type: '3' }],
    ['a FIFO', { name: 'a', type: '6' }],
  ])('refuses %s', async (_, file) => {
    await expect(read(makeTarGz([file]))).rejects.toThrow(/link or a device/)
  })

  it('refuses sizes that are not there', async () => {
    await expect(read(makeTarGz([{ name: 'a', content: 'x', size: 50_000 }]))).rejects.toThrow(/cut off/)
  })
})

it('is the only kind', async () => {
  await expect(read(Buffer.from('# a Markdown file\n'))).rejects.toThrow('is not a tar.gz')
})
