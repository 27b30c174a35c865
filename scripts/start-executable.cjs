// How does the single executable start? It unpacks the package once into the user's cache folder and runs it from there.
//
// This is the main script inside of the executable. Threads and WebAssembly need files with paths, so the
// package is unpacked as it was published. The folder is named by the hash of its contents and appears by one rename.
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const sea = require('node:sea')
const { pathToFileURL } = require('node:url')

const day = 24 * 3600 * 1000
/** Unpacked versions that were not used for that long are removed by the next one that unpacks. */
const keptMilliseconds = 30 * day

/** `folder`: its name; `sha256` of all bytes; `files`: pairs of path and size, in the order of their bytes. */
const contents = JSON.parse(Buffer.from(sea.getRawAsset('contents')).toString())

/** When a folder was last changed or checked; null if it is missing, or other users could write to it. */
function ownTime(folder) {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return null
  const isOwn = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
  return isOwn ? found.mtimeMs : null
}

/** True if no file is missing or cut off. Looking at each takes as long as starting Node, so this happens once a day. */
function isWhole(folder) {
  const time = ownTime(folder)
  if (time === null) return false
  if (Math.abs(Date.now() - time) < day) return true
  const isDamaged = contents.files.some(
    ([name, size]) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size !== size,
  )
  if (!isDamaged) fs.utimesSync(folder, new Date(), new Date())
  return !isDamaged
}

function unpackInto(folder) {
  const { createHash } = require('node:crypto')
  const bytes = require('node:zlib').zstdDecompressSync(Buffer.from(sea.getRawAsset('package')))
  if (createHash('sha256').update(bytes).digest('hex') !== contents.sha256)
    throw new Error('checksum mismatch in the executable; download it again')
  let at = 0
  for (const [name, size] of contents.files) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, bytes.subarray(at, at + size), { mode: 0o644 })
    at += size
  }
}

function removeOld(base) {
  for (const name of fs.readdirSync(base)) {
    const folder = path.join(base, name)
    const age = Date.now() - (fs.lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (name !== contents.folder && age > keptMilliseconds)
      fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The unpacked package below `base`. Processes that start at once each unpack their own copy; the first rename wins. */
function unpackBelow(base) {
  const folder = path.join(base, contents.folder)
  if (isWhole(folder)) return folder
  fs.mkdirSync(base, { recursive: true, mode: 0o700 })
  if (ownTime(base) === null) throw new Error(`${base} can be written by other users`)
  const own = fs.mkdtempSync(path.join(base, 'new-'))
  const damaged = `${own}-damaged`
  try {
    unpackInto(own)
    if (!isWhole(folder) && fs.existsSync(folder)) fs.renameSync(folder, damaged)
    try {
      fs.renameSync(own, folder)
    } catch (error) {
      if (!isWhole(folder)) throw error
    }
    removeOld(base)
  } finally {
    for (const rest of [own, damaged]) fs.rmSync(rest, { recursive: true, force: true })
  }
  return folder
}

function unpack() {
  const cache = process.env.XDG_CACHE_HOME
  const user = path.isAbsolute(cache ?? '') ? cache : path.join(os.homedir(), '.cache')
  try {
    return unpackBelow(path.join(user, 'yore', 'executable'))
  } catch (_error) {
    // Users without a home folder that they can write to.
    return unpackBelow(path.join(os.tmpdir(), `yore-${process.getuid?.() ?? 'user'}`))
  }
}

function start() {
  let folder
  try {
    folder = unpack()
  } catch (error) {
    process.stderr.write(`error: yore could not unpack itself: ${error.message}\n`)
    process.stderr.write('hint: set XDG_CACHE_HOME to a folder that you can write to\n')
    process.exitCode = 1
    return
  }
  const launcher = path.join(folder, 'bin', 'yore.js')
  // The package starts this one in the background as `execPath FILE`.
  const background = path.join(folder, 'dist', 'index-later.js')
  if (process.argv[2] === background) process.argv.splice(1, 2, background)
  else process.argv.splice(1, 1, launcher)
  import(pathToFileURL(process.argv[1]).href)
}

start()
