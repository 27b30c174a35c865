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
export function locateDocs(text: string, folder: string = docsFolder): string {
  return text.replaceAll(docsMark, folder)
}

interface ErrorEntry {
  readonly exit: number
  readonly http: number
  readonly hint: string
}

/** Every error code: exit status, HTTP status, and what the user can do. */
export const errorTable = {
  NO_INDEX: { exit: 1, http: 404, hint: 'run `yore index` first' },
  INDEX_FOREIGN: {
    exit: 1,
    http: 409,
    hint: 'run `yore index`: it sets aside what is there and builds your own',
  },
  WRONG_ROOT: {
    exit: 1,
    http: 409,
    hint: 'this index holds the files of another folder; name that folder with --root, or another index with --index',
  },
  INDEX_NEWER: { exit: 1, http: 409, hint: 'upgrade yore, or run `yore index --rebuild`' },
  INDEX_OUTDATED: { exit: 1, http: 409, hint: 'run `yore index` to bring it up to date' },
  INDEX_DAMAGED: { exit: 1, http: 500, hint: 'run `yore index --rebuild`' },
  INDEX_LOCKED: {
    exit: 1,
    http: 503,
    hint: 'another yore process is writing this index; try again when it has finished',
  },
  NO_PERMISSION: {
    exit: 1,
    http: 403,
    hint: 'make the folder readable and writable, or name another for the index with --index',
  },
  NOTHING_INDEXED: {
    exit: 1,
    http: 422,
    hint: 'yore reads every file that is text; name another folder with --root, or change the ignore rules',
  },
  BUDGET_TOO_SMALL: { exit: 1, http: 422, hint: 'raise --max-tokens' },
  BAD_INPUT: { exit: 1, http: 400, hint: 'see `yore --help`' },
  BAD_USAGE: { exit: 2, http: 400, hint: 'see `yore --help`' },
  BAD_CONFIG: {
    exit: 1,
    http: 400,
    hint: 'see the configuration reference: {docs}/reference/configuration.md',
  },
  OUTSIDE_ROOT: { exit: 1, http: 403, hint: 'name a path inside the repository' },
  CANNOT_FETCH: {
    exit: 1,
    http: 502,
    hint: 'check the address and the ref; of what is not public, clone it yourself and name its folder: `yore index NAME=FOLDER`',
  },
  DISK_FULL: { exit: 1, http: 507, hint: 'free some space; an index that was complete is intact' },
  NO_MODEL: {
    exit: 1,
    http: 503,
    hint: 'a model of Ollama: set YORE_LLM_PROVIDER to ollama and YORE_LLM_MODEL to its name; others: {docs}/guides/ask-and-chat.md',
  },
  NO_PACKAGE: { exit: 1, http: 503, hint: 'install the package that the message names' },
  MODEL_FAILED: {
    exit: 1,
    http: 502,
    hint: 'check llm.url, llm.model and the key, and that the server runs',
  },
  SERVICE_FAILED: {
    exit: 1,
    http: 502,
    hint: 'check --server and YORE_SERVER_KEY, and that the service runs',
  },
  OVERLOADED: { exit: 1, http: 503, hint: 'try again in a moment; the server answers as many as it can' },
  TIMED_OUT: { exit: 1, http: 504, hint: 'ask for less, or again when the machine is less busy' },
  CRASHED: { exit: 1, http: 500, hint: 'ask again; if it happens every time, it is a fault in yore' },
  BAD_INSTALL: { exit: 1, http: 500, hint: 'reinstall yore; in a checkout, run `npm run build`' },
  WRONG_NODE: {
    exit: 1,
    http: 500,
    hint: 'install Node 24.19 or newer, or Node 26.4 or newer, or the executable, which needs no Node (README, Install)',
  },
} as const satisfies Record<string, ErrorEntry>

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
