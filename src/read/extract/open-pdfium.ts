// How is PDFium kept from using all memory? It runs as WebAssembly with a limited heap.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UnreadableFormat } from './format.ts'

const packageName = '@embedpdf/pdfium'

/** Limit on its heap; a manual of 3,500 pages takes a third of it. */
const HEAP_MEGABYTES = 256
const tooLarge = `it takes more than ${HEAP_MEGABYTES} MB of memory to read`
/** It never returns memory: above this size the next file gets a new instance. */
const REUSED_MEGABYTES = 96
const megabyte = 1024 * 1024

type Call = (...values: number[]) => number

/** The functions that are used, by their names in PDFium. */
const functionNames = [
  ...['FPDF_GetLastError', 'FPDF_GetPageCount', 'FPDF_LoadPage', 'FPDF_ClosePage', 'FPDF_CloseDocument'],
  ...['FPDF_GetPageLabel', 'FPDFText_LoadPage', 'FPDFText_ClosePage', 'FPDFText_CountChars'],
  ...['FPDFText_GetText', 'FPDFText_GetFontSize', 'FPDFText_GetMatrix'],
  ...['FPDFText_GetCharIndexFromTextIndex', 'FPDFText_GetCharOrigin'],
  ...['FPDFBookmark_GetFirstChild', 'FPDFBookmark_GetNextSibling'],
  ...['FPDFBookmark_GetTitle', 'FPDFBookmark_GetDest', 'FPDFBookmark_GetAction', 'FPDFAction_GetDest'],
  ...['FPDFDest_GetDestPageIndex', 'FPDFDest_GetLocationInPage'],
] as const

export type PdfiumFunctions = Readonly<Record<(typeof functionNames)[number], Call>>

/** The functions without the package's wrappers, which convert and check values and take longer than most functions. */
interface Exports extends PdfiumFunctions {
  readonly memory: { readonly buffer: ArrayBuffer }
  malloc(size: number): number
  free(address: number): void
}

interface PdfiumModule {
  readonly pdfium: { readonly wasmExports: Exports }
  PDFiumExt_Init(): void
  FPDF_LoadMemDocument(address: number, size: number, password: string): number
  FPDF_GetMetaText(document: number, tag: string, address: number, size: number): number
}

export interface OpenPdf {
  readonly document: number
  readonly call: PdfiumFunctions
  meta(tag: string): string
  /** Texts that a function writes with a final NUL; it returns the number of bytes. */
  string(write: (address: number, size: number) => number): string
  /** Up to this number of UTF-16 units of a page's text. */
  pageText(page: number, count: number): string
  /** Numbers that a function writes, valid until the next call. */
  numbers(
    kind: 'float' | 'double',
    count: number,
    write: (address: number) => number,
  ): ArrayLike<number> | null
}

/** The used part of WebAssembly, which the types of Node leave to browsers. */
interface Wasm {
  compile(bytes: Uint8Array): Promise<object>
  readonly Instance: new (module: object, imports: WasmImports) => { readonly exports: object }
}
type WasmImports = Record<string, Record<string, unknown> | undefined>

const webAssembly = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly
let wasm: object | null = null
let running: PdfiumModule | null = null

async function start(): Promise<PdfiumModule> {
  const name: string = packageName
  const { init } = (await import(name)) as { init: (options: object) => Promise<PdfiumModule> }
  const file = fileURLToPath(import.meta.resolve(`${packageName}/pdfium.wasm`))
  wasm ??= await webAssembly.compile(readFileSync(file))
  const compiled = wasm
  const instantiateWasm = (imports: WasmImports, done: (instance: object) => void): object => {
    limitHeap(imports)
    const instance = new webAssembly.Instance(compiled, imports)
    done(instance)
    return instance.exports
  }
  // Ignore its output.
  const module = await init({ instantiateWasm, print: () => {}, printErr: () => {} })
  module.PDFiumExt_Init()
  return module
}

/** Its allocator grows memory through one function, which fails above the limit. */
function limitHeap(imports: WasmImports): void {
  const env = imports['env']
  const grow = env?.['emscripten_resize_heap']
  if (env === undefined || typeof grow !== 'function')
    throw new UnreadableFormat(
      `this version of ${packageName} has no memory limit; install the version that yore requires`,
    )
  env['emscripten_resize_heap'] = (size: number): unknown =>
    size >>> 0 > HEAP_MEGABYTES * megabyte ? 0 : (grow as (size: number) => unknown)(size)
}

/** Runs work on a document. A failed instance is not reused. Throws UnreadableFormat. */
export async function withPdf<T>(bytes: Uint8Array, use: (pdf: OpenPdf) => T): Promise<T> {
  running ??= await start()
  const module = running
  running = null
  const { wasmExports } = module.pdfium
  try {
    const result = useDocument(module, bytes, use)
    if (wasmExports.memory.buffer.byteLength <= REUSED_MEGABYTES * megabyte) running = module
    return result
  } catch (error) {
    if (error instanceof UnreadableFormat) throw error
    const isFull = wasmExports.memory.buffer.byteLength > (HEAP_MEGABYTES * megabyte) / 2
    throw new UnreadableFormat(isFull ? tooLarge : 'PDFium failed to read it')
  }
}

/** Codes of FPDF_GetLastError. */
const PASSWORD = 4

function useDocument<T>(module: PdfiumModule, bytes: Uint8Array, use: (pdf: OpenPdf) => T): T {
  const { wasmExports } = module.pdfium
  const address = wasmExports.malloc(bytes.length)
  if (address === 0) throw new UnreadableFormat(tooLarge)
  new Uint8Array(wasmExports.memory.buffer).set(bytes, address)
  const document = module.FPDF_LoadMemDocument(address, bytes.length, '')
  if (document === 0)
    throw new UnreadableFormat(
      wasmExports.FPDF_GetLastError() === PASSWORD
        ? 'it is encrypted and needs a password'
        : 'it is not a PDF, or it is damaged',
    )
  const result = use(openDocument(module, document))
  wasmExports.FPDF_CloseDocument(document)
  wasmExports.free(address)
  return result
}

/** Longer strings are errors of the file. */
const LONGEST_STRING = 4096

function openDocument(module: PdfiumModule, document: number): OpenPdf {
  const { wasmExports } = module.pdfium
  const room = wasmExports.malloc(LONGEST_STRING)
  const string: OpenPdf['string'] = (write) => {
    const size = write(room, LONGEST_STRING)
    if (size <= 2 || size > LONGEST_STRING) return ''
    return Buffer.from(wasmExports.memory.buffer, room, size - 2).toString('utf16le')
  }
  return {
    document,
    call: wasmExports,
    string,
    meta: (tag) => string((address, size) => module.FPDF_GetMetaText(document, tag, address, size)),
    pageText(page, count) {
      const address = wasmExports.malloc(2 * (count + 1))
      if (address === 0) throw new UnreadableFormat(tooLarge)
      const units = Math.min(Math.max(0, wasmExports.FPDFText_GetText(page, 0, count, address) - 1), count)
      const text = Buffer.from(wasmExports.memory.buffer, address, 2 * units).toString('utf16le')
      wasmExports.free(address)
      return text
    },
    numbers(kind, count, write) {
      if (!write(room)) return null
      const { buffer } = wasmExports.memory
      return kind === 'float' ? new Float32Array(buffer, room, count) : new Float64Array(buffer, room, count)
    },
  }
}
