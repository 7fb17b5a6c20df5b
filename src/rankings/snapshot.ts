/** One day's ranking, as a source states it. */
import type { ListedParticipant } from '../identity/index.ts';
import type { RankingKind } from './kinds.ts';

export interface ListedEntry {
  /** Equal for participants that are level. */
  rank: number;
  /** Null if the source does not publish them. */
  points: number | null;
  who: ListedParticipant;
}

/** A source's complete ranking for this kind and day. Participants that are missing were not ranked. */
export interface Snapshot {
  kind: RankingKind;
  /** YYYY-MM-DD */
  published_at: string;
  provider: string;
  entries: readonly ListedEntry[];
}
