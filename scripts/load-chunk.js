// How does a chunk of dist/ start fast? As a script whose compiled functions are cached when the process ends.
// Node makes its own cache while a module loads, without the functions that run later: each start compiles them again.
// The build copies this file into dist/.

const fs = process.getBuiltinModule('node:fs')
const nodeModule = process.getBuiltinModule('node:module')
const { fileURLToPath } = process.getBuiltinModule('node:url')
const vm = process.getBuiltinModule('node:vm')

/** Bytes: a checksum of the rest, the length of the commands' names, and these names. */
const HEADER = 256
/** Microseconds of processor time. In a longer run V8 drops functions that it has not called for a while. */
const SHORT_RUN = 1_500_000
const MOST_COMMANDS = 12
/** Milliseconds: 30 days. */
const KEPT = 30 * 86_400_000

const checksum = (bytes) => process.getBuiltinModule('node:zlib').crc32(bytes)

/** The cached functions and the commands that ran them; none if the file is missing or damaged. */
function readCache(file) {
  try {
    const bytes = fs.readFileSync(file)
    if (bytes.length > HEADER && checksum(bytes.subarray(4)) === bytes.readUInt32LE(0)) {
      const commands = bytes.toString('latin1', 6, 6 + bytes.readUInt16LE(4))
      return { commands: commands.split(' ').filter(Boolean), cachedData: bytes.subarray(HEADER) }
    }
  } catch {
    // Not cached yet.
  }
  return { commands: [], cachedData: undefined }
}

/** Renames a finished file: no process reads a part of one. */
function writeCache(file, commands, cachedData) {
  const names = commands.join(' ').slice(0, HEADER - 6)
  const bytes = Buffer.concat([Buffer.alloc(HEADER), cachedData])
  bytes.writeUInt16LE(names.length, 4)
  bytes.write(names, 6, 'latin1')
  bytes.writeUInt32LE(checksum(bytes.subarray(4)), 0)
  const part = `${file}.${process.pid}`
  try {
    fs.writeFileSync(part, bytes, { mode: 0o600 })
    fs.renameSync(part, file)
  } catch {
    fs.rmSync(part, { force: true })
  }
}

/** Functions of builds that are no longer used; those of a used build are made again. */
function removeOld(folder) {
  try {
    for (const name of fs.readdirSync(folder)) {
      const file = `${folder}/${name}`
      if (name.startsWith('yore-') && Date.now() - fs.statSync(file).mtimeMs > KEPT)
        fs.rmSync(file, { force: true })
    }
  } catch {
    // Another process removes them.
  }
}

/** The chunks whose functions are cached when the process ends. */
const loaded = []

/** Adds the functions of a command to the cache when it first succeeds; a long run only makes a new cache. */
function cacheAtExit(script, file, { commands, isNew }) {
  const word = process.argv[2] ?? ''
  const command = /^[a-z-]{2,16}$/.test(word) ? word : '?'
  if (commands.includes(command) || commands.length >= MOST_COMMANDS) return
  if (!process.getBuiltinModule('node:worker_threads').isMainThread) return
  // One listener for all chunks: Node warns of more than ten.
  if (loaded.length === 0) process.on('exit', writeLoaded)
  loaded.push({ script, file, commands: [...commands, command], isNew })
}

function writeLoaded(status) {
  const { user, system } = process.cpuUsage()
  const isShort = user + system < SHORT_RUN
  if (status !== 0) return
  if (loaded.some(({ isNew }) => isNew)) removeOld(nodeModule.getCompileCacheDir())
  for (const { script, file, commands, isNew } of loaded)
    if (isShort || isNew) writeCache(file, isShort ? commands : [], script.createCachedData())
}

/** Returns the function of a chunk, from the script next to it with this hash. */
export function loadChunk(url, hash) {
  const filename = fileURLToPath(url).replace(/js$/, 'cjs')
  const source = fs.readFileSync(filename, 'utf8')
  const folder = nodeModule.getCompileCacheDir()
  if (folder === undefined) return new vm.Script(source, { filename }).runInThisContext()
  const file = `${folder}/yore-${hash}`
  const { commands, cachedData } = readCache(file)
  const script = new vm.Script(source, { filename, cachedData })
  const isNew = script.cachedDataRejected !== false
  cacheAtExit(script, file, { commands: isNew ? [] : commands, isNew })
  return script.runInThisContext()
}
