/** Reads incidents from the Fjelstul World Cup Database. */
import type { IncidentInput } from '../../wire/feed-update.ts';
import { grouped } from '../../wire/grouped.ts';
import { integer, type Row } from '../csv.ts';
import { sideOf, type Tables } from './tables.ts';

const PERIODS = ['1H', '2H', 'ET', 'PEN'];

/** Added time belongs to the period before it. */
function parsePeriod(matchPeriod: string | undefined): string {
  if (/^first/u.test(matchPeriod ?? '')) return '1H';
  return /^second/u.test(matchPeriod ?? '') ? '2H' : 'ET';
}

function when(row: Row) {
  const plus = integer(row.minute_stoppage);
  return {
    minute: integer(row.minute_regulation) ?? null,
    minute_plus: plus === undefined || plus === 0 ? null : plus,
    period: parsePeriod(row.match_period),
  };
}

/** Compares by period, minute and added minute. Incidents in the same minute stay in table order. */
export function byMatchOrder(a: IncidentInput, b: IncidentInput): number {
  const period = PERIODS.indexOf(a.period ?? '') - PERIODS.indexOf(b.period ?? '');
  return period || (a.minute ?? 0) - (b.minute ?? 0) || (a.minute_plus ?? 0) - (b.minute_plus ?? 0);
}

/** Returns goals, each with the score after it. `side` is the side for which a goal counts, even an own goal. */
export function goalsWithScore(rows: readonly Row[], tables: Tables): IncidentInput[] {
  const score = { home: 0, away: 0 };
  return rows
    .map((row) => ({
      row,
      incident: { id: row.goal_id!, ...when(row), kind: 'goal', side: sideOf(row), player: tables.player(row) },
    }))
    .sort((a, b) => byMatchOrder(a.incident, b.incident))
    .map(({ row, incident }) => {
      score[incident.side]++;
      const goal_type = row.own_goal === '1' ? 'own_goal' : row.penalty === '1' ? 'penalty' : 'regular';
      return { ...incident, payload: { goal_type, score: { ...score } } };
    });
}

export function cardIncident(row: Row, tables: Tables): IncidentInput {
  const card_type = row.second_yellow_card === '1' ? 'second_yellow' : row.red_card === '1' ? 'red' : 'yellow';
  return {
    id: row.booking_id!,
    ...when(row),
    kind: 'card',
    side: sideOf(row),
    player: tables.player(row),
    payload: { card_type },
  };
}

/**
 * Returns the substitutions. In the tables, a player who goes off and one who comes on have a row each. These rows are
 * paired in order, for each minute and side.
 */
export function substitutionIncidents(rows: readonly Row[], tables: Tables): IncidentInput[] {
  const moment = (row: Row) => `${row.team_id}|${row.minute_regulation}|${row.minute_stoppage}|${row.match_period}`;
  const off = new Map<string, Row[]>(
    grouped(
      rows.filter((row) => row.going_off === '1'),
      moment,
    ),
  );
  return rows
    .filter((row) => row.coming_on === '1')
    .map((row) => {
      const player = tables.player(row);
      const out = off.get(moment(row))?.shift();
      return {
        id: row.substitution_id!,
        ...when(row),
        kind: 'subst',
        side: sideOf(row),
        player,
        payload: { player_in: player.name, player_out: out ? tables.player(out).name : null },
      };
    });
}

/**
 * Returns shoot-out kicks. The tables list each side's kicks together, and do not say which side began. Therefore
 * `order` is counted for each side by itself, and the running score is missing.
 */
export function shootoutIncidents(rows: readonly Row[], tables: Tables): IncidentInput[] {
  const kicks = { home: 0, away: 0 };
  const numbered = rows.map((row) => {
    const side = sideOf(row);
    kicks[side]++;
    return { row, side, order: kicks[side] };
  });
  return numbered
    .sort((a, b) => a.order - b.order)
    .map(({ row, side, order }) => ({
      id: row.penalty_kick_id!,
      minute: null,
      minute_plus: null,
      period: 'PEN',
      kind: 'penalty_shootout',
      side,
      player: tables.player(row),
      payload: { scored: row.converted === '1', order },
    }));
}
