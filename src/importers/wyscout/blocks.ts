/** Reads card blocks from the Wyscout tables. */

import { count, present, type Statistic, type StatisticName } from '../../providers/index.ts';
import type { IncidentInput, MatchInput } from '../../wire/feed-update.ts';
import { decimal, integer, type Row } from '../csv.ts';
import type { WyscoutTables } from './tables.ts';

type Block<B extends keyof MatchInput> = NonNullable<MatchInput[B]>;

/** Maps Wyscout's period to our period, the minute after which it begins, and its last regular minute. */
const PERIODS: Record<string, { period: string; from: number; to: number }> = {
  '1H': { period: '1H', from: 0, to: 45 },
  '2H': { period: '2H', from: 45, to: 90 },
  E1: { period: 'ET', from: 90, to: 105 },
  E2: { period: 'ET', from: 105, to: 120 },
  P: { period: 'PEN', from: 120, to: 120 },
};

/** Returns the minute for a row's second. The first period begins at 0:00; time after a period's end is added time. */
function when(row: Row) {
  const { period, from, to } = PERIODS[row.period ?? ''] ?? { period: null, from: 0, to: 0 };
  if (period === null || period === 'PEN') return { minute: null, minute_plus: null, period };
  const minute = from + Math.floor((decimal(row.second) ?? 0) / 60) + 1;
  return minute > to ? { minute: to, minute_plus: minute - to, period } : { minute, minute_plus: null, period };
}

const sideOf = (row: Row): 'home' | 'away' => (row.side === 'home' ? 'home' : 'away');

const CARDS: Record<string, string> = { yellow: 'yellow', second_yellow: 'second_yellow', red: 'red' };

/** Returns goals with the score after each, cards, and shoot-out kicks. Missed kicks come from the shots. */
export function wyscoutIncidents(rows: readonly Row[], shots: readonly Row[], tables: WyscoutTables): IncidentInput[] {
  const score = { home: 0, away: 0 };
  const incidents = rows.flatMap((row): IncidentInput[] => {
    const player = tables.player(row.player_id);
    const own = row.kind === 'own_goal';
    const side = own ? (sideOf(row) === 'home' ? 'away' : 'home') : sideOf(row);
    const base = { ...when(row), side, ...(player && { player }) };
    if (row.period === 'P') return [];
    if (row.kind === 'goal' || own) {
      score[side]++;
      const goal_type = own ? 'own_goal' : row.detail === 'penalty' ? 'penalty' : 'regular';
      return [{ ...base, kind: 'goal', payload: { goal_type, score: { ...score } } }];
    }
    const card_type = CARDS[row.kind ?? ''];
    return card_type
      ? [{ ...base, kind: 'card', payload: { card_type, ...(row.detail && { reason: row.detail }) } }]
      : [];
  });
  return [...incidents, ...readShootout(shots, tables)];
}

function readShootout(shots: readonly Row[], tables: WyscoutTables): IncidentInput[] {
  const score = { home: 0, away: 0 };
  return shots
    .filter((row) => row.period === 'P')
    .sort((a, b) => (decimal(a.second) ?? 0) - (decimal(b.second) ?? 0))
    .map((row, index) => {
      const player = tables.player(row.player_id);
      const scored = row.is_goal === '1';
      if (scored) score[sideOf(row)]++;
      return {
        ...when(row),
        kind: 'penalty_shootout',
        side: sideOf(row),
        ...(player && { player }),
        payload: { scored, order: index + 1, score: { ...score } },
      };
    });
}

/** The source's minutes continue after a half ends, so 94 is 90+4 in a match without extra time. */
export function readSubstitutions(rows: readonly Row[], extraTime: boolean, tables: WyscoutTables): IncidentInput[] {
  return rows.flatMap((row): IncidentInput[] => {
    const minute = integer(row.minute);
    const player = tables.player(row.player_in);
    const out = tables.player(row.player_out);
    if (minute === undefined || (!player && !out)) return [];
    const last = extraTime ? 120 : 90;
    return [
      {
        minute: Math.min(minute, last),
        minute_plus: minute > last ? minute - last : null,
        period: minute <= 45 ? '1H' : minute <= 90 || !extraTime ? '2H' : 'ET',
        kind: 'subst',
        side: sideOf(row),
        ...(player && { player }),
        payload: { player_in: player?.name ?? null, player_out: out?.name ?? null },
      },
    ];
  });
}

export function readLineups(rows: readonly Row[], tables: WyscoutTables): Block<'lineups'> {
  return rows.flatMap((row) => {
    const player = tables.player(row.player_id);
    const position = tables.of('players', row.player_id ?? '')[0]?.position || null;
    return player ? [{ side: sideOf(row), player, position, is_substitute: row.is_substitute === '1' }] : [];
  });
}

const BODY_PARTS: Record<string, string> = { head: 'head', left: 'left_foot', right: 'right_foot' };

/** Parses a coordinate in percent of the pitch. The side attacks from left to right. */
function coordinate(cell: string | undefined): number | null {
  const value = decimal(cell);
  return value === undefined ? null : Math.min(100, Math.max(0, value));
}

export function readShotmap(rows: readonly Row[], tables: WyscoutTables): Block<'shotmap'> {
  return rows.flatMap((row) => {
    const player = tables.player(row.player_id);
    if (!player || row.period === 'P') return [];
    const { minute } = when(row);
    return [
      {
        player,
        side: sideOf(row),
        minute,
        xg: null,
        shotType:
          row.is_goal === '1' ? 'goal' : row.blocked === '1' ? 'block' : row.on_target === '1' ? 'save' : 'miss',
        situation: readSituation(row),
        bodyPart: BODY_PARTS[row.body_part ?? ''] ?? null,
        x: coordinate(row.x),
        y: coordinate(row.y),
      },
    ];
  });
}

function readSituation(row: Row): string {
  if (row.kind === 'penalty' || row.kind === 'free_kick') return row.kind;
  return row.counter_attack === '1' ? 'fast_break' : 'regular';
}

const TEAM_FIGURES: readonly (readonly [StatisticName, string])[] = [
  ['Total shots', 'shots'],
  ['Shots on target', 'shots_on_target'],
  ['Blocked shots', 'blocked'],
  ['Corner kicks', 'corners'],
  ['Offsides', 'offsides'],
  ['Passes', 'passes'],
  ['Accurate passes', 'passes_accurate'],
  ['Key passes', 'key_passes'],
  ['Crosses', 'crosses'],
  ['Accurate crosses', 'crosses_accurate'],
  ['Throw-ins', 'throw_ins'],
  ['Duels', 'duels'],
  ['Duels won', 'duels_won'],
  ['Tackles', 'tackles'],
  ['Interceptions', 'interceptions'],
  ['Clearances', 'clearances'],
  ['Goalkeeper saves', 'saves'],
  ['Goal kicks', 'goal_kicks'],
  ['Fouls', 'fouls'],
  ['Yellow cards', 'yellow_cards'],
  ['Red cards', 'red_cards'],
];

/** Returns statistics for the whole match and for each period. Both halves of extra time are one period. */
export function readStatistics(rows: readonly Row[]): Statistic[] {
  const totals = new Map<string, number>();
  const periods = new Set<string>();
  for (const row of rows) {
    const period = PERIODS[row.period ?? '']?.period;
    if (!period || period === 'PEN') continue;
    periods.add(period);
    for (const [, column] of TEAM_FIGURES) {
      const value = integer(row[column]) ?? 0;
      for (const part of ['ALL', period]) {
        const key = `${part}|${row.side}|${column}`;
        totals.set(key, (totals.get(key) ?? 0) + value);
      }
    }
  }
  if (periods.size === 0) return [];
  return ['ALL', ...['1H', '2H', 'ET'].filter((period) => periods.has(period))].flatMap((period) =>
    TEAM_FIGURES.map(([name, column]) =>
      count(period, name, totals.get(`${period}|home|${column}`), totals.get(`${period}|away|${column}`)),
    ).filter(present),
  );
}

const PLAYER_FIGURES = [
  'touches',
  'passes',
  'passes_accurate',
  'key_passes',
  'assists',
  'shots',
  'shots_on_target',
  'goals',
  'duels',
  'duels_won',
  'tackles',
  'interceptions',
  'fouls',
  'saves',
];

export function readPlayerStats(rows: readonly Row[], tables: WyscoutTables): Block<'player_stats'> {
  return rows.flatMap((row) => {
    const player = tables.player(row.player_id);
    if (!player) return [];
    const stats = Object.fromEntries(
      PLAYER_FIGURES.flatMap((figure) => {
        const value = integer(row[figure]);
        return value === undefined ? [] : [[figure, value] as const];
      }),
    );
    return [{ player, side: sideOf(row), position: tables.of('players', player.id)[0]?.position || null, stats }];
  });
}

export function readPositions(rows: readonly Row[], tables: WyscoutTables): Block<'average_positions'> {
  const positions: Block<'average_positions'> = { home: [], away: [] };
  for (const row of rows) {
    const [x, y] = [coordinate(row.avg_x), coordinate(row.avg_y)];
    const player = tables.player(row.player_id);
    if (player && x !== null && y !== null) positions[sideOf(row)].push({ player_name: player.name, x, y });
  }
  return positions;
}
