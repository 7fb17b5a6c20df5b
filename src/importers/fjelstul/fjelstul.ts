/**
 * The Fjelstul World Cup Database: a folder with CSV tables keyed by match. It has complete data for the men's and
 * women's World Cups, with line-ups, goals, cards, substitutions, shoot-outs, coaches, referee and stadium, but no
 * attendance. Sides are in the official order, to which the other sources are corrected.
 */

import { tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { nationTeam } from '../../identity/merges.ts';
import { dateOnly, findZone, groupLetter, isDay, localToUtc, roundName } from '../../providers/index.ts';
import type { MatchInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import { csvUpdates, integer, type Row } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import { faultAt, ImportError, type InputFile } from '../files.ts';
import { fileImporter, type ImportItem } from '../importer.ts';
import { tablesByName } from '../joined-tables.ts';
import { byMatchOrder, cardIncident, goalsWithScore, shootoutIncidents, substitutionIncidents } from './incidents.ts';
import { COLUMNS, known, MATCH_TABLES, personName, sideOf, TABLES, Tables } from './tables.ts';

const FJELSTUL = 'fjelstul';

export const fjelstul = fileImporter({
  format: 'fjelstul',
  provider: FJELSTUL,
  description: 'the folder of CSV tables of the Fjelstul World Cup Database',
  expected: 'the CSV tables of the Fjelstul World Cup Database',
  accepts: ({ name }) => FILES.has(name),
  async *readFiles(files, path) {
    const { tables: found, faults } = tablesByName(files);
    const matches = found.get('matches');
    if (!matches) throw new ImportError(`${path}: there is no matches.csv`);
    yield* faults;
    const tables = new Tables();
    for (const name of TABLES) {
      const file = found.get(name);
      const [key] = COLUMNS[name];
      if (file) yield* tables.load(name, file, COLUMNS[name], (row) => row[key] ?? '');
      else yield faultAt(path, `there is no ${name}.csv: its part of the cards stays empty`);
    }
    yield* readMatches(matches, tables);
  },
});

const FILES = new Set(['matches', ...TABLES].map((name) => `${name}.csv`));

async function* readMatches(file: InputFile, tables: Tables): AsyncGenerator<ImportItem> {
  const required = ['match_id', 'tournament_id', 'match_date', 'home_team_name', 'away_team_name', 'home_team_score'];
  const groupMeetings = new Set<string>();
  const ids = new Set<string>();
  yield* csvUpdates(file, required, ({ row }) => {
    ids.add(row.match_id ?? '');
    return readMatch(row, tables, file, groupMeetings);
  });
  yield* tables.strays(MATCH_TABLES, ids, file);
}

function readMatch(row: Row, tables: Tables, file: InputFile, groupMeetings: Set<string>): MatchUpdateInput | string {
  const id = row.match_id ?? '';
  const tournament = tournamentBySource(FJELSTUL, /women/iu.test(row.tournament_name ?? '') ? 'women' : 'men')!;
  const [home, away] = [integer(row.home_team_score), integer(row.away_team_score)];
  if (home === undefined || away === undefined) return `${id}: there is no score`;
  if (!isDay(row.match_date ?? '')) return `${id}: ${JSON.stringify(row.match_date)} is not a date`;
  const season = /\d{4}/u.exec(row.tournament_id ?? '')?.[0];
  if (!season || !row.home_team_name || !row.away_team_name) return `${id}: the row is cut`;
  const referee = tables.of('referee_appearances', id)[0];
  return matchUpdate(FJELSTUL, file, {
    id,
    sport: 'football',
    tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
    season: { label: season },
    home: national(row.home_team_name),
    away: national(row.away_team_name),
    ...readStart(row),
    ...readRound(row, groupMeetings),
    ...readState(row, tables, home, away),
    ...readVenue(row, tables),
    ...(referee && { referee: personName(referee) }),
    ...readBlocks(id, tables),
  });
}

const national = (name: string) => ({ name, country: nationTeam(name)?.country ?? 'INT' });

function readStart(row: Row) {
  const zone = findZone(nationTeam(row.country_name ?? '')?.country ?? '', row.city_name);
  const start = zone && row.match_time ? localToUtc(row.match_date!, row.match_time, zone) : undefined;
  return start ? { scheduled_start: start, time_tbd: false, start_time: row.match_time! } : dateOnly(row.match_date!);
}

/**
 * If two sides meet a second time within the groups, the match is a play-off for a position (1954, 1958) and does not
 * count in the group.
 */
function readRound(row: Row, groupMeetings: Set<string>) {
  const stage = known(row.stage_name) ?? '';
  const group = known(row.group_name);
  if (!group)
    return {
      round_num: null,
      round_name: roundName(stage).replace(/^\w/u, (letter) => letter.toUpperCase()),
      group_name: stage === 'final round' ? 'Final round' : null,
    };
  const pair = [row.tournament_id, stage, ...[row.home_team_name, row.away_team_name].sort()].join('|');
  const again = groupMeetings.has(pair);
  groupMeetings.add(pair);
  const name = stage === 'second group stage' ? 'Second group stage' : 'Group stage';
  return {
    round_num: null,
    round_name: again ? 'Group play-off' : name,
    group_name: again ? null : groupLetter(group),
  };
}

/** Derives scores per period from the goals, because the match table has only the final score. */
function readState(row: Row, tables: Tables, home: number, away: number): Partial<MatchInput> {
  const shootout = row.penalty_shootout === '1';
  const extraTime = row.extra_time === '1';
  const periods = [
    { period: '1H', home: 0, away: 0 },
    { period: '2H', home: 0, away: 0 },
    ...(extraTime ? [{ period: 'ET', home: 0, away: 0 }] : []),
  ];
  for (const goal of tables.of('goals', row.match_id!)) {
    const period = /^extra/u.test(goal.match_period ?? '')
      ? periods[2]
      : /^first/u.test(goal.match_period ?? '')
        ? periods[0]
        : periods[1];
    if (period) period[sideOf(goal)]++;
  }
  const sum = (side: 'home' | 'away') => periods.reduce((total, period) => total + period[side], 0);
  const complete = sum('home') === home && sum('away') === away;
  const kicks = { home: integer(row.home_team_score_penalties), away: integer(row.away_team_score_penalties) };
  const shot = shootout && kicks.home !== undefined && kicks.away !== undefined;
  return {
    status: 'finished',
    status_detail: shootout ? 'after_penalties' : extraTime ? 'after_extra_time' : 'ended',
    score: { home, away },
    period_scores: [
      ...(complete ? periods : []),
      ...(shot ? [{ period: 'PEN', home: kicks.home!, away: kicks.away! }] : []),
    ],
    finalized: true,
  };
}

function readVenue(row: Row, tables: Tables) {
  const country = nationTeam(row.country_name ?? '')?.country;
  const name = known(row.stadium_name);
  if (!name || !country) return {};
  const capacity = integer(tables.of('stadiums', row.stadium_id ?? '')[0]?.stadium_capacity);
  const city = known(row.city_name);
  return { venue: { id: row.stadium_id!, name, country, ...(city && { city }), ...(capacity && { capacity }) } };
}

function readBlocks(id: string, tables: Tables) {
  const incidents = [
    ...goalsWithScore(tables.of('goals', id), tables),
    ...tables.of('bookings', id).map((row) => cardIncident(row, tables)),
    ...substitutionIncidents(tables.of('substitutions', id), tables),
  ].sort(byMatchOrder);
  const lineups = tables.of('player_appearances', id).map((row) => ({
    side: sideOf(row),
    player: tables.player(row),
    position: known(row.position_code) ?? null,
    shirt_number: row.shirt_number && row.shirt_number !== '0' ? row.shirt_number : null,
    is_substitute: row.substitute === '1',
  }));
  const coaches = tables
    .of('manager_appearances', id)
    .map((row) => ({ side: sideOf(row), coach_name: personName(row) }));
  return {
    ...(tables.has('goals') && {
      incidents: [...incidents, ...shootoutIncidents(tables.of('penalty_kicks', id), tables)],
    }),
    ...(lineups.length > 0 && { lineups, lineup_confirmed: true }),
    ...(coaches.length > 0 && { coaches }),
  };
}
