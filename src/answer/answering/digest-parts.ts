// What is a digest composed from? One ranking, the caller's options, and what the corpus says about itself.

import type { DigestLayout, DigestLimits, Settings } from '../../model/config/settings.ts'
import type { Rulebook } from '../../model/expansion.ts'
import type { Freshness, QueryAnalysis } from '../../model/report.ts'
import type { CascadeResult } from '../retrieve/run-cascade.ts'
import type { AssembleOptions } from './question-options.ts'
import type { CascadeContext, RememberedSearch } from './search-by-cascade.ts'

/** How far references are followed, and what they may take while others want it. */
type ExpansionSettings = Pick<Settings, 'references.share'> &
  Omit<DigestLimits, 'relevanceThreshold' | 'references.filterFrom' | 'references.boostFrom'>

export interface AssembleContext extends CascadeContext {
  readonly expansion: ExpansionSettings
  readonly rulebookFor: (kind: string) => Rulebook
  readonly freshness: Freshness
  readonly notices: readonly string[]
  readonly search: RememberedSearch
}
export interface DigestOptions extends AssembleOptions {
  readonly layout: DigestLayout
  /** The budget that the digest names. */
  readonly statedTokens: number
  /** The limit that the caller gave; 0 for none. */
  readonly statedSections: number
}

export interface DigestParts {
  readonly question: string
  readonly options: DigestOptions
  readonly context: AssembleContext
  readonly analysis: QueryAnalysis
  readonly ranking: CascadeResult
  readonly remarks: readonly string[]
  /** Document frequency: in how many fragments a term occurs. */
  readonly frequency: (term: string) => number
  /** Sections below this score are not quoted. */
  readonly leastScore: number
  /** Whether to follow references of the leading document outside of its quoted sections. */
  readonly wholeLead: boolean
}
