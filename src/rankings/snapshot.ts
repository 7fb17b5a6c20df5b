/** A ranking of one day, as a source states it. */
import type { Reference } from '../identity/references.ts';
import type { RankingKind } from './kinds.ts';

export interface ListedEntry {
  /** Shared by those who are level. */
  rank: number;
  /** Null where the source does not publish them. */
  points: number | null;
  who: Pick<Reference, 'participant_id' | 'id' | 'name' | 'country' | 'birth_date'>;
}

/** All that the source has for this kind and day: what is not in it was not ranked. */
export interface Snapshot {
  kind: RankingKind;
  /** YYYY-MM-DD */
  published_at: string;
  provider: string;
  entries: readonly ListedEntry[];
}
