// Which archives do the tests read? Real ones of tar, and hostile ones made byte by byte.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

interface TarFile {
  readonly name: string
  readonly content?: string | Uint8Array
  /** `0` file, `5` folder, `2` symbolic link, and so on. */
  readonly type?: string
  readonly link?: string
  /** What the header says; the real size unless given. */
  readonly size?: number
}

function tarHeader({ name, content = '', type = '0', link = '', size }: TarFile): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${(size ?? Buffer.byteLength(content)).toString(8).padStart(11, '0')}\0`, 124)
  header.write('14707045700\0', 136)
  header.write(type, 156)
  header.write(link, 157, 100)
  header.write('ustar\x0000', 257)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

export function makeTarGz(files: readonly TarFile[]): Buffer {
  const blocks = files.flatMap((file) => {
    const content = Buffer.from((file.content ?? '') as string)
    return [tarHeader(file), content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

interface ZipFile {
  readonly name: string
  readonly content?: string | Uint8Array
  readonly mode?: number
  readonly flags?: number
  /** What the directory says; the real size unless given. */
  readonly size?: number
  /** Where the directory says that it begins; where it does unless given. */
  readonly offset?: number
}

export function makeZip(files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content = '', mode = 0o100644, flags = 0, size, offset } of files) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crc32(bytes), 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(size ?? bytes.length, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE((mode << 16) >>> 0, 38)
    entry.writeUInt32LE(offset ?? at, 42)
    locals.push(local, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, listed, end])
}
