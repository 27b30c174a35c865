// What does the service use of yore? This entry point and nothing behind it: its public API, its table of operations, its pages and tools.

export { forgetToken } from '../../src/corpus/store/ownership/index-home.ts'
export { schemaVersion } from '../../src/corpus/store/schema.ts'
export {
  adoptCorpusFile,
  type CorpusChanges,
  type CorpusEngine,
  defaultSettings,
  type Engine,
  type GraphReport,
  type IndexReport,
  type JoinedCorpora,
  joinCorpora,
  type MergedSearch,
  openCorpusFile,
  openEngine,
  type QuestionEngine,
  YoreError,
  yoreVersion,
} from '../../src/index.ts'
export { locateDocs } from '../../src/model/errors.ts'
export type { Problem } from '../../src/offer/exchange/service-calls.ts'
export { checkInput, completeInput, type Input, readLists } from '../../src/offer/operations/check-input.ts'
export { inputSchema } from '../../src/offer/operations/input-schema.ts'
export type { InputOf, OperationSpec } from '../../src/offer/operations/operation.ts'
export { operations } from '../../src/offer/operations/operations.ts'
export {
  type EntryPages,
  type HostedPlace,
  hostPages,
  makeEntryPages,
} from '../../src/offer/serve/run-pages.ts'
export {
  type AskThread,
  answerToolCall,
  serveTools,
  type ToolService,
} from '../../src/offer/serve/serve-tools.ts'
export { answerQuestions } from '../../src/offer/service/answer-questions.ts'
export { QuestionPool } from '../../src/offer/service/question-pool.ts'
export { gatherBytes } from '../../src/read/source/fetch/request.ts'
export {
  ignoreFileNames,
  isAlwaysSkipped,
  isToolStore,
  sizeLimit,
} from '../../src/read/source/walk/walk-options.ts'
