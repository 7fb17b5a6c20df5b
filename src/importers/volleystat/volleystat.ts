/**
 * volleystat: the German volleyball leagues for men and women, 2013/14 to 2018/19, with the points in every set (CSV). Match ids
 * are unique only within a league and a season. Club names follow sponsors, but a club's id stays. Kick-offs are in local time.
 */
import { tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { isDay, localToUtc } from '../../providers/index.ts';
import { dataRows } from '../../wire/data-file.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { type CsvRow, csvUpdates, integer, type Row } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import { eachFile, fileImporter, type ImportItem } from '../importer.ts';
import { readSets } from './sets.ts';

const VOLLEYSTAT = 'volleystat';
const ZONE = 'Europe/Berlin';
const COLUMNS = [
  ...['league', 'season', 'stage', 'match_id', 'match_day', 'date_time', 'home_id', 'home', 'away_id', 'away'],
  ...['home_sets', 'away_sets', 'home_s1', 'away_s1', 'home_s2', 'away_s2', 'home_s3', 'away_s3'],
];
const MAIN_ROUND = 'Main round';
/** Stages after the main round. */
const STAGES: ReadonlyMap<string, string> = new Map([
  ['Pre-Playoff', 'Pre-play-offs'],
  ['Quarterfinal', 'Quarter-finals'],
  ['Semifinal', 'Semi-finals'],
  ['Finale', 'Final'],
  ['Playdown', 'Play-downs'],
]);

/** Clubs under their present or last names. Names of their time are in former-names.csv. */
const CLUBS: ReadonlyMap<string, { league: string; name: string; name_ru: string }> = new Map(
  dataRows('identity/volleystat-clubs.csv', ['league', 'id', 'name', 'name_ru']).map(({ id, ...club }) => [id, club]),
);

export const volleystat = fileImporter({
  format: VOLLEYSTAT,
  provider: VOLLEYSTAT,
  description: 'German volleyball leagues: volleyball_bundesliga….csv, made from the R package volleystat',
  expected: 'files like volleyball_bundesliga_2013-2019.csv',
  accepts: ({ name }) => /^volleyball_bundesliga.*\.csv$/u.test(name),
  readFiles: eachFile(readFile),
});

async function* readFile(file: InputFile): AsyncGenerator<ImportItem> {
  yield* csvUpdates(file, COLUMNS, (row) => readRow(row, file));
}

function readRow({ row }: CsvRow, file: InputFile): MatchUpdateInput | string {
  const league = tournamentBySource(VOLLEYSTAT, row.league ?? '');
  if (league === undefined) return `the league ${JSON.stringify(row.league ?? '')} is not known`;
  const [, first = '', second] = /^(\d{4})-(\d\d)$/u.exec(row.season ?? '') ?? [];
  if (second === undefined || (Number(first) + 1) % 100 !== Number(second))
    return `${JSON.stringify(row.season ?? '')} is not a season`;
  if (integer(row.match_id) === undefined) return `${JSON.stringify(row.match_id ?? '')} is not a match's number`;
  const [day = '', time = ''] = (row.date_time ?? '').split(' ');
  const start = isDay(day) ? localToUtc(day, time, ZONE) : undefined;
  if (start === undefined) return `${JSON.stringify(row.date_time ?? '')} is not a date`;
  if (day < `${first}-07-01` || day > `${Number(first) + 1}-06-30`)
    return `the day ${day} is not in the season ${row.season}`;
  const round = readStage(row);
  if (typeof round === 'string') return round;
  const home = readClub(row, 'home');
  if (typeof home === 'string') return home;
  const away = readClub(row, 'away');
  if (typeof away === 'string') return away;
  if (home.id === away.id) return `${home.name} cannot play itself`;
  const sets = readSets(row);
  if (typeof sets === 'string') return sets;
  const spectators = integer(row.spectators) ?? 0;
  return matchUpdate(VOLLEYSTAT, file, {
    id: [row.league, row.season, row.match_id].join('/'),
    sport: 'volleyball',
    tournament: { name: league.name, country: league.country, gender: league.gender },
    season: { label: `${first}/${second}` },
    home,
    away,
    scheduled_start: start,
    time_tbd: false,
    ...round,
    status: 'finished',
    status_detail: 'ended',
    ...sets,
    // In the file, 0 stands for an unknown number.
    ...(spectators > 0 && { attendance: spectators }),
  });
}

function readStage({ stage = '', match_day }: Row) {
  if (stage === MAIN_ROUND) {
    const day = integer(match_day) ?? 0;
    return day >= 1 && day <= 99
      ? { round_num: day, round_name: `Matchday ${day}` }
      : `${JSON.stringify(match_day ?? '')} is not a matchday`;
  }
  const round_name = STAGES.get(stage);
  return round_name === undefined ? `the stage ${JSON.stringify(stage)} is not known` : { round_name };
}

function readClub(row: Row, side: 'home' | 'away') {
  const id = row[`${side}_id`] ?? '';
  const club = CLUBS.get(id);
  if (club === undefined)
    return `the club ${JSON.stringify(id)} (${row[side]}) is not known; add it to data/identity/volleystat-clubs.csv`;
  if (club.league !== row.league) return `the club ${id} (${row[side]}) does not play in the league ${row.league}`;
  return { id, name: club.name, name_ru: club.name_ru, country: 'DE' };
}
