/** The type of a sport. Its values are the only places that know one: a new sport is one file and a line in sports.ts. */
import type { MarginRating } from './margin-rating.ts';
import type { UNITS } from './score-units.ts';
import { DEFAULT_TABLE, type TableDefaults } from './table-defaults.ts';

/** Kinds of incidents that a sport has only if it names them; each other kind exists in every sport. */
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

/** Blocks of a card that a sport has only if it names them; each other block exists in every sport. */
export const SPORT_BLOCKS = ['shotmap', 'momentum', 'points_history', 'fight'] as const;

/** Conditions that a match of a side meets or not, for trends. A number is one of the sport's units: goals, points, sets. */
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
  /** Won or lost without a score of the loser: in straight sets. */
  | 'won_to_nil'
  | 'lost_to_nil'
  /** The sum of both sides. */
  | `${'over' | 'under'}_${number}_5`
  /** One side, at least this. */
  | `${'scored' | 'conceded'}_${number}_up`
  /** By at least this. */
  | `${'won' | 'lost'}_by_${number}`
  /** The difference is at most this. */
  | `within_${number}`;

/** Conditions whose number is the usual one of the league: half of its matches are above it. */
export type TrendLevel = 'over_level' | 'under_level' | 'scored_level' | 'conceded_level';

/** Trends of sports in which draws are rare or ruled out, so that unbeaten would be the same as won. */
export const WITHOUT_DRAWS = ['won', 'lost', 'over_level', 'under_level', 'scored_level', 'conceded_level'] as const;
/** Trends of sports in which draws are common enough for more than wins and losses. */
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
  /** Ids and slugs never change; a new sport gets the next id. */
  id: number;
  slug: string;
  name: string;
  name_ru: string;
  /**
   * If a match's leading provider sends no update for this many minutes, another one takes over: longer for sports with
   * longer quiet phases.
   */
  takeoverMinutes: number;
  /** Minutes after the start by which a match is over and its result known: longest match plus longest usual delay. */
  awaitingAfterStart: number;
  /** Minutes that a live match can be silent: breaks, rain, and the night in matches over several days. */
  awaitingAfterSilence: number;
  /** Minutes from start to end of a usual match, breaks included: the length of its entry in calendars. */
  usualMinutes: number;
  /** Minutes of regular time; absent if the codes of the sport differ, or it has no clock. */
  regularMinutes?: number;
  /** Minutes of play after which periods end, the ones of extra time too if their lengths are fixed. */
  periodEnds?: readonly number[];
  /** Minutes of a whole match for a player; absent if players come and go, or the codes of the sport differ. */
  playerMinutes?: { regular: number; withExtraTime: number };
  /** Periods, besides extra time, overtime and shoot-outs, whose winner wins as after overtime: the deciding set. */
  decidingPeriods: readonly string[];
  /** Members of a player's figures that a box score shows, in the order of its columns; absent: it has none. */
  boxScore?: readonly string[];
  /**
   * Russian names of positions by the words of sources, in lower case; `lines`: by the line of football that a code means;
   * absent: as written.
   */
  positionsRu?: 'lines' | Readonly<Record<string, string>>;
  /** Statistics that stand beside the score by period. */
  lineScore?: readonly string[];
  /** Players of a side in the starting line-up; absent if codes of the sport or its events differ. */
  starters?: number;
  score: {
    /** Kind of incident that makes the score; absent if a complete list of incidents does not add up to it. */
    countedBy?: 'goal' | 'point' | 'set_end';
    /**
     * Number of regular periods, to which (and to overtime) the score adds up; `won`: it counts the periods won; absent: the
     * periods make no score.
     */
    periods?: number | 'won';
    /** Whether a match that was played to its end has a winner, by the rules of any competition. */
    hasWinner?: true;
    /** Worth of a goal whose payload states no points; null: it differs. */
    goalPoints: number | null;
  };
  incidents: readonly SportIncident[];
  /** Counts the cards that a player was shown in a match; absent if each counts for itself. */
  countCards?: (shown: CardTally) => CardTally;
  blocks: readonly (typeof SPORT_BLOCKS)[number][];
  /** False: a match always has a winner, and two or more matches of the same sides in a knock-out are a series, not legs. */
  draws: boolean;
  /** Whether a match that a shoot-out decided is a draw in form and head-to-head; else the final result counts. */
  shootOutDraws: boolean;
  table: TableDefaults;
  /** Parameters of the calibrated model of goals: the fitted ones (`touchline fit-model`), or these in their place; absent: no model. */
  goalModel?: 'fitted' | Readonly<Record<string, number>>;
  /** Whether teams have the Elo ratings of football, of national teams and of clubs. */
  elo: boolean;
  /** Parameters of the Elo rating by margin, which gives forecasts; absent: no such rating. */
  rating?: MarginRating;
  /** The unit of a score. */
  unit: keyof typeof UNITS;
  /** Conditions that make sense as trends; none: no trends. */
  trends: readonly (TrendCondition | TrendLevel)[];
  /** The sport's own words for conditions. */
  trendTexts: Partial<Record<TrendCondition, { en: string; ru: string }>>;
  /** Figures of pages that not every sport has: shares of clean sheets; over 2.5 goals and goals of both sides. */
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
