/** The stored fields of one match that updates change. */
import type { StatusDetail } from '../wire/match.ts';

export interface PeriodScore {
  period: string;
  home: number;
  away: number;
}

/** The columns of `match` that updates change; ids are ours. */
export interface MatchState {
  sport: string;
  tournament_id: number;
  season_id: number;
  home_id: number;
  away_id: number;
  /** YYYY-MM-DDTHH:MM:SSZ */
  scheduled_start: string;
  time_tbd: boolean;
  start_time: string | null;
  round_num: number | null;
  round_name: string | null;
  group_name: string | null;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: StatusDetail;
  /** Shown instead of `status_detail`: see awaiting-data.ts. */
  awaiting_data: boolean;
  minute: number | null;
  home_score: number | null;
  away_score: number | null;
  period_scores: PeriodScore[];
  /** The shoot-out winner, from a source that may lack the score. */
  shootout_winner: 'home' | 'away' | null;
  venue_id: number | null;
  referee: string | null;
  attendance: number | null;
  /** Neither side plays at home; null: not known. */
  neutral: boolean | null;
  importance: number | null;
  lineup_confirmed: boolean | null;
  finalized: boolean;
}

/** Some of the columns. */
export type FieldGroup = { [K in keyof MatchState]?: MatchState[K] | undefined };
