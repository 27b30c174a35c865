#!/usr/bin/env node
// How does yore start? It checks the version of Node, in syntax that old ones parse, and then loads the command line.
// No static import and no top-level await here: Node would refuse the file before it could say why.

const needed = 24

function start() {
  const version = process.versions.node
  if (Number(version.split('.')[0]) < needed) {
    process.stderr.write(`error: yore needs Node ${needed} or newer, and this is Node ${version}\n`)
    process.stderr.write(`hint: install Node ${needed} or newer\n`)
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
    const folder = base && path.isAbsolute(base) ? base : path.join(home, '.cache')
    process.getBuiltinModule('node:module').enableCompileCache(path.join(folder, 'yore', 'compiled'))
  } catch (_error) {
    // Without the cache yore only starts a little later.
  }
}

start()
