// How does a text get onto the clipboard? By the system's own program, else by the terminal.
import { spawnSync } from 'node:child_process'
import { YoreError } from '../../model/errors.ts'
import type { OutputStream } from './terminal.ts'

type Program = readonly [name: string, ...args: string[]]

/** In the order in which they are tried. */
function programsFor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly Program[] {
  if (platform === 'darwin') return [['pbcopy']]
  if (platform === 'win32') return [['clip.exe']]
  const x11: Program[] = [
    ['xclip', '-selection', 'clipboard'],
    ['xsel', '--clipboard', '--input'],
  ]
  return [...(env.WAYLAND_DISPLAY ? [['wl-copy'] as const] : []), ...(env.DISPLAY ? x11 : []), ['clip.exe']]
}

/** The longest OSC 52 payload, in base64, that terminals accept. */
const longestSequence = 74_994

/** Copies a text; returns the program that did. Throws BAD_INSTALL when there is no clipboard. */
export function copyText(text: string, terminal: OutputStream): string {
  for (const [name, ...args] of programsFor(process.platform, process.env)) {
    const run = spawnSync(name, args, { input: text, stdio: ['pipe', 'ignore', 'ignore'], timeout: 5000 })
    if (run.error === undefined && run.status === 0) return name
  }
  // OSC 52 also works over SSH, and in tmux where it is allowed.
  const encoded = Buffer.from(text).toString('base64')
  if (terminal.isTTY === true && encoded.length <= longestSequence) {
    terminal.write(`\u001b]52;c;${encoded}\u0007`)
    return 'the terminal'
  }
  throw new YoreError('BAD_INSTALL', 'no program that copies to the clipboard was found', {
    hint: 'install wl-copy, xclip or xsel, or write to a file with --output',
  })
}
