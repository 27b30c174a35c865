#!/usr/bin/env node
// How does yore start? It checks the version of Node, in syntax that old ones parse, and then loads the command line.
// No static import and no top-level await here: Node would refuse the file before it could say why.

// Older versions of SQLite delete a file that a planted journal names; the version of Node decides that of SQLite.
const neededSqlite = [3, 53, 2]
const neededNode = 'Node 24.19 or newer, or Node 26.4 or newer'

function isOldSqlite(version) {
  const parts = version.split('.').map(Number)
  for (let at = 0; at < neededSqlite.length; at++)
    if (parts[at] !== neededSqlite[at]) return !(parts[at] > neededSqlite[at])
  return false
}

function start() {
  const version = process.versions.node
  const sqlite = process.versions.sqlite || 'none'
  if (Number(version.split('.')[0]) < 24 || isOldSqlite(sqlite)) {
    process.stderr.write(
      `error: yore needs ${neededNode}, and this is Node ${version} (SQLite ${sqlite}; 3.53.2 is the first that is safe)\n`,
    )
    process.stderr.write(
      `hint: install ${neededNode}, or the executable, which needs no Node (README, Install)\n`,
    )
    process.exitCode = 1
    return
  }
  silenceSqliteNotice()
  keepCompiledCode()
  import('../dist/cli.js').catch((error) => {
    process.stderr.write(`error: yore could not start: ${error.message}\n`)
    process.stderr.write('hint: the installation looks incomplete; install yore again\n')
    process.exitCode = 1
  })
}

// Early releases of Node 24 announce on standard error that node:sqlite is experimental. Every other warning passes.
function silenceSqliteNotice() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    const text = warning instanceof Error ? warning.message : String(warning)
    if (!text.startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest)
  }
}

// In the user's own cache folder: a shared temporary folder is open to other users of the machine.
function keepCompiledCode() {
  try {
    const path = process.getBuiltinModule('node:path')
    const base = process.env.XDG_CACHE_HOME
    const home = process.getBuiltinModule('node:os').homedir()
    const cache = base && path.isAbsolute(base) ? base : path.join(home, '.cache')
    const folder = path.join(cache, 'yore', 'compiled')
    if (isPrivate(folder)) process.getBuiltinModule('node:module').enableCompileCache(folder)
  } catch (_error) {
    // Without the cache yore only starts a little later.
  }
}

// Compiled code is run, so no other user may be able to write it. A folder that was open to others starts again, empty.
function isPrivate(folder) {
  const fs = process.getBuiltinModule('node:fs')
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = fs.lstatSync(folder)
  if (process.getuid === undefined) return true
  if (!found.isDirectory() || found.uid !== process.getuid()) return false
  if ((found.mode & 0o022) === 0) return true
  fs.rmSync(folder, { recursive: true })
  fs.mkdirSync(folder, { mode: 0o700 })
  return true
}

start()
