// What can a program use? The public API.

export { type ParsedDigest, type ParsedPassage, parseDigest } from './assemble/parse-digest.ts'
export { type CorpusPlace, findCorpus, type RootRequest } from './config/find-root.ts'
export { type LoadedSettings, loadSettings, type SettingsSources } from './config/load-settings.ts'
export { defaultSettings, type Settings } from './config/settings.ts'
export type { AskHooks } from './engine/ask-question.ts'
export type { FaultyLink, LinkReport, LinkResult } from './engine/check-links.ts'
export type { Scope, ScopeKind } from './engine/choose-scope.ts'
export type { ChangeReport, Tied } from './engine/describe-changes.ts'
export type {
  AskOptions,
  AssembleOptions,
  CorpusChanges,
  CorpusFileOptions,
  Engine,
  EngineOptions,
  ExpandRequest,
  ExpandResult,
  FileStanding,
  IndexOptions,
  Now,
  OpenOptions,
  ReadOptions,
  ReadResult,
  SearchOptions,
  Surroundings,
} from './engine/engine.ts'
export type * from './engine/evaluation.ts'
export { presentIn } from './engine/expand-context.ts'
export type { Use, Uses, UsesOptions } from './engine/find-uses.ts'
export type { Report, ReportOptions } from './engine/fit-report.ts'
export type { MappedFile, OutlineEntry } from './engine/map-corpus.ts'
export { openCorpusFile, openEngine } from './engine/open-engine.ts'
export type {
  GraphDirection,
  GraphEdge,
  GraphNode,
  GraphOptions,
  GraphReport,
  GraphResult,
} from './engine/read-graph.ts'
export { type ErrorCode, errorTable, YoreError } from './errors.ts'
export type * from './model/artifact.ts'
export type * from './model/conversation.ts'
export type * from './model/digest.ts'
export type * from './model/expansion.ts'
export type * from './model/report.ts'
export type * from './model/source-file.ts'
export { yoreVersion } from './version.ts'
