/**
 * Pappalardo and Massucco's Wyscout soccer match event data set, as derived CSV tables: line-ups, incidents, shots
 * (without expected goals, which we compute), statistics, player statistics and average positions. The data set has
 * these traps. Seconds restart in each period. An own goal counts for the opponent. A shoot-out is the period P.
 * `home_score` is the score after 90 minutes. Names contain a literal \u00e9. In three matches the incidents do not add
 * up to the score, so they are left out.
 */

import { type KnownTournament, seasonOn, tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { nationTeam } from '../../identity/merges.ts';
import { countGoals, isSameScore, turnToOfficialSides } from '../../providers/index.ts';
import { parseScore } from '../../providers/openfootball/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { csvUpdates, integer, type Row } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import { faultAt, ImportError, type InputFile } from '../files.ts';
import { fileImporter, type ImportItem } from '../importer.ts';
import { tablesByName } from '../joined-tables.ts';
import {
  readLineups,
  readPlayerStats,
  readPositions,
  readShotmap,
  readStatistics,
  readSubstitutions,
  wyscoutIncidents,
} from './blocks.ts';
import { MATCH_TABLES, type TableName, unescaped, WyscoutTables } from './tables.ts';

const PROVIDER = 'wyscout';

export const wyscout = fileImporter({
  format: 'wyscout',
  provider: PROVIDER,
  description: 'the folder of CSV tables derived from the Wyscout match event data set',
  expected: 'the CSV tables of the Wyscout data set',
  accepts: ({ name }) => FILES.has(name),
  async *readFiles(files, path) {
    const { tables: found, faults } = tablesByName(files);
    const matches = found.get('matches');
    const teams = found.get('teams');
    const players = found.get('players');
    if (!matches || !teams || !players)
      throw new ImportError(`${path}: matches.csv, teams.csv or players.csv is missing`);
    yield* faults;
    const tables = new WyscoutTables();
    const load = (name: TableName, file: InputFile, key: string) =>
      tables.load(name, file, [key], (row) => row[key] ?? '');
    yield* load('teams', teams, 'team_id');
    yield* load('players', players, 'player_id');
    for (const name of MATCH_TABLES) {
      const table = found.get(name);
      if (table) yield* load(name, table, 'match_id');
      else yield faultAt(path, `there is no ${name}.csv: its part of the cards stays empty`);
    }
    yield* readMatches(matches, tables);
  },
});

/**
 * Yields the data set's matches. Leaves out records that cannot be read.
 * @throws ImportError if `path` does not contain the data set
 */
export async function* wyscoutMatches(path: string): AsyncGenerator<MatchUpdateInput> {
  for await (const item of wyscout.read(path))
    if (item.kind === 'update' && item.update.kind === 'match') yield item.update;
}

const FILES = new Set(['matches', 'teams', 'players', ...MATCH_TABLES].map((name) => `${name}.csv`));

async function* readMatches(file: InputFile, tables: WyscoutTables): AsyncGenerator<ImportItem> {
  const required = ['match_id', 'competition', 'start_utc', 'home_id', 'away_id', 'home_score', 'away_score'];
  const ids = new Set<string>();
  yield* csvUpdates(file, required, ({ row }) => {
    ids.add(row.match_id ?? '');
    const read = readMatch(row, tables, file);
    return typeof read === 'string' ? read : turnToOfficialSides(read);
  });
  yield* tables.strays(MATCH_TABLES, ids, file);
}

function readMatch(row: Row, tables: WyscoutTables, file: InputFile): MatchUpdateInput | string {
  const id = row.match_id!;
  const tournament = tournamentBySource(PROVIDER, row.competition ?? '');
  if (!tournament) return `the competition ${JSON.stringify(row.competition)} is not known; add it to tournaments.yaml`;
  const [home, away] = [findTeam(row.home_id, tournament, tables), findTeam(row.away_id, tournament, tables)];
  if (!home || !away) return `match ${id}: a team is not in teams.csv`;
  const [start, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/u.exec(row.start_utc ?? '') ?? [];
  if (start === undefined || day === undefined) return `match ${id}: ${JSON.stringify(row.start_utc)} is not a time`;
  const state = readState(row);
  if (!state) return `match ${id}: there is no score`;
  const gameweek = integer(row.gameweek);
  const venueName = unescaped(row.venue ?? '').trim();
  const venueCountry = findHost(tournament, day);
  return matchUpdate(PROVIDER, file, {
    id,
    sport: 'football',
    tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
    season: { label: seasonOn(tournament, day) },
    home,
    away,
    scheduled_start: `${day}T${time}Z`,
    time_tbd: false,
    start_time: start,
    ...(gameweek &&
      tournament.country !== 'INT' && { round_num: gameweek, round_name: `Matchday ${gameweek}`, group_name: null }),
    ...state,
    ...(venueName && venueCountry && { venue: { name: venueName, country: venueCountry } }),
    ...readBlocks(id, state, row.duration !== 'Regular', tables),
  });
}

/** A club gets its league's country, as elsewhere, because "Monaco" in Monaco would be the national team. */
function findTeam(id: string | undefined, tournament: KnownTournament, tables: WyscoutTables) {
  const row = id === undefined ? undefined : tables.of('teams', id)[0];
  const own = nationTeam(row?.country3 ?? '')?.country;
  const country = tournament.country === 'INT' ? own : tournament.country;
  return row?.name && country ? { id: row.team_id!, name: unescaped(row.name), country } : undefined;
}

/** Each tournament between nations in the data set had one host. */
function findHost(tournament: KnownTournament, day: string): string | undefined {
  if (tournament.country !== 'INT') return tournament.country;
  return { '2016': 'FR', '2018': 'RU' }[day.slice(0, 4)];
}

type State = NonNullable<ReturnType<typeof parseScore>>;

/** Returns the state. Scores after extra time include the earlier goals, and are zero if no extra time was played. */
function readState(row: Row): State | undefined {
  const pair = (home: string | undefined, away: string | undefined) => {
    const [h, a] = [integer(home), integer(away)];
    return h === undefined || a === undefined ? undefined : ([h, a] as const);
  };
  const longer = row.duration === 'ExtraTime' || row.duration === 'Penalties';
  return parseScore({
    ht: pair(row.home_ht, row.away_ht),
    ft: pair(row.home_score, row.away_score),
    ...(longer && { et: pair(row.home_et, row.away_et) }),
    ...(row.duration === 'Penalties' && { p: pair(row.home_pen, row.away_pen) }),
  });
}

function readBlocks(id: string, state: State, extraTime: boolean, tables: WyscoutTables) {
  const rows = tables.of('incidents', id);
  const incidents = wyscoutIncidents(rows, tables.of('shots', id), tables);
  const agrees = isSameScore(countGoals(incidents), state.score);
  const all = [...incidents, ...readSubstitutions(tables.of('substitutions', id), extraTime, tables)];
  const lineups = readLineups(tables.of('lineups', id), tables);
  const shotmap = readShotmap(tables.of('shots', id), tables);
  const statistics = readStatistics(tables.of('team_stats', id));
  const playerStats = readPlayerStats(tables.of('player_stats', id), tables);
  const positions = readPositions(tables.of('player_stats', id), tables);
  return {
    ...(agrees && all.length > 0 && { incidents: all.sort((a, b) => order(a) - order(b)) }),
    ...(lineups.length > 0 && { lineups, lineup_confirmed: true }),
    ...(shotmap.length > 0 && { shotmap }),
    ...(statistics.length > 0 && { statistics }),
    ...(playerStats.length > 0 && { player_stats: playerStats }),
    ...(positions.home.length + positions.away.length > 0 && { average_positions: positions }),
  };
}

const PERIODS = ['1H', '2H', 'ET', 'PEN'];
const order = (incident: {
  period?: string | null | undefined;
  minute?: number | null | undefined;
  minute_plus?: number | null | undefined;
}) => PERIODS.indexOf(incident.period ?? '') * 1_000_000 + (incident.minute ?? 0) * 1_000 + (incident.minute_plus ?? 0);
