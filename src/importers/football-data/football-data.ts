/**
 * Reads the CSV files from football-data.co.uk, and the same results from datasets/football-datasets. The former have
 * odds, kick-offs in British time, and a `Div` column (outside the main leagues, `Country` and `League`). The latter
 * have ISO dates without times, and no division, because the folder is the league.
 */

import {
  findTournament,
  type KnownTournament,
  seasonOn,
  tournamentBySource,
} from '../../identity/canonical-tournaments.ts';
import { nationTeam } from '../../identity/merges.ts';
import { count, dateOnly, isDay, localToUtc, Meetings, present, type StatisticName } from '../../providers/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { DAY_MS } from '../../wire/time.ts';
import { csvUpdates, integer, type Row, scorePair } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import { eachFile, fileImporter, type ImportItem } from '../importer.ts';
import { readOdds } from './odds.ts';

const PUBLISHER = 'football-data';
const DATASETS = 'football-datasets';
/** The publisher's time zone, used for kick-offs in all countries. */
const PUBLISHER_ZONE = 'Europe/London';

const STATISTICS: readonly (readonly [StatisticName, string, string])[] = [
  ['Total shots', 'HS', 'AS'],
  ['Shots on target', 'HST', 'AST'],
  ['Hit woodwork', 'HHW', 'AHW'],
  ['Corner kicks', 'HC', 'AC'],
  ['Fouls', 'HF', 'AF'],
  ['Offsides', 'HO', 'AO'],
  ['Yellow cards', 'HY', 'AY'],
  ['Red cards', 'HR', 'AR'],
];

export const footballData = fileImporter({
  format: 'football-data',
  provider: PUBLISHER,
  description: 'CSV of football-data.co.uk, or of datasets/football-datasets (folders premier-league, la-liga, …)',
  expected: 'CSV files of football-data.co.uk',
  accepts: ({ name }) => /\.csv$/iu.test(name),
  readFiles: eachFile(readFile),
});

/** A file, and what the rows that were read so far have shown. */
interface FileContext {
  file: InputFile;
  meetings: Meetings;
  /** The day in each division's first row, and the season. */
  firstDays: Map<string, { day: string; season: string }>;
}

function readFile(file: InputFile): AsyncGenerator<ImportItem> {
  const context: FileContext = { file, meetings: new Meetings(), firstDays: new Map() };
  return csvUpdates(file, COLUMNS, ({ row }) => readMatch(row, context));
}

/** Required columns. The second name in each pair is for files outside the main leagues. */
const COLUMNS = ['Date', ['HomeTeam', 'Home'], ['AwayTeam', 'Away'], ['FTHG', 'HG'], ['FTAG', 'AG']];

function unknownLeague(row: Row, file: InputFile): string {
  if (row.Div) return `the league ${row.Div} (column Div) is not known; add it to tournaments.yaml`;
  return row.Country && row.League
    ? `the country ${JSON.stringify(row.Country)} is not known`
    : `the league is not known: the row has no Div and no Country with League, and the folder ${JSON.stringify(file.folder)} names no league`;
}

interface League {
  provider: string;
  code: string;
  tournament: Pick<KnownTournament, 'name' | 'country' | 'gender'>;
  season: (day: string) => string;
}

function findLeague(row: Row, { file, firstDays }: FileContext): League | undefined {
  const known = (provider: string, code: string): League | undefined => {
    const tournament = tournamentBySource(provider, code);
    return (
      tournament && { provider, code, tournament, season: (day) => seasonOfFile(firstDays, code, tournament, day) }
    );
  };
  if (row.Div) return known(PUBLISHER, row.Div);
  if (!row.Country || !row.League) return known(DATASETS, file.folder);
  const country = nationTeam(row.Country)?.country;
  if (!country) return undefined;
  const tournament = findTournament('football', country, 'men', row.League);
  return {
    provider: PUBLISHER,
    code: `${country}-${row.League}`,
    tournament: tournament ?? { name: row.League, country, gender: 'men' },
    season: (day) => seasonLabel(row.Season) ?? (tournament ? seasonOn(tournament, day) : day.slice(0, 4)),
  };
}

/** Length of the longest season, 2019/20, which ended in August 2020. */
const LONGEST_SEASON_MS = 370 * DAY_MS;

/**
 * Returns a division's season in a file. All rows get the season of the first row's day, because "season-1920.csv" has matches after the
 * first of July.
 */
function seasonOfFile(
  firstDays: FileContext['firstDays'],
  code: string,
  tournament: KnownTournament,
  day: string,
): string {
  const first = firstDays.get(code) ?? { day, season: seasonOn(tournament, day) };
  firstDays.set(code, first);
  const later = Date.parse(day) - Date.parse(first.day);
  return later >= 0 && later < LONGEST_SEASON_MS ? first.season : seasonOn(tournament, day);
}

/** "2023/2024" -> "2023/24"; a year stays. */
function seasonLabel(written: string | undefined): string | undefined {
  const [, first, second] = /^(\d{4})(?:\/(?:\d\d)?(\d\d))?$/u.exec(written ?? '') ?? [];
  return second ? `${first}/${second}` : first;
}

/** Parses a day in any format from thirty years of files: 2023-08-11, 11/08/2023, 11/08/93. */
function parseDay(written: string): string | undefined {
  const day = written.replace(
    /^(\d{1,2})\/(\d{1,2})\/(\d\d|\d{4})$/u,
    (_, date: string, month: string, year: string) =>
      `${fullYear(year)}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`,
  );
  return isDay(day) ? day : undefined;
}
const FIRST_YEAR_OF_THE_CENTURY = 70;
const fullYear = (year: string) =>
  year.length === 4 ? year : `${Number(year) < FIRST_YEAR_OF_THE_CENTURY ? '20' : '19'}${year}`;

/** Returns an update, or the error in the row. */
function readMatch(row: Row, context: FileContext): MatchUpdateInput | string {
  const { file, meetings } = context;
  const league = findLeague(row, context);
  if (!league) return unknownLeague(row, file);
  const home = row.HomeTeam ?? row.Home ?? '';
  const away = row.AwayTeam ?? row.Away ?? '';
  if (!home || !away) return 'a side has no name';
  if (home === away) return 'both sides are the same team';
  const day = parseDay(row.Date ?? '');
  if (!day) return `${JSON.stringify(row.Date)} is not a date`;
  const result = readResult(row);
  if (typeof result === 'string') return result;
  const start = row.Time ? localToUtc(day, row.Time, PUBLISHER_ZONE) : undefined;
  const season = league.season(day);
  // The id does not contain the day, so that a rescheduled match keeps its id. In some leagues, a pairing is repeated.
  const pairing = `${league.code}/${season}/${home}/${away}`;
  const statistics = STATISTICS.map(([name, h, a]) => count('ALL', name, integer(row[h]), integer(row[a]))).filter(
    present,
  );
  const odds = readOdds(row, result.score);
  const attendance = integer(row.Attendance);
  const { tournament } = league;
  return matchUpdate(league.provider, file, {
    id: pairing + meetings.suffix(pairing, day),
    sport: 'football',
    tournament: { id: league.code, name: tournament.name, country: tournament.country, gender: tournament.gender },
    season: { label: season },
    home: { name: home, country: tournament.country },
    away: { name: away, country: tournament.country },
    ...(start ? { scheduled_start: start, time_tbd: false, start_time: row.Time! } : dateOnly(day)),
    ...(result.score && { status: 'finished', status_detail: 'ended', ...result }),
    ...(row.Referee && { referee: row.Referee.slice(0, 200) }),
    ...(attendance !== undefined && attendance > 0 && { attendance }),
    ...(statistics.length > 0 && { statistics }),
    ...(odds.length > 0 && { odds }),
  });
}

interface Result {
  score?: { home: number; away: number };
  period_scores?: { period: string; home: number; away: number }[];
}

/** Returns the score and the scores by half. Empty for a fixture; an error text for impossible scores. */
function readResult(row: Row): Result | string {
  const written = { home: row.FTHG ?? row.HG, away: row.FTAG ?? row.AG, result: row.FTR ?? row.Res };
  if (written.home === undefined || written.away === undefined) return 'the row ends before the score';
  if (written.home === '' && written.away === '') return {};
  const score = scorePair(written.home, written.away);
  if (!score) return `${JSON.stringify(written.home)}:${JSON.stringify(written.away)} is not a score`;
  const { home, away } = score;
  const outcome = home > away ? 'H' : home < away ? 'A' : 'D';
  if (written.result && written.result !== outcome)
    return `the result ${written.result} does not belong to ${home}:${away}`;
  const [halfHome, halfAway] = [integer(row.HTHG), integer(row.HTAG)];
  // Some early files have half-time scores that are higher than the final score. The halves are then left out.
  const halves = halfHome !== undefined && halfAway !== undefined && halfHome <= home && halfAway <= away;
  return {
    score,
    ...(halves && {
      period_scores: [
        { period: '1H', home: halfHome, away: halfAway },
        { period: '2H', home: home - halfHome, away: away - halfAway },
      ],
    }),
  };
}
