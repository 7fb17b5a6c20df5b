/** The pre-match analytics as the match page gets them. */
import type { Form } from '../analytics/form.ts';
import type { HeadToHead } from '../analytics/head-to-head.ts';
import type { Model } from '../analytics/model.ts';
import type { TrendEntry } from '../analytics/trend-texts.ts';
import type { ValueBet } from '../analytics/value-bets.ts';

/** A match of a form strip. */
export interface RecentMatch {
  id: number;
  /** YYYY-MM-DD */
  date: string;
  opponent: string;
  opponent_ru: string | null;
  /** In the order of that match, home:away. */
  score: string;
}

export interface TeamBlock {
  name: string;
  name_ru: string | null;
  form: Form;
  discipline: { matches: number; cards_avg: number | null };
  standing: { position: number; played: number; points: number; goals_for: number; goals_against: number } | null;
  /** Of the letters of `form.overall.form`, in the same order; there may be fewer, or none. */
  recent?: readonly RecentMatch[];
}

export interface AnalyticsCard {
  event_id: number;
  /** Its slug. */
  sport: string;
  tournament: { id: number; name: string; name_ru: string | null };
  home: TeamBlock;
  away: TeamBlock;
  h2h: HeadToHead;
  model:
    | (Model & {
        calibrated?: {
          expected_goals: Model['expected_goals'];
          probabilities: Model['probabilities'];
          fair_odds: Model['fair_odds'];
          method: string;
        };
      })
    | null;
  value_bets: readonly ValueBet[];
  trends: readonly TrendEntry[];
  disclaimer: string;
}
