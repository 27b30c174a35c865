// May this stream have colours? On a terminal, unless NO_COLOR or a dumb terminal says no.
import picocolors from 'picocolors'
import { caller } from './caller.ts'

/** The styles that output uses; without colour they return their text. */
export interface Palette {
  readonly colored: boolean
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

/** The palette of one stream. */
export function paletteFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Palette {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0'
  const refused = (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb'
  return makePalette(!refused && (forced || stream.isTTY === true))
}

/** The palette of standard output. */
export function outPalette(): Palette {
  const { stdout, env } = caller()
  return paletteFor(stdout, env)
}

/** A palette with or without colours. */
export function makePalette(colored: boolean): Palette {
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(colored)
  return { colored, bold, dim, red, green, yellow, cyan }
}
