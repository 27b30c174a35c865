// Which yore may the plugin run in an opened repository? The installed one on PATH, and nothing that lies in the repository.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const isWindows = process.platform === 'win32'
const args = process.argv.slice(2)

const isBelow = (folder, place) => {
  const below = path.relative(folder, place)
  return below === '' || !(below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below))
}

/** The folders that the agent works in, each up to the outermost checkout: one repository may lie in another. */
const projects = [process.cwd(), process.env.CLAUDE_PROJECT_DIR ?? process.cwd()].map((folder) => {
  const real = realpathSync.native(folder)
  let top = null
  for (let at = real; ; at = path.dirname(at)) {
    // A home folder that is a checkout, too, holds the user's own programs.
    if (existsSync(path.join(at, '.git')) && (top === null || !isBelow(at, homedir()))) top = at
    if (path.dirname(at) === at) return top ?? real
  }
})

const isInProject = (place) => projects.some((folder) => isBelow(folder, place))

/** npm's shims on Windows are scripts for a shell, so the module beside them is run instead. */
function findYore() {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue
    const place = path.join(folder, isWindows ? 'node_modules/yore/bin/yore.js' : 'yore')
    try {
      const real = realpathSync.native(place)
      if (statSync(real).isFile() && !isInProject(real) && !isInProject(realpathSync.native(folder))) return real
    } catch {
      // Not there.
    }
  }
  return null
}

const yore = findYore()
if (yore === null) {
  // A hook without yore stays silent; a server says what is missing.
  if (args[0] !== 'hook') {
    console.error('error: no yore is installed outside this repository\nhint: run `npm install --global yore`')
    process.exitCode = 1
  }
} else if (args[0] === 'hook' && yore.endsWith('.js')) {
  // In this process: the agent waits, and a second one takes longer to start than to answer.
  process.argv[1] = yore
  await import(pathToFileURL(yore).href)
} else {
  // By this very Node: the first line of the file would search PATH for one.
  const [program, ...first] = yore.endsWith('.js') ? [process.execPath, yore] : [yore]
  const child = spawn(program, [...first, ...args], { stdio: 'inherit', windowsHide: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`error: ${yore} cannot be started: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
