/** A ranking on one day, as a source publishes it. */
import type { ListedParticipant } from '../identity/index.ts';
import type { RankingKind } from './kinds.ts';

export interface ListedEntry {
  /** Participants that are level have equal ranks. */
  rank: number;
  /** Null if the source publishes no points. */
  points: number | null;
  who: ListedParticipant;
}

/** A source's complete ranking for one kind and day. Participants that are not listed were not ranked. */
export interface Snapshot {
  kind: RankingKind;
  /** YYYY-MM-DD */
  published_at: string;
  provider: string;
  entries: readonly ListedEntry[];
}
