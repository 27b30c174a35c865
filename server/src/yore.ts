// What does the service use of yore? This door and nothing behind it: its public API, its table of operations, and how it fetches a repository.

export { locateDocs } from '../../src/errors.ts'
export {
  type AskResult,
  adoptCorpusFile,
  defaultSettings,
  type Engine,
  type Exchange,
  type GraphReport,
  joinCorpora,
  loadSettings,
  type MergedSearch,
  openCorpusFile,
  openEngine,
  type Settings,
  YoreError,
  yoreVersion,
} from '../../src/index.ts'
export { answerQuestions } from '../../src/service/answer-questions.ts'
export { QuestionPool } from '../../src/service/question-pool.ts'
export {
  type FetchedFile,
  type FetchLimits,
  fetchDefaults,
  fetchRepository,
  isRef,
} from '../../src/source/fetch-repository.ts'
export { type AddressPolicy, publicAddresses, readPublicUrl } from '../../src/source/public-address.ts'
export { checkInput, completeInput, type Input } from '../../src/surfaces/check-input.ts'
export { inputSchema } from '../../src/surfaces/input-schema.ts'
export type { OperationSpec } from '../../src/surfaces/operation.ts'
export { operations } from '../../src/surfaces/operations.ts'
export { HostedPages, type HostedPlace, PageDoor } from '../../src/surfaces/run-pages.ts'
export {
  type AskThread,
  answerToolCall,
  ToolService,
} from '../../src/surfaces/serve-tools.ts'
