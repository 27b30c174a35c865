// How does a page open in the user's browser? By the program that the system has for it, where a person sits at this machine.
import { spawn } from 'node:child_process'
import path from 'node:path'

interface Desktop {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** True if a person reads standard output. */
  readonly isTerminal: boolean
}

/** The program and its arguments before the address; null where no browser should open. */
export function findOpener({ platform, env, isTerminal }: Desktop): readonly string[] | null {
  if (!isTerminal || env.CI || env.SSH_CONNECTION || env.BROWSER === 'none') return null
  if (platform === 'darwin') return ['/usr/bin/open']
  // By its full path: Windows looks for a program in the current folder first.
  if (platform === 'win32')
    return [
      path.win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'rundll32.exe'),
      'url.dll,FileProtocolHandler',
    ]
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null
}

/** Opens the address if it can; the user has read it in any case. */
export function openBrowser(url: string, desktop: Desktop): void {
  const [program, ...args] = findOpener(desktop) ?? []
  if (program === undefined) return
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
