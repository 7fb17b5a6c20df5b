/**
 * Reads results from atp_matches_2024.csv, atp_matches_doubles_2020.csv and wta_matches_2024.csv, one line for each
 * match.
 */
import { tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { count, dateOnly, present, type StatisticName } from '../../providers/index.ts';
import type { MatchInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import { parseCountry } from '../country-codes.ts';
import { csvUpdates, integer, type Row } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import type { ImportItem } from '../importer.ts';
import { parseDay } from '../ranking-lists/ranking-rows.ts';
import { countSets, readScore, type TennisScore } from './score.ts';

const COLUMNS = [
  'tourney_id',
  'tourney_name',
  'tourney_date',
  'match_num',
  'score',
  'round',
  ['winner_id', 'winner1_id'],
  ['loser_id', 'loser1_id'],
];
const ROUNDS: Readonly<Record<string, string>> = {
  F: 'Final',
  SF: 'Semi-finals',
  QF: 'Quarter-finals',
  R16: 'Round of 16',
  R32: 'Round of 32',
  R64: 'Round of 64',
  R128: 'Round of 128',
  BR: 'Third place',
  RR: 'Group stage',
  ER: 'Preliminary round',
};
const STATISTICS: readonly (readonly [StatisticName, string])[] = [
  ['Aces', 'ace'],
  ['Double faults', 'df'],
  ['Service points', 'svpt'],
  ['First serves in', '1stIn'],
  ['First serve points won', '1stWon'],
  ['Second serve points won', '2ndWon'],
  ['Break points saved', 'bpSaved'],
  ['Break points faced', 'bpFaced'],
];
const USUAL_SETS = 3;

export interface Tour {
  provider: string;
  gender: 'men' | 'women';
}

export const readMatches = (file: InputFile, tour: Tour): AsyncGenerator<ImportItem> =>
  csvUpdates(file, COLUMNS, ({ row }) => readMatch(row, file, tour));

interface Side {
  participant: MatchInput['home'];
  won: boolean;
}

function readMatch(row: Row, file: InputFile, { provider, gender }: Tour): MatchUpdateInput | string {
  const isDoubles = 'winner1_id' in row;
  const winner = readSide(row, 'winner', isDoubles);
  const loser = readSide(row, 'loser', isDoubles);
  if (winner === undefined || loser === undefined) return 'the id or the name of a player is missing';
  if (winner.id === loser.id) return 'the winner and the loser are the same player';
  const day = parseDay(row.tourney_date);
  if (day === undefined)
    return `the tourney_date ${JSON.stringify(row.tourney_date ?? '')} is not a day such as 20240610`;
  const [, tourney] = /^\d{4}-(.+)$/u.exec(row.tourney_id ?? '') ?? [];
  if (tourney === undefined || !row.tourney_name || !row.match_num)
    return 'the tourney_id, the tourney_name or the match_num is missing';
  const score = readScore(row.score ?? '');
  if (score === undefined) return `${JSON.stringify(row.score ?? '')} is not a score`;
  const sets = countSets(score, integer(row.best_of) ?? USUAL_SETS);
  if (sets === undefined) return `no side has won the match by the sets ${row.score}`;
  // The sides are ordered by id, because the sources list the winner first, and the order must not show the result.
  const sides: [Side, Side] = [
    { participant: winner, won: true },
    { participant: loser, won: false },
  ];
  sides.sort((a, b) => (a.participant.id! < b.participant.id! ? -1 : 1));
  const known = tournamentBySource(provider, isDoubles ? `${tourney} doubles` : tourney);
  const name = known?.name ?? `${row.tourney_name}${isDoubles ? ' (doubles)' : ''}`;
  const round = ROUNDS[row.round ?? ''];
  const isVoid = score.status === 'abandoned';
  return matchUpdate(provider, file, {
    id: `${row.tourney_id}/${isDoubles ? 'doubles/' : ''}${row.match_num}`,
    sport: 'tennis',
    tournament: { id: isDoubles ? `${tourney} doubles` : tourney, name, country: known?.country ?? 'INT', gender },
    season: { label: row.tourney_id!.slice(0, 4) },
    home: sides[0].participant,
    away: sides[1].participant,
    ...dateOnly(day),
    ...(round && { round_name: round }),
    neutral: true,
    status: 'finished',
    status_detail: score.status,
    ...readResult(score, sides, isVoid ? undefined : sets),
    ...readStatistics(row, sides),
  });
}

function readSide(row: Row, who: 'winner' | 'loser', isDoubles: boolean): MatchInput['home'] | undefined {
  if (!isDoubles) {
    const id = row[`${who}_id`];
    const name = row[`${who}_name`];
    if (!id || !name) return undefined;
    const country = parseCountry(row[`${who}_ioc`] ?? '');
    return { id, type: 'player', name, ...(country && { country }) };
  }
  const players = [1, 2].map((number) => ({ id: row[`${who}${number}_id`], name: row[`${who}${number}_name`] }));
  if (players.some(({ id, name }) => !id || !name)) return undefined;
  // A pair is the same whichever player comes first.
  players.sort((a, b) => (a.id! < b.id! ? -1 : 1));
  return { id: players.map(({ id }) => id).join('/'), type: 'team', name: players.map(({ name }) => name).join(' / ') };
}

/** Returns the score in sets, the games in each set, and how the sets ended. */
function readResult(
  { status, sets }: TennisScore,
  [home]: readonly [Side, Side],
  total: { winner: number; loser: number } | undefined,
) {
  const asSides = ({ winner, loser }: { winner: number; loser: number }) =>
    home.won ? { home: winner, away: loser } : { home: loser, away: winner };
  if (total === undefined) return {};
  const won = { home: 0, away: 0 };
  const incidents = sets.flatMap((set) => {
    const games = asSides(set);
    const side = games.home > games.away ? ('home' as const) : ('away' as const);
    won[side] += 1;
    const payload = { games, ...(set.tieBreak && { tie_break: asSides(set.tieBreak) }), score: { ...won } };
    return games.home === games.away ? [] : [{ kind: 'set_end', side, payload }];
  });
  return {
    score: asSides(total),
    period_scores: sets.map((set, index) => ({ period: `S${index + 1}`, ...asSides(set) })),
    // If sets were awarded without play, the incidents would not add up to the score, so they are left out.
    ...(status === 'ended' && { incidents: incidents.map((one, index) => ({ ...one, period: `S${index + 1}` })) }),
  };
}

function readStatistics(row: Row, [home]: readonly [Side, Side]) {
  const statistics = STATISTICS.map(([name, column]) => {
    const [won, lost] = [integer(row[`w_${column}`]), integer(row[`l_${column}`])];
    return home.won ? count('ALL', name, won, lost) : count('ALL', name, lost, won);
  }).filter(present);
  return statistics.length > 0 ? { statistics } : {};
}
