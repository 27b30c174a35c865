// How is a WebAssembly kernel started? With a memory of its own that it shares with our typed arrays.

const pageBytes = 65_536

/** The part of WebAssembly that we use; TypeScript knows it only together with the DOM. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory
  readonly Instance: new (
    module: object,
    imports: { yore: { memory: WasmMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> }
}

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

interface Kernel {
  readonly exports: Readonly<Record<string, unknown>>
  /** Changes when the memory grows; views of the buffer before are empty then. */
  readonly buffer: () => ArrayBuffer
  /** Makes the memory at least so large; what is in it stays, the rest is zero. Throws when there is no room. */
  readonly growTo: (bytes: number) => void
}

/** Null where the runtime has no WebAssembly with SIMD, or no room for the memory. */
export function openKernel(base64: string, bytes: number, maxBytes: number): Kernel | null {
  const { WebAssembly } = globalThis as unknown as { WebAssembly?: WebAssemblyApi }
  if (WebAssembly === undefined) return null
  try {
    const module = new WebAssembly.Module(Buffer.from(base64, 'base64'))
    const memory = new WebAssembly.Memory({ initial: toPages(bytes), maximum: toPages(maxBytes) })
    const { exports } = new WebAssembly.Instance(module, { yore: { memory } })
    return {
      exports,
      buffer: () => memory.buffer,
      growTo: (wanted) => {
        const missing = toPages(wanted) - toPages(memory.buffer.byteLength)
        if (missing > 0) memory.grow(missing)
      },
    }
  } catch {
    return null
  }
}

function toPages(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
