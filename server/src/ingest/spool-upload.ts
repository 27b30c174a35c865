// How is an upload received? Into a temporary file, while it is counted, limited and hashed.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { ServiceError } from '../errors.ts'

export interface Spooled {
  readonly file: string
  readonly sha256: string
  readonly size: number
  remove(): Promise<void>
}

/** Receives a stream into a file that the caller removes. Throws TOO_LARGE past the limit and leaves nothing behind. */
export async function spoolUpload(
  source: AsyncIterable<Uint8Array>,
  options: { readonly directory: string; readonly maxBytes: number },
): Promise<Spooled> {
  await mkdir(options.directory, { recursive: true })
  const file = path.join(options.directory, randomUUID())
  const hash = createHash('sha256')
  let size = 0
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const piece of source) {
      size += piece.byteLength
      if (size > options.maxBytes)
        throw new ServiceError('TOO_LARGE', `an upload may have ${options.maxBytes} bytes`)
      hash.update(piece)
      await handle.write(piece)
    }
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return { file, sha256: hash.digest('hex'), size, remove: () => rm(file, { force: true }) }
}
