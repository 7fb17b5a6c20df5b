/**
 * The type for a sport. All code that differs between sports reads a value of this type, so adding a sport means one file and
 * a line in sports.ts.
 */
import type { MarginRating } from './margin-rating.ts';
import type { UNITS } from './score-units.ts';
import { type PlayerFigure, type SportWords, USUAL_WORDS } from './sport-words.ts';
import { DEFAULT_TABLE, type TableDefaults } from './table-defaults.ts';

/** Incident kinds that a sport has only if it names them. The rest exist in every sport. */
export type SportIncident =
  | 'goal'
  | 'penalty'
  | 'penalty_shootout'
  | 'card'
  | 'var'
  | 'injury_time'
  | 'point'
  | 'set_end'
  | 'suspension'
  | 'wicket'
  | 'boundary'
  | 'over_end';

/** Card blocks that a sport has only if it names them. The rest exist in every sport. */
export const SPORT_BLOCKS = ['shotmap', 'momentum', 'points_history', 'innings', 'fight'] as const;

/**
 * Conditions for trends, which a side meets or does not meet in a match. Numbers count the sport's unit, such as goals or
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

/** Conditions whose threshold is the number that half of the league's matches exceed. */
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
   * If a match's leading provider sends no update for this many minutes, another provider takes over. The time is longer in
   * sports with longer quiet phases.
   */
  takeoverMinutes: number;
  /**
   * Minutes after the start when a match should be over and its result known: the length of the longest match plus the
   * longest usual delay.
   */
  awaitingAfterStart: number;
  /**
   * Minutes for which a live match may have no updates because of breaks, rain, or the nights of a match that lasts several
   * days.
   */
  awaitingAfterSilence: number;
  /** Minutes from start to end of a usual match, including breaks. The match's calendar entry has this length. */
  usualMinutes: number;
  /** Minutes of regular time. Absent if the sport's codes have different lengths, or if the sport has no clock. */
  regularMinutes?: number;
  /** Minutes played by the end of each period, including extra-time periods if these have fixed lengths. */
  periodEnds?: readonly number[];
  /**
   * Minutes for a player who plays the whole match. Absent if players come and go freely, or if the sport's codes
   * differ.
   */
  playerMinutes?: { regular: number; withExtraTime: number };
  /**
   * Periods, such as a deciding set, after which a win counts as a win after overtime. Extra time, overtime and shoot-outs
   * always do.
   */
  decidingPeriods: readonly string[];
  /** Members of a player's figures that a box score shows, in the order of columns. Absent if there is no box score. */
  boxScore?: readonly string[];
  /**
   * Russian position names by the sources' words, in lower case. With `lines`, a code gets the name of the football line to
   * which it belongs. If absent, positions stay as sources write them.
   */
  positionsRu?: 'lines' | Readonly<Record<string, string>>;
  /** Statistics that pages show next to the score by period. */
  lineScore?: readonly string[];
  /**
   * Statistics by period that make up the score, the more valuable one first. Pages show both up to each break beside their value,
   * such as `12.8 (80)` for 12 goals and 8 behinds.
   */
  scoreParts?: { names: readonly [string, string]; values: readonly [number, number] };
  /** Number of players in a side's starting line-up. Absent if the sport's codes or events differ. */
  starters?: number;
  score: {
    /** The kind of incident that adds up to the score. Absent if even a complete incident list does not add up to it. */
    countedBy?: 'goal' | 'point' | 'set_end';
    /**
     * Number of regular periods, if the score is the sum over these and overtime. `won` if the score counts the periods won.
     * Absent if the score does not follow from periods.
     */
    periods?: number | 'won';
    /** Set if every match that is played to the end has a winner, in every competition. */
    hasWinner?: true;
    /** Set if the score is 1:0 for the winner and says nothing else. Pages then show who won and who lost. */
    winnerOnly?: true;
    /** Points for a goal whose payload gives none; null if goals are not all worth the same. */
    goalPoints: number | null;
  };
  incidents: readonly SportIncident[];
  /** Incidents and breaks that are rare enough to notify fans of. A card is notified only if it is a sending-off. */
  notified: readonly (SportIncident | 'break')[];
  /** Counts the cards that a player was shown in a match. Absent if every card counts. */
  countCards?: (shown: CardTally) => CardTally;
  blocks: readonly (typeof SPORT_BLOCKS)[number][];
  /**
   * If false, a match always has a winner, and two or more knock-out matches between the same sides are a series, not
   * legs.
   */
  draws: boolean;
  /**
   * If true, a match decided by a shoot-out is a draw in form and head-to-head. If false, the winner of the shoot-out has
   * won.
   */
  shootOutDraws: boolean;
  table: TableDefaults;
  /**
   * Parameters for the calibrated goal model. `fitted` means the parameters that `touchline fit-model` wrote. Absent if
   * the sport has no model.
   */
  goalModel?: 'fitted' | Readonly<Record<string, number>>;
  /** True if teams have football's Elo ratings for national teams and clubs. */
  elo: boolean;
  /** Parameters for the Elo rating by margin, which gives forecasts. Absent if the sport has no such rating. */
  rating?: MarginRating;
  /** The unit that a score counts. */
  unit: keyof typeof UNITS;
  /** Conditions that make sense as trends in this sport. Empty if there are none. */
  trends: readonly (TrendCondition | TrendLevel)[];
  /** Words that the sport uses for conditions. */
  trendTexts: Partial<Record<TrendCondition, { en: string; ru: string }>>;
  /** Whether pages show the share of clean sheets, and the shares of matches with more than 2.5 goals and with goals by both sides. */
  page: { cleanSheets: boolean; goalShares: boolean };
  /** State of a live match on pages: the minute, or the period, such as `Set 2`. */
  state: 'minute' | 'period';
  /** Figures beside a scorer on pages: the minutes of the goals, or their number, in sports with many goals. */
  scorers: 'minutes' | 'counts';
  /** Parts of a match, in minutes, for which a player's goals are counted. Absent if players score no goals. */
  goalMinutes?: { step: number; end: number };
  /** Figures by which a season's leaders are ranked, the first by default. Empty if the sport has no leaders. */
  leaders: readonly PlayerFigure[];
  /** Which lines are in the middle of the ground: a line with a circle, a line or a net, or none. */
  ground: 'circle' | 'line' | 'none';
  /** Shape of a bracket: one tree, or a tree for each side of the final, as in leagues with two conferences. */
  bracket: 'tree' | 'halves';
  /** Whether a side's score has the wickets behind it, as in cricket's `163/4`, and tables have a net run rate. */
  wickets?: true;
  /** Figure from the points history of a leg or a frame: the points of the last throw, or the highest break. */
  setFigure?: 'checkout' | 'break';
  words: SportWords;
}

type Required = 'id' | 'slug' | 'name' | 'name_ru' | 'takeoverMinutes' | 'awaitingAfterStart' | 'awaitingAfterSilence';
export type SportDefinition = Pick<Sport, Required> &
  Partial<Omit<Sport, Required | 'score' | 'page' | 'words'>> & {
    score?: Partial<Sport['score']>;
    page?: Partial<Sport['page']>;
    words?: Partial<SportWords>;
  };

/** Fills in default values, which most sports share. */
export const defineSport = ({ score, page, words, ...definition }: SportDefinition): Sport => ({
  usualMinutes: 120,
  decidingPeriods: [],
  incidents: [],
  notified: [],
  blocks: [],
  draws: true,
  shootOutDraws: false,
  table: DEFAULT_TABLE,
  elo: false,
  unit: 'points',
  trends: [],
  trendTexts: {},
  state: 'minute',
  scorers: 'minutes',
  leaders: [],
  bracket: 'tree',
  ground: 'none',
  ...definition,
  score: { goalPoints: 1, ...score },
  page: { cleanSheets: false, goalShares: false, ...page },
  words: { ...USUAL_WORDS, ...words },
});
