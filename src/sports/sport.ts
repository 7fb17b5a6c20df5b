/**
 * The type for a sport. Only the values with this type know a sport, so a new sport is one file and a line in
 * sports.ts.
 */
import type { MarginRating } from './margin-rating.ts';
import type { UNITS } from './score-units.ts';
import { DEFAULT_TABLE, type TableDefaults } from './table-defaults.ts';

/** Incident kinds that a sport has only if it names them. Every remaining kind exists in all sports. */
export type SportIncident =
  | 'goal'
  | 'penalty'
  | 'penalty_shootout'
  | 'card'
  | 'var'
  | 'injury_time'
  | 'point'
  | 'set_end'
  | 'suspension';

/** Card blocks that a sport has only if it names them. Every remaining block exists in all sports. */
export const SPORT_BLOCKS = ['shotmap', 'momentum', 'points_history', 'fight'] as const;

/** Conditions that a side's match meets or not, for trends. A number is in the sport's unit: goals, points, sets. */
export type TrendCondition =
  | 'won'
  | 'drawn'
  | 'lost'
  | 'unbeaten'
  | 'winless'
  | 'btts'
  | 'btts_no'
  | 'scored'
  | 'scored_two'
  | 'scored_four'
  | 'failed_to_score'
  | 'conceded'
  | 'conceded_two'
  | 'conceded_four'
  | 'clean_sheet'
  /** Won or lost while the loser does not score, as in straight sets. */
  | 'won_to_nil'
  | 'lost_to_nil'
  /** Both sides' sum. */
  | `${'over' | 'under'}_${number}_5`
  /** One side scores or concedes at least this. */
  | `${'scored' | 'conceded'}_${number}_up`
  /** By at least this. */
  | `${'won' | 'lost'}_by_${number}`
  /** The difference is at most this. */
  | `within_${number}`;

/** Conditions whose threshold is the league's usual number, which half of the matches exceed. */
export type TrendLevel = 'over_level' | 'under_level' | 'scored_level' | 'conceded_level';

/** Trends for sports in which draws are rare or ruled out, so that unbeaten would be the same as won. */
export const WITHOUT_DRAWS = ['won', 'lost', 'over_level', 'under_level', 'scored_level', 'conceded_level'] as const;
/** Trends for sports in which draws are common enough for more than wins and losses. */
export const WITH_DRAWS = [
  'won',
  'lost',
  'unbeaten',
  'winless',
  'over_level',
  'under_level',
  'scored_level',
  'conceded_level',
] as const;

/** A player's cards in a match. */
export interface CardTally {
  yellow_cards: number;
  red_cards: number;
}

export interface Sport {
  /** Ids and slugs never change. A new sport gets the next id. */
  id: number;
  slug: string;
  name: string;
  name_ru: string;
  /**
   * If a match's leading provider sends no update for this many minutes, a second one takes over. Sports with longer
   * quiet phases have a longer time.
   */
  takeoverMinutes: number;
  /**
   * Minutes after the start by which a match is over and the result known. This is the longest match plus the longest
   * usual delay.
   */
  awaitingAfterStart: number;
  /** Minutes that a live match can be silent because of breaks, rain, and the night in matches over several days. */
  awaitingAfterSilence: number;
  /** Minutes from start to end in a usual match, breaks included. The match's calendar entry has this length. */
  usualMinutes: number;
  /** Minutes of regular time. Absent if they differ between the sport's codes, or there is no clock. */
  regularMinutes?: number;
  /** Minutes played after which periods end, extra-time periods too if they have fixed lengths. */
  periodEnds?: readonly number[];
  /** Minutes that a whole match has for a player. Absent if players come and go, or the sport's codes differ. */
  playerMinutes?: { regular: number; withExtraTime: number };
  /**
   * Periods, besides extra time, overtime and shoot-outs, whose winner wins as after overtime, that is, the deciding
   * set.
   */
  decidingPeriods: readonly string[];
  /** Members of a player's figures that a box score shows, in column order. Absent if there is no box score. */
  boxScore?: readonly string[];
  /**
   * Russian position names by the words that sources use, in lower case. `lines` names them by the football line that a
   * code means. If absent, positions stay as written.
   */
  positionsRu?: 'lines' | Readonly<Record<string, string>>;
  /** Statistics that stand beside the score by period. */
  lineScore?: readonly string[];
  /** Number of players in a side's starting line-up. Absent if codes of the sport or its events differ. */
  starters?: number;
  score: {
    /** Incident kind that makes the score. Absent if a complete incident list does not add up to it. */
    countedBy?: 'goal' | 'point' | 'set_end';
    /**
     * Number of regular periods, to which (and to overtime) the score adds up. `won` if the score counts the periods
     * won. Absent if the periods make no score.
     */
    periods?: number | 'won';
    /** Set if a match that was played to its end has a winner under any competition's rules. */
    hasWinner?: true;
    /** Points for a goal if the payload states none; null if they differ. */
    goalPoints: number | null;
  };
  incidents: readonly SportIncident[];
  /** Counts the cards that a player was shown in a match. Absent if each counts separately. */
  countCards?: (shown: CardTally) => CardTally;
  blocks: readonly (typeof SPORT_BLOCKS)[number][];
  /**
   * If false, a match always has a winner, and two or more knock-out matches between the same sides are a series, not
   * legs.
   */
  draws: boolean;
  /** Whether a match that a shoot-out decided is a draw in form and head-to-head. If not, the final result counts. */
  shootOutDraws: boolean;
  table: TableDefaults;
  /**
   * Parameters of the calibrated goal model, either the fitted ones (`touchline fit-model`), or these instead. Absent
   * for no model.
   */
  goalModel?: 'fitted' | Readonly<Record<string, number>>;
  /** Whether teams have football's Elo ratings for national teams and clubs. */
  elo: boolean;
  /** Parameters for the Elo rating by margin, which gives forecasts. Absent for no such rating. */
  rating?: MarginRating;
  /** The unit that a score counts. */
  unit: keyof typeof UNITS;
  /** Conditions that make sense as trends. Empty for no trends. */
  trends: readonly (TrendCondition | TrendLevel)[];
  /** Words that the sport uses for conditions. */
  trendTexts: Partial<Record<TrendCondition, { en: string; ru: string }>>;
  /** Page figures that not every sport has: clean-sheet shares; over 2.5 goals and goals for both sides. */
  page: { cleanSheets: boolean; goalShares: boolean };
}

type Required = 'id' | 'slug' | 'name' | 'name_ru' | 'takeoverMinutes' | 'awaitingAfterStart' | 'awaitingAfterSilence';
export type SportDefinition = Pick<Sport, Required> &
  Partial<Omit<Sport, Required | 'score' | 'page'>> & {
    score?: Partial<Sport['score']>;
    page?: Partial<Sport['page']>;
  };

/** Fills in what most sports share. */
export const defineSport = ({ score, page, ...definition }: SportDefinition): Sport => ({
  usualMinutes: 120,
  decidingPeriods: [],
  incidents: [],
  blocks: [],
  draws: true,
  shootOutDraws: false,
  table: DEFAULT_TABLE,
  elo: false,
  unit: 'points',
  trends: [],
  trendTexts: {},
  ...definition,
  score: { goalPoints: 1, ...score },
  page: { cleanSheets: false, goalShares: false, ...page },
});
