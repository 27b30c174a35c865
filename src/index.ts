// What can a program use? The public API.

export type { MergedSearch } from './answer/answering/answer-across.ts'
export type { Scope } from './answer/answering/choose-scope.ts'
export { presentIn } from './answer/answering/expand-context.ts'
export type {
  AskHooks,
  AskOptions,
  AssembleOptions,
  SearchOptions,
} from './answer/answering/question-options.ts'
export type * from './check/evaluation/evaluation.ts'
export type { FaultyLink, LinkReport, LinkResult } from './check/links/link-report.ts'
export type { FileStanding } from './corpus/indexing/find-standing.ts'
export type { CorpusChanges } from './corpus/indexing/given-files.ts'
export type { ChangeReport, Tied } from './explore/describe-changes.ts'
export type { Use, Uses, UsesOptions } from './explore/find-uses.ts'
export type { Report, ReportOptions } from './explore/fit-report.ts'
export type { MappedFile, OutlineEntry } from './explore/map-corpus.ts'
export type {
  GraphDirection,
  GraphEdge,
  GraphNode,
  GraphOptions,
  GraphReport,
  GraphResult,
} from './explore/read-graph.ts'
export type { ReadResult } from './explore/read-passage.ts'
export type { ExpandRequest, ExpandResult } from './explore/request-expansion.ts'
export type * from './model/artifact.ts'
export type { EngineOptions, Now, Surroundings } from './model/config/engine-options.ts'
export { type CorpusPlace, findCorpus, type RootRequest } from './model/config/find-root.ts'
export { type LoadedSettings, loadSettings, type SettingsSources } from './model/config/load-settings.ts'
export { defaultSettings, type Settings } from './model/config/settings.ts'
export type * from './model/conversation.ts'
export type * from './model/digest.ts'
export { type ErrorCode, errorTable, YoreError } from './model/errors.ts'
export type * from './model/expansion.ts'
export type { FileKind } from './model/file-kind.ts'
export type * from './model/report.ts'
export type * from './model/source-file.ts'
export { yoreVersion } from './model/version.ts'
export type {
  CorpusEngine,
  CorpusFileOptions,
  Engine,
  IndexOptions,
  OpenOptions,
  QuestionEngine,
  ReadOptions,
} from './offer/engine/engine.ts'
export { type JoinedCorpora, joinCorpora, type NamedCorpus } from './offer/engine/join-corpora.ts'
export { adoptCorpusFile, openCorpusFile, openEngine } from './offer/engine/open-engine.ts'
export type { PushOptions, PushReport, WithheldFile } from './offer/exchange/push-corpus.ts'
