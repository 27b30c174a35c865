// What can a program use? The public API.

export type { MergedSearch } from './answering/answer-across.ts'
export type { Scope } from './answering/choose-scope.ts'
export type { AskHooks, AskOptions, AssembleOptions, SearchOptions } from './answering/question-options.ts'
export { type ParsedDigest, type ParsedPassage, parseDigest } from './assemble/parse-digest.ts'
export type { EngineOptions, Now, Surroundings } from './config/engine-options.ts'
export { type CorpusPlace, findCorpus, type RootRequest } from './config/find-root.ts'
export { type LoadedSettings, loadSettings, type SettingsSources } from './config/load-settings.ts'
export { defaultSettings, type Settings } from './config/settings.ts'
export type { CorpusFileOptions, Engine, IndexOptions, OpenOptions, ReadOptions } from './engine/engine.ts'
export { type JoinedCorpora, joinCorpora, type NamedCorpus } from './engine/join-corpora.ts'
export { adoptCorpusFile, openCorpusFile, openEngine } from './engine/open-engine.ts'
export { type ErrorCode, errorTable, YoreError } from './errors.ts'
export type * from './evaluation/evaluation.ts'
export type { PullOptions, PullReport } from './exchange/pull-corpus.ts'
export type { PushOptions, PushReport, WithheldFile } from './exchange/push-corpus.ts'
export type { FaultyLink, LinkReport, LinkResult } from './exploring/check-links.ts'
export type { ChangeReport, Tied } from './exploring/describe-changes.ts'
export { presentIn } from './exploring/expand-context.ts'
export type { Use, Uses, UsesOptions } from './exploring/find-uses.ts'
export type { Report, ReportOptions } from './exploring/fit-report.ts'
export type { MappedFile, OutlineEntry } from './exploring/map-corpus.ts'
export type {
  GraphDirection,
  GraphEdge,
  GraphNode,
  GraphOptions,
  GraphReport,
  GraphResult,
} from './exploring/read-graph.ts'
export type { ReadResult, TextResult } from './exploring/read-passage.ts'
export type { ExpandRequest, ExpandResult } from './exploring/request-expansion.ts'
export type { FileStanding } from './indexing/find-standing.ts'
export type { CorpusChanges } from './indexing/given-files.ts'
export type * from './model/artifact.ts'
export type * from './model/conversation.ts'
export type * from './model/digest.ts'
export type * from './model/expansion.ts'
export type { FileKind } from './model/file-kind.ts'
export type * from './model/report.ts'
export type * from './model/source-file.ts'
export { yoreVersion } from './version.ts'
