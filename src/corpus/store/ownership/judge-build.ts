// Is this index complete, and if not, who builds it? The one place that decides.
import type { Freshness } from '../../../model/report.ts'
import { describeRecord, estimateProgress, readRecord } from './build-record.ts'
import { lookAtLock } from './writer-lock.ts'

export type BuildState =
  | { readonly kind: 'complete' }
  /** A running process writes its first run. */
  | {
      readonly kind: 'growing'
      readonly by: string
      readonly freshness: Pick<Freshness, 'builder' | 'progress'>
    }
  /** No process builds it: the first run was stopped, or there was none. */
  | { readonly kind: 'abandoned'; readonly failure: string | null }

/** `indexedAt`: when the last run ended, which it writes last; null for an index that is missing or was never finished. */
export function judgeBuild(indexDir: string, indexedAt: number | null): BuildState {
  if (indexedAt !== null) return { kind: 'complete' }
  const lock = lookAtLock(indexDir)
  if (lock.kind === 'held') {
    const freshness = { builder: lock.by, ...estimateProgress(indexDir, lock.at) }
    return { kind: 'growing', by: lock.by, freshness }
  }
  return { kind: 'abandoned', failure: describeRecord(readRecord(indexDir)) }
}
