/** The leagues in the files of Elo forecasts: columns, teams and seasons. */
import { findTournament, splitLabel } from '../../identity/canonical-tournaments.ts';
import { type CodedTeam, isDay } from '../../providers/index.ts';
import { NHL_TEAMS } from '../../providers/nhl/index.ts';
import { dataRows } from '../../wire/data-file.ts';
import type { MatchInput } from '../../wire/feed-update.ts';
import { decimal, type Row, scorePair } from '../csv.ts';
import { hockeyResult } from '../hockey-result.ts';

/** The stage of a game: q, s, c and f are rounds from the first to the final. */
export type Stage = 'regular' | 'play-in' | 'play-offs' | 'q' | 's' | 'c' | 'f' | 'cup';

export interface EloGame {
  /** YYYY-MM-DD, local. */
  date: string;
  /** Year as in the file. */
  season: number;
  tournament: string;
  stage: Stage;
  neutral: boolean;
  home: CodedTeam;
  away: CodedTeam;
  /** Absent if the game has not been played. */
  result?: Partial<MatchInput>;
  /** The file's probability that the home side wins. */
  forecast: number | undefined;
  /** The file's ratings after the game or, if the file has only these, before it. */
  ratings?: { home: number; away: number };
}

export interface EloLeague {
  name: 'NHL' | 'NBA' | 'WNBA';
  sport: 'ice-hockey' | 'basketball';
  gender: 'men' | 'women';
  provider: string;
  author: string;
  /** Pattern for the names of the league's files. */
  file: RegExp;
  columns: readonly string[];
  label: (season: number) => string;
  /** @returns why the row is refused */
  read: (row: Row) => EloGame | string;
}

const codes = (file: string): ReadonlyMap<string, CodedTeam> =>
  new Map(
    dataRows(`identity/${file}`, ['code', 'name', 'name_ru', 'country']).map(({ code, ...team }) => [
      code,
      { id: code, ...team },
    ]),
  );
const NBA_TEAMS = codes('nba-teams.csv');
const WNBA_TEAMS = codes('wnba-teams.csv');

const FIVETHIRTYEIGHT = { provider: 'fivethirtyeight-elo', author: 'FiveThirtyEight' };
/** The NHL and the NBA name a season by the year in which it ends. */
const endingIn = (season: number) => splitLabel(season - 1);

export const LEAGUES: readonly EloLeague[] = [
  {
    ...FIVETHIRTYEIGHT,
    name: 'NHL',
    sport: 'ice-hockey',
    gender: 'men',
    file: /^nhl_elo.*\.csv$/u,
    columns: [
      'season',
      'date',
      'playoff',
      'neutral',
      'ot',
      'home_team',
      'away_team',
      'home_team_score',
      'away_team_score',
    ],
    label: endingIn,
    read: (row) =>
      readGame(row, {
        // Seasons begin in October at the latest; in 2020 and 2021, one ended in September and July.
        days: (season) => [`${season - 1}-09-15`, `${season}-09-30`],
        teams: [row.home_team, row.away_team].map((name) => NHL_TEAMS.findNamed(name ?? '')),
        written: [row.home_team, row.away_team],
        scores: [row.home_team_score, row.away_team_score],
        stage: FLAG_STAGES.get(row.playoff ?? ''),
        tournament: 'NHL',
        result: readHockey,
        forecast: row.home_team_winprob,
        ratings: [row.home_team_postgame_rating, row.away_team_postgame_rating],
      }),
  },
  {
    ...FIVETHIRTYEIGHT,
    name: 'NBA',
    sport: 'basketball',
    gender: 'men',
    file: /^nba_elo.*\.csv$/u,
    columns: ['date', 'season', 'neutral', 'playoff', 'team1', 'team2', 'score1', 'score2'],
    label: endingIn,
    read: (row) =>
      readGame(row, {
        days: (season) => [`${season - 1}-09-15`, `${season}-10-15`],
        teams: [row.team1, row.team2].map((code) => NBA_TEAMS.get(code ?? '')),
        written: [row.team1, row.team2],
        scores: [row.score1, row.score2],
        stage: NBA_STAGES.get(row.playoff ?? ''),
        tournament: 'NBA',
        result: readBasketball,
        forecast: row.elo_prob1,
        ratings: [row.elo1_post, row.elo2_post],
      }),
  },
  {
    provider: 'wnba-paine',
    author: 'N. Paine',
    name: 'WNBA',
    sport: 'basketball',
    gender: 'women',
    file: /^wnba.*\.csv$/u,
    columns: [
      'season',
      'date',
      'playoff',
      'neutral',
      'team1',
      'team2',
      'team1_abbr',
      'team2_abbr',
      'team1_score',
      'team2_score',
    ],
    label: String,
    read: (row) => {
      const isCup = isCupDay(row.date ?? '') && row.playoff === '0';
      return readGame(row, {
        days: (season) => [`${season}-04-01`, `${season}-11-30`],
        teams: [row.team1_abbr, row.team2_abbr].map((code) => WNBA_TEAMS.get(code ?? '')),
        written: [row.team1_abbr, row.team2_abbr],
        scores: [row.team1_score, row.team2_score],
        stage: isCup ? 'cup' : FLAG_STAGES.get(row.playoff ?? ''),
        tournament: isCup ? CUP : 'WNBA',
        result: readBasketball,
        forecast: row.team1_winprob,
        ratings: [row.team1_pregame_rating, row.team2_pregame_rating],
      });
    },
  },
];

const FLAG_STAGES = new Map<string, Stage>([
  ['0', 'regular'],
  ['1', 'play-offs'],
]);
const NBA_STAGES = new Map<string, Stage>([
  ['', 'regular'],
  ['p', 'play-in'],
  ['q', 'q'],
  ['s', 's'],
  ['c', 'c'],
  ['f', 'f'],
]);

/** The final of the Commissioner's Cup stands among the season's games, but does not count in the table. */
export const CUP = "WNBA Commissioner's Cup";
const isCupDay = (date: string): boolean =>
  (findTournament('basketball', 'US', 'women', 'WNBA')?.windows_to[CUP] ?? []).some(
    ([from, to]) => date >= from && date <= to,
  );

interface Given {
  /** First and last possible day of a season. */
  days: (season: number) => readonly [string, string];
  teams: (CodedTeam | undefined)[];
  written: (string | undefined)[];
  scores: (string | undefined)[];
  stage: Stage | undefined;
  tournament: string;
  result: (score: { home: number; away: number }, row: Row) => Partial<MatchInput> | string;
  forecast: string | undefined;
  ratings: (string | undefined)[];
}

function readGame(row: Row, given: Given): EloGame | string {
  const { date = '', season: year = '', neutral = '' } = row;
  if (!isDay(date)) return `${JSON.stringify(date)} is not a date`;
  if (given.scores[1] === undefined) return 'the row ends before the score';
  const season = /^\d{4}$/u.test(year) ? Number(year) : Number.NaN;
  if (Number.isNaN(season)) return `${JSON.stringify(year)} is not a year`;
  const [first, last] = given.days(season);
  if (date < first || date > last) return `the day ${date} is not in the season ${year}`;
  const [home, away] = given.teams;
  if (home === undefined || away === undefined)
    return `the team ${JSON.stringify(given.written[home ? 1 : 0] ?? '')} is not known`;
  if (home === away) return `${home.name} cannot play itself`;
  if (given.stage === undefined) return `${JSON.stringify(row.playoff ?? '')} is not a stage`;
  if (neutral !== '0' && neutral !== '1') return 'the column neutral must be 0 or 1';
  const result = readResult(row, given);
  if (typeof result === 'string') return result;
  const [own, other] = given.ratings.map(decimal);
  return {
    date,
    season,
    tournament: given.tournament,
    stage: given.stage,
    neutral: neutral === '1',
    home,
    away,
    ...(result && { result }),
    forecast: decimal(given.forecast),
    ...(own !== undefined && other !== undefined && { ratings: { home: own, away: other } }),
  };
}

function readResult(row: Row, { scores, result }: Given): Partial<MatchInput> | string | undefined {
  if (scores.every((cell) => cell === '' || cell === 'NA')) return undefined;
  const score = scorePair(scores[0], scores[1]);
  if (score === undefined) return `${JSON.stringify(scores.join(':'))} is not a score`;
  if (score.home === score.away) return `${score.home}:${score.away} is a tie, which the league does not have`;
  return result(score, row);
}

function readHockey(score: { home: number; away: number }, { ot = '' }: Row): Partial<MatchInput> | string {
  if (!/^(\d?OT|SO)?$/u.test(ot)) return `${JSON.stringify(ot)} is neither an overtime nor a shoot-out`;
  return hockeyResult(score, { overtime: ot !== '', shootOut: ot === 'SO' });
}

const readBasketball = (score: { home: number; away: number }): Partial<MatchInput> => ({
  status: 'finished',
  status_detail: 'ended',
  score,
});
