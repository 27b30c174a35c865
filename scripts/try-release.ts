// Can a release be installed? Uses the folder that `npm run release:dry` wrote: installers over HTTP, manifests through linters, images as root file systems.
//
// node scripts/try-release.ts [FOLDER]   release/ by default. What this machine cannot try is reported as SKIPPED; the last line counts.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { Checks } from './count-checks.ts'
import { hashFile, type Release } from './describe-release.ts'

const root = path.join(import.meta.dirname, '..')
const release = path.resolve(process.argv[2] ?? path.join(root, 'release'))
const { version } = JSON.parse(readFileSync(path.join(release, 'release.json'), 'utf8')) as Release
const largestArchive = 45e6
const checks = new Checks()
const check = checks.check.bind(checks)

const has = (program: string): boolean => spawnSync('which', [program]).status === 0
const skip = (what: string, why: string): void => {
  process.stdout.write(`SKIPPED: ${what}: ${why}\n`)
}

/** Runs a linter where it is installed. */
function lint(what: string, program: string, args: readonly string[]): void {
  if (!has(program)) {
    skip(what, `${program} is not installed`)
    return
  }
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  check(what, status === 0, stdout + stderr)
}

const file = (name: string): string => path.join(release, name)

interface Said {
  readonly status: number | null
  readonly text: string
}

/** Runs a command without blocking the server of this process. */
async function runWith(env: NodeJS.ProcessEnv, program: string, ...args: readonly string[]): Promise<Said> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, text }
}

/** Serves a folder over HTTP while `use` runs. */
async function serveFolder(folder: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(({ url = '/' }, response) => {
    const found = path.join(folder, path.basename(url))
    if (existsSync(found)) createReadStream(found).pipe(response)
    else response.writeHead(404).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function checkShellInstaller(work: string): Promise<void> {
  const home = path.join(work, 'home')
  mkdirSync(home)
  const program = path.join(home, '.local', 'bin', 'yore')
  const installer = file('install.sh')
  await serveFolder(release, async (url) => {
    const env = { HOME: home, PATH: process.env.PATH, YORE_RELEASE_URL: url }
    const installed = await runWith(env, 'sh', installer)
    check(
      'install.sh installs the executable',
      installed.text.includes(`installed ${version} as ${program}`),
      installed.text,
    )
    const again = await runWith(env, 'sh', installer)
    check('install.sh installs over an older one', again.status === 0, again.text)
    const removed = await runWith(env, 'sh', installer, '--uninstall')
    const left = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(path.join(home, name)).isFile(),
    )
    check(
      'install.sh --uninstall leaves no file',
      removed.status === 0 && left.length === 0,
      left.join(', ') + removed.text,
    )
    // Without xz, and with wget instead of curl.
    const few = path.join(work, 'few-programs')
    mkdirSync(few)
    for (const name of [
      'sh',
      'uname',
      'ls',
      'mktemp',
      'rm',
      'wget',
      'sha256sum',
      'tar',
      'gzip',
      'mkdir',
      'cp',
      'chmod',
      'mv',
    ])
      execFileSync('ln', [
        '-s',
        execFileSync('which', [name], { encoding: 'utf8' }).trim(),
        path.join(few, name),
      ])
    const plain = await runWith({ ...env, PATH: few }, path.join(few, 'sh'), installer)
    check(
      'install.sh works without xz and curl, and says that PATH lacks the folder',
      plain.status === 0 && plain.text.includes('is not on PATH'),
      plain.text,
    )
    await runWith(env, 'sh', installer, '--uninstall')
  })
  const altered = path.join(work, 'altered')
  mkdirSync(altered)
  for (const name of readdirSync(release).filter((known) => known.includes('linux-x64.tar'))) {
    copyFileSync(file(name), path.join(altered, name))
    appendFileSync(path.join(altered, name), 'x')
  }
  await serveFolder(altered, async (url) => {
    const env = { HOME: home, PATH: process.env.PATH, YORE_RELEASE_URL: url }
    const refused = await runWith(env, 'sh', installer)
    check(
      'install.sh refuses an altered archive',
      refused.status === 1 && refused.text.includes('checksum mismatch') && !existsSync(program),
      refused.text,
    )
    rmSync(altered, { recursive: true })
    const missing = await runWith(env, 'sh', installer)
    check(
      'install.sh fails where the archive is missing',
      missing.status !== 0 && !existsSync(program),
      missing.text,
    )
  })
}

/** The fields that Scoop needs of a manifest. */
const scoopSchema = {
  type: 'object',
  required: ['version', 'description', 'homepage', 'license', 'architecture', 'bin'],
  additionalProperties: false,
  properties: {
    version: { type: 'string', pattern: '^[\\w.+-]+$' },
    description: { type: 'string', maxLength: 100 },
    homepage: { type: 'string', pattern: '^https://' },
    license: { type: 'string' },
    bin: { type: 'string' },
    architecture: {
      type: 'object',
      required: ['64bit'],
      properties: {
        '64bit': {
          type: 'object',
          required: ['url', 'hash'],
          properties: {
            hash: { type: 'string', pattern: '^[a-f0-9]{64}$' },
            url: { type: 'string', pattern: '^https://.*#/yore\\.exe$' },
          },
        },
      },
    },
  },
}

function checkManifests(work: string): void {
  const sums = readFileSync(file('SHA256SUMS'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('  '))
  const wrong = sums.filter(([sum, name = '']) => hashFile(file(name)) !== sum)
  check(
    `SHA256SUMS has the hashes of ${sums.length} files`,
    sums.length > 10 && wrong.length === 0,
    wrong.join('; '),
  )
  for (const name of readdirSync(release).filter((known) => known.endsWith('.tar.xz'))) {
    const { size } = statSync(file(name))
    process.stdout.write(`     ${name}: ${(size / 1e6).toFixed(1)} MB\n`)
    check(`${name} has at most 45 MB`, size <= largestArchive, `${size}`)
  }
  lint('install.sh passes shellcheck', 'shellcheck', [file('install.sh')])
  lint('the Homebrew formula parses', 'ruby', ['-c', file('yore.rb')])
  lint('the Nix flake parses', 'nix-instantiate', ['--parse', file('flake.nix')])
  lint('install.ps1 parses', 'pwsh', [
    '-NoProfile',
    '-Command',
    `$e = $null; [void][System.Management.Automation.Language.Parser]::ParseFile('${file('install.ps1')}', [ref]$null, [ref]$e); exit $e.Count`,
  ])
  const scoop: unknown = JSON.parse(readFileSync(file('yore.json'), 'utf8'))
  check('the Scoop manifest has what Scoop needs', new Ajv().validate(scoopSchema, scoop))
  const deb = file(`yore_${version}_amd64.deb`)
  lint('the Debian package has a valid description', 'dpkg-deb', ['--info', deb])
  lint('lintian finds no error in the Debian package', 'lintian', [
    '--fail-on',
    'error',
    '--suppress-tags',
    'embedded-library,unstripped-binary-or-object,statically-linked-binary',
    deb,
  ])
  if (!has('dpkg-deb')) return
  const unpacked = path.join(work, 'deb')
  execFileSync('dpkg-deb', ['--extract', deb, unpacked])
  const said = spawnSync(path.join(unpacked, 'usr/bin/yore'), ['--version'], {
    env: { HOME: work },
    encoding: 'utf8',
  })
  check('the program of the Debian package runs', said.stdout === `${version}\n`, said.stderr)
}

/** The steps of the Dockerfile, with Node and its libraries as the base, run read-only by a user without rights. */
function checkImages(work: string): void {
  const may = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0
  if (!may) {
    skip('the images as root file systems', 'unshare is not permitted')
    return
  }
  const installed = path.join(work, 'installed')
  mkdirSync(installed)
  for (const name of readdirSync(release).filter((known) => known.endsWith('.tgz')))
    copyFileSync(file(name), path.join(installed, name))
  cpSync(file('image'), path.join(installed, 'image'), { recursive: true })
  for (const [name, entry, args] of [
    ['yore', 'yore/bin/yore.js', ['assemble', 'How do I deploy a new service?', '--root', '/work']],
    ['yore-server', 'yore-server/bin/yore-server.js', ['--help']],
  ] as const) {
    const place = path.join(installed, 'image', name)
    const quiet = ['--omit=dev', '--ignore-scripts', '--silent', '--no-fund', '--no-audit']
    const { status, stderr } = spawnSync('npm', ['ci', ...quiet], { cwd: place, encoding: 'utf8' })
    check(`npm ci installs the image of ${name}`, status === 0, stderr)
    const image = path.join(work, `root-${name}`)
    const listed = execFileSync('ldd', [process.execPath], { encoding: 'utf8' })
    for (const library of [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, found]) => found ?? '')) {
      mkdirSync(path.join(image, path.dirname(library)), { recursive: true })
      copyFileSync(library, path.join(image, library))
    }
    for (const folder of ['bin', 'tmp', 'dev']) mkdirSync(path.join(image, folder), { recursive: true })
    copyFileSync(process.execPath, path.join(image, 'bin', 'node'))
    cpSync(place, path.join(image, 'yore'), { recursive: true, verbatimSymlinks: true })
    cpSync(path.join(root, 'assets', 'demo', 'documents'), path.join(image, 'work'), { recursive: true })
    execFileSync('chmod', ['-R', 'go+rX', image])
    chmodSync(work, 0o755)
    const mounts =
      'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount -t tmpfs -o mode=1777 tmpfs "$1/tmp" && mount -t tmpfs -o mode=1777 tmpfs "$1/work/.yore"'
    mkdirSync(path.join(image, 'work', '.yore'))
    const script = `${mounts} && root="$1" && shift && exec chroot --userspec=1000:1000 "$root" /bin/node "$@"`
    const argv = ['-m', 'sh', '-c', script, 'sh', image, `/yore/node_modules/${entry}`, ...args]
    const env = { PATH: process.env.PATH, HOME: '/tmp', XDG_CACHE_HOME: '/tmp/cache' }
    const said = spawnSync('unshare', argv, { env, encoding: 'utf8' })
    const expected = name === 'yore' ? './scripts/new_service.sh' : 'serve'
    check(
      `the image of ${name} works read-only and without rights`,
      said.status === 0 && said.stdout.includes(expected),
      said.stdout.slice(-500) + said.stderr,
    )
  }
}

const work = mkdtempSync(path.join(tmpdir(), 'yore-try-release-'))
try {
  checkManifests(work)
  await checkShellInstaller(work)
  skip('install.ps1, the Scoop manifest and the Windows executable', 'they need Windows')
  checkImages(work)
} finally {
  rmSync(work, { recursive: true, force: true })
}
checks.finish()
