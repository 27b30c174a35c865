// How is a page sent to a browser? Compressed, with headers that allow only files of its server.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { style } from './style.ts'

/** Only files of this server; no inline script or style, no framing, no form to other hosts. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  // Under no-referrer a browser would send its own forms with an Origin of null.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#8a3b12"/><path d="M8 8l8 10v7m8-17l-8 10" stroke="#fff" stroke-width="4" fill="none" stroke-linecap="round"/></svg>`

export interface Asset {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
}

function makeAsset(body: string | Buffer, type: string): Asset {
  const bytes = Buffer.from(body)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 20)
  return { body: bytes, type, etag: `"${hash}"` }
}

/** The script is in the same folder as this file, in src/ and in dist/. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  return new Map([
    ['/style.css', makeAsset(style, 'text/css; charset=utf-8')],
    [
      '/ui-island.js',
      makeAsset(readFileSync(new URL('./ui-island.js', import.meta.url)), 'text/javascript; charset=utf-8'),
    ],
    ['/icon.svg', makeAsset(icon, 'image/svg+xml')],
  ])
}

/** What is sent of a page, for a client that takes these encodings. */
export function packPage(
  made: { readonly type: string; readonly body: string | Buffer },
  encodings = '',
): { readonly headers: Readonly<Record<string, string | number>>; readonly body: Buffer } {
  const bytes = Buffer.from(made.body)
  const isText = !/^image\/(?!svg)/.test(made.type)
  const isSmall = !isText || bytes.length < 1000 || !/\bgzip\b/.test(encodings)
  const body = isSmall ? bytes : gzipSync(bytes, { level: 6 })
  const headers = {
    ...pageHeaders,
    'cache-control': 'no-store',
    'content-type': made.type,
    'content-length': body.length,
    vary: 'accept-encoding',
    ...(isSmall ? {} : { 'content-encoding': 'gzip' }),
  }
  return { headers, body }
}
