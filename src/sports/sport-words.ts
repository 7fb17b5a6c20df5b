/** The words and signs that pages use for a sport, in English and Russian. A sport names only words that differ from the usual ones. */

export interface Word {
  en: string;
  ru: string;
}

export const word = (en: string, ru: string): Word => ({ en, ru });

/** A period, or a kind of numbered periods. `#` stands for the number. */
export interface PeriodWord {
  /** On its own, such as `Quarter 2`. */
  name: Word;
  /** Within a sentence, as in “End: quarter 2” and «Конец 2-й четверти». */
  within: Word;
  /** At the head of a column. Numbered periods have their numbers there. */
  short?: Word;
}

/** A figure of players and teams, as the head of a column, and in full. */
export interface FigureWord {
  short: Word;
  long: Word;
}

/** Pictures in an incident's sign. Each is a class in match.css. */
export type ScoreSign = 'ball' | 'puck' | 'basketball' | 'oval' | 'run' | 'dot';

/** Figures of players that most sports have. */
export const COMMON_FIGURES = [
  'goals',
  'assists',
  'goals_and_assists',
  'penalties',
  'own_goals',
  'yellow_cards',
  'red_cards',
  'cards',
  'clean_sheets',
  'matches',
  'starts',
  'minutes',
] as const;
export type CommonFigure = (typeof COMMON_FIGURES)[number];

/** Figures of players in cricket. */
export const CRICKET_FIGURES = [
  'runs',
  'highest_score',
  'batting_average',
  'strike_rate',
  'hundreds',
  'fifties',
  'fours',
  'sixes',
  'wickets',
  'best_bowling',
  'bowling_average',
  'economy',
] as const;
export type CricketFigure = (typeof CRICKET_FIGURES)[number];

/** Figures of players by which a season's leaders are ranked. */
export const PLAYER_FIGURES = [...COMMON_FIGURES, ...CRICKET_FIGURES] as const;
export type PlayerFigure = CommonFigure | CricketFigure;

export const isCricketFigure = (figure: string): figure is CricketFigure =>
  (CRICKET_FIGURES as readonly string[]).includes(figure);

type WordedStatus = 'ended' | 'after_extra_time' | 'after_penalties' | 'penalties' | 'abandoned';

export interface SportWords {
  /** Beginning of a match, such as `Kick-off`. */
  start: Word;
  /** Words for statuses. The others are the same in every sport. */
  statuses: Readonly<Partial<Record<WordedStatus, Word>>>;
  /** The break between two periods: the usual word, and words for the break after so many periods. */
  breaks: { usual: Word; after?: Readonly<Record<number, Word>> };
  /** By a period's code, or by the letter in front of its number. */
  periods: Readonly<Record<string, PeriodWord>>;
  /** Title of the scores by period. */
  byPeriod: Word;
  /** Head of the column with the score. Absent if the score is not a sum or a number of the periods won. */
  total?: FigureWord | undefined;
  /** The word beside a shoot-out's score, and the sentence about the winner `{team}` if the score is unknown. */
  shootOut: { short: Word; won: Word };
  /** The rounds after the table. */
  knockOut: Word;
  venue: Word;
  referee: Word;
  /** Heading of the players who do not start. */
  bench: Word;
  /** A video review. */
  review: Word;
  /** A shot or throw that the referee awards: the note beside a goal, and the line about a miss. */
  penalty: { note: Word; missed: Word };
  /** Picture beside a score in the timeline. */
  sign: ScoreSign;
  /** The sport's sign in texts without pictures, such as notifications. */
  emoji: string;
  /** Incidents that only this sport has, by the provider's term. */
  incidents: Readonly<Record<string, { name: Word; sign: string }>>;
  /** Russian names of statistics that have another name in other sports. */
  statisticsRu: Readonly<Record<string, string>>;
  /** Names of figures. `goals` are also points and runs, of a player or a team. */
  figures: Readonly<Partial<Record<PlayerFigure | 'draws' | 'conceded', FigureWord>>>;
}

/** A period that exists once, such as overtime. */
export const once = (en: string, ru: string, within: string, short?: Word): PeriodWord => ({
  name: word(en, ru),
  within: word(en.charAt(0).toLowerCase() + en.slice(1), within),
  ...(short && { short }),
});

export const numbered = (en: string, [ru, ruWithin]: readonly [string, string], gender: 'm' | 'f'): PeriodWord => {
  const [ending, endingWithin] = gender === 'm' ? ['й', 'го'] : ['я', 'й'];
  return once(`${en} #`, `#-${ending} ${ru}`, `#-${endingWithin} ${ruWithin}`);
};

export const HALVES: SportWords['periods'] = {
  '1H': once('First half', '1-й тайм', 'первого тайма', word('1', '1')),
  '2H': once('Second half', '2-й тайм', 'второго тайма', word('2', '2')),
  ET: once('Extra time', 'Доп. время', 'дополнительного времени', word('ET', 'ДВ')),
};
export const OVERTIME = once('Overtime', 'Овертайм', 'овертайма', word('OT', 'ОТ'));
export const QUARTERS: SportWords['periods'] = {
  Q: numbered('Quarter', ['четверть', 'четверти'], 'f'),
  OT: OVERTIME,
};

/** Names a figure: short and long in English, then in Russian. */
export const figureWord = (
  ...[short, long, shortRu, longRu]: readonly [string, string, string, string]
): FigureWord => ({
  short: word(short, shortRu),
  long: word(long, longRu),
});

export const GOALS = figureWord('G', 'Goals', 'Г', 'Голы');
export const POINTS = figureWord('Pts', 'Points', 'О', 'Очки');

const BY_PERIOD = word('Score by period', 'Счёт по периодам');
const MISSED_PENALTY = word('Penalty missed', 'Незабитый пенальти');

/** The words of a sport that is not described here. */
export const USUAL_WORDS: SportWords = {
  start: word('Start', 'Начало'),
  statuses: {},
  breaks: { usual: word('Break', 'Перерыв') },
  periods: {},
  byPeriod: BY_PERIOD,
  total: figureWord('Total', 'Total', 'Итого', 'Итого'),
  shootOut: { short: word('SO', 'серия'), won: word('{team} won the shoot-out', 'победа в серии: {team}') },
  knockOut: word('Knock-out rounds', 'Плей-офф'),
  venue: word('Venue', 'Арена'),
  referee: word('Referee', 'Судья'),
  bench: word('Bench', 'Запасные'),
  review: word('Video review', 'Видеопросмотр'),
  penalty: { note: word('pen.', 'пен.'), missed: MISSED_PENALTY },
  sign: 'dot',
  emoji: '•',
  incidents: {},
  statisticsRu: {},
  figures: {},
};

export const PLAY_OFFS = word('Play-offs', 'Плей-офф');
export const FULL_TIME = word('Full time', 'Завершён');
export const FINAL = word('Final', 'Завершён');
export const HALF_TIME = word('Half-time', 'Перерыв');
export const AFTER_OVERTIME = word('After overtime', 'В овертайме');
export const STADIUM = word('Venue', 'Стадион');
