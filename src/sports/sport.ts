/**
 * The type for a sport. All code that differs between sports reads a value with this type, so a new sport is one file
 * and a line in sports.ts.
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

/**
 * Conditions for trends, which a side's match meets or does not meet. Numbers count the sport's unit, such as goals or
 * sets.
 */
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

/** Trends for sports in which draws are rare or impossible, so that `unbeaten` would mean the same as `won`. */
export const WITHOUT_DRAWS = ['won', 'lost', 'over_level', 'under_level', 'scored_level', 'conceded_level'] as const;
/** Trends for sports in which draws are common. */
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
   * If a match's leading provider sends no update for this many minutes, a different provider takes over. The time is
   * longer for sports with longer quiet phases.
   */
  takeoverMinutes: number;
  /**
   * Minutes after the start when a match should be over and its result known. This is the longest match's length plus
   * the longest usual delay.
   */
  awaitingAfterStart: number;
  /**
   * Minutes for which a live match can have no updates because of breaks, rain, or nights in matches over several days.
   */
  awaitingAfterSilence: number;
  /** Minutes from start to end in a usual match, breaks included. The match's calendar entry has this length. */
  usualMinutes: number;
  /** Minutes of regular time. Absent if the sport's codes have different lengths, or if the sport has no clock. */
  regularMinutes?: number;
  /** Minutes played at the end of each period, including extra-time periods if they have fixed lengths. */
  periodEnds?: readonly number[];
  /**
   * Minutes for a player who plays the whole match. Absent if players come and go freely, or if the sport's codes
   * differ.
   */
  playerMinutes?: { regular: number; withExtraTime: number };
  /**
   * Periods that count as overtime for the winner, such as a deciding set. Extra time, overtime and shoot-outs always
   * do.
   */
  decidingPeriods: readonly string[];
  /** Members of a player's figures that a box score shows, in column order. Absent if there is no box score. */
  boxScore?: readonly string[];
  /**
   * Russian position names, by the words that sources use, in lower case. With `lines`, a code gets the name of the football line to which
   * it belongs. If absent, positions stay as sources write them.
   */
  positionsRu?: 'lines' | Readonly<Record<string, string>>;
  /** Statistics that pages show next to the score by period. */
  lineScore?: readonly string[];
  /** Number of players in a side's starting line-up. Absent if it differs between the sport's codes or events. */
  starters?: number;
  score: {
    /**
     * Incident kind that adds up to the score. Absent if even a complete incident list does not add up to the score.
     */
    countedBy?: 'goal' | 'point' | 'set_end';
    /**
     * Number of regular periods, if the score is the sum over these periods and overtime. `won` if the score counts the
     * periods won. Absent if the score does not follow from periods.
     */
    periods?: number | 'won';
    /** Set if every match that was played to the end has a winner, in any competition. */
    hasWinner?: true;
    /** Points for a goal whose payload states no points; null if goals give different points. */
    goalPoints: number | null;
  };
  incidents: readonly SportIncident[];
  /** Counts the cards that a player was shown in a match. Absent if every card counts. */
  countCards?: (shown: CardTally) => CardTally;
  blocks: readonly (typeof SPORT_BLOCKS)[number][];
  /**
   * If false, a match always has a winner, and two or more knock-out matches between the same sides are a series, not
   * legs.
   */
  draws: boolean;
  /**
   * If true, a match that a shoot-out decided is a draw in form and head-to-head. If false, the shoot-out's winner has
   * won.
   */
  shootOutDraws: boolean;
  table: TableDefaults;
  /**
   * Parameters for the calibrated goal model. `fitted` means the parameters that `touchline fit-model` wrote. Absent if
   * the sport has no model.
   */
  goalModel?: 'fitted' | Readonly<Record<string, number>>;
  /** Whether teams have football's Elo ratings for national teams and clubs. */
  elo: boolean;
  /** Parameters for the Elo rating by margin, which gives forecasts. Absent if the sport has no such rating. */
  rating?: MarginRating;
  /** The unit that a score counts. */
  unit: keyof typeof UNITS;
  /** Conditions that make sense as trends in this sport. Empty if the sport has no trends. */
  trends: readonly (TrendCondition | TrendLevel)[];
  /** Words that the sport uses for conditions. */
  trendTexts: Partial<Record<TrendCondition, { en: string; ru: string }>>;
  /** Whether pages show clean-sheet shares, and shares for more than 2.5 goals and for goals by both sides. */
  page: { cleanSheets: boolean; goalShares: boolean };
}

type Required = 'id' | 'slug' | 'name' | 'name_ru' | 'takeoverMinutes' | 'awaitingAfterStart' | 'awaitingAfterSilence';
export type SportDefinition = Pick<Sport, Required> &
  Partial<Omit<Sport, Required | 'score' | 'page'>> & {
    score?: Partial<Sport['score']>;
    page?: Partial<Sport['page']>;
  };

/** Fills in default values, which most sports share. */
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
