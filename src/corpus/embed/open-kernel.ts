// How is a WebAssembly kernel started? With its own memory, shared with typed arrays.

const pageBytes = 65_536

/** The used part of WebAssembly, which TypeScript declares only with the DOM. */
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
  /** Changes when the memory grows; older views are empty then. */
  readonly buffer: () => ArrayBuffer
  /** Grows the memory to at least this size and keeps its content. Throws without memory. */
  readonly growTo: (bytes: number) => void
}

/** Null without WebAssembly SIMD or without memory. */
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

const toPages = (bytes: number): number => Math.ceil(bytes / pageBytes)
