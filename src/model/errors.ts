// Which promises can break, and what does each surface answer? One class, one table.
import { packagePath } from './package-path.ts'

/** Yore's own documents in this installation. */
const docsFolder: string = packagePath('docs')

/** Placeholder for that folder in texts that are written before the location of yore is known. */
const docsMark = '{docs}'

/**
 * A text whose marks name real files: the user reads them where they are.
 *
 * @example locateDocs('see {docs}/guides/agents.md')
 */
export const locateDocs = (text: string, folder: string = docsFolder): string =>
  text.replaceAll(docsMark, folder)

interface ErrorEntry {
  readonly exit: number
  readonly http: number
  readonly hint: string
}

const entry = (http: number, hint: string, exit = 1): ErrorEntry => ({ exit, http, hint })

/** Every error code: exit status, HTTP status, and what the user can do. */
export const errorTable = {
  NO_INDEX: entry(404, 'run `yore index` first'),
  INDEX_FOREIGN: entry(409, 'run `yore index`: it sets aside what is there and builds your own'),
  WRONG_ROOT: entry(
    409,
    'this index holds the files of another folder; name that folder with --root, or another index with --index',
  ),
  INDEX_NEWER: entry(409, 'upgrade yore, or run `yore index --rebuild`'),
  INDEX_OUTDATED: entry(409, 'run `yore index` to bring it up to date'),
  INDEX_DAMAGED: entry(500, 'run `yore index --rebuild`'),
  INDEX_LOCKED: entry(503, 'another yore process is writing this index; try again when it has finished'),
  NO_PERMISSION: entry(
    403,
    'make the folder readable and writable, or name another for the index with --index',
  ),
  NOTHING_INDEXED: entry(
    422,
    'yore reads every file that is text; name another folder with --root, or change the ignore rules',
  ),
  BUDGET_TOO_SMALL: entry(422, 'raise --max-tokens'),
  BAD_INPUT: entry(400, 'see `yore --help`'),
  BAD_USAGE: entry(400, 'see `yore --help`', 2),
  BAD_CONFIG: entry(400, 'see the configuration reference: {docs}/reference/configuration.md'),
  OUTSIDE_ROOT: entry(403, 'name a path inside the repository'),
  CANNOT_FETCH: entry(
    502,
    'check the address and the ref; of what is not public, clone it yourself and name its folder: `yore index NAME=FOLDER`',
  ),
  DISK_FULL: entry(507, 'free some space; an index that was complete is intact'),
  NO_MODEL: entry(
    503,
    'a model of Ollama: set YORE_LLM_PROVIDER to ollama and YORE_LLM_MODEL to its name; others: {docs}/guides/ask-and-chat.md',
  ),
  NO_PACKAGE: entry(503, 'install the package that the message names'),
  MODEL_FAILED: entry(502, 'check llm.url, llm.model and the key, and that the server runs'),
  SERVICE_FAILED: entry(502, 'check --server and YORE_SERVER_KEY, and that the service runs'),
  OVERLOADED: entry(503, 'try again in a moment; the server answers as many as it can'),
  TIMED_OUT: entry(504, 'ask for less, or again when the machine is less busy'),
  CRASHED: entry(500, 'ask again; if it happens every time, it is a fault in yore'),
  BAD_INSTALL: entry(500, 'reinstall yore; in a checkout, run `npm run build`'),
  WRONG_NODE: entry(
    500,
    'install Node 24.19 or newer, or Node 26.4 or newer, or the executable, which needs no Node (README, Install)',
  ),
} satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorTable

/** A broken promise, with its code; surfaces print `message` and `hint`. */
export class YoreError extends Error {
  readonly code: ErrorCode
  /** In the words of the command line; other surfaces may have words of their own. */
  readonly hint: string
  /** Of BUDGET_TOO_SMALL: the budget that would do, where it is known. */
  readonly leastTokens: number | null

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; cause?: unknown; leastTokens?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'YoreError'
    this.code = code
    this.leastTokens = options.leastTokens ?? null
    const enough = this.leastTokens === null ? '' : ` to ${this.leastTokens} or more`
    this.hint = options.hint ?? `${locateDocs(errorTable[code].hint)}${enough}`
  }

  get exit(): number {
    return errorTable[this.code].exit
  }

  get http(): number {
    return errorTable[this.code].http
  }
}
