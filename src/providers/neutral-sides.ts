/**
 * Puts the sides in the official order for neutral ground. Sources disagree: 139 of 964 World Cup matches differ
 * between two sources. For these matches, data/identity/sides.csv gives the official order, to which each source is
 * corrected. An unlisted match keeps the given order.
 */
import { identifyParticipant } from '../identity/entity-keys.ts';
import { mergeRows } from '../identity/merges.ts';
import type { IncidentInput, MatchInput, MatchUpdateInput } from '../wire/feed-update.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';
import { isScore, type Side } from './side.ts';

/** A late match in America is on the next day in UTC, but a source without times has the local day. */
const NEAR_DAYS = [0, -1, 1];

let listed: Set<string> | undefined;

/** Returns keys `tournament|day|home|away`, in the official order. */
function officialOrders(): Set<string> {
  listed ??= new Set(mergeRows('sides.csv').map((row) => `${row.tournament}|${row.date}|${row.home}|${row.away}`));
  return listed;
}

/** Returns the update, with the sides swapped if necessary. */
export function turnToOfficialSides(update: MatchUpdateInput): MatchUpdateInput {
  const { match } = update;
  const start = Date.parse(match.scheduled_start ?? '');
  if (Number.isNaN(start)) return update;
  const name = ({ name, country }: MatchInput['home']) =>
    identifyParticipant({ type: 'team', sport: match.sport, name, country }).name;
  const order = `${name(match.away)}|${name(match.home)}`;
  const turned = NEAR_DAYS.some((days) => {
    const day = utcDay(start + days * DAY_MS);
    return officialOrders().has(`${match.tournament.name}|${day}|${order}`);
  });
  return turned ? { ...update, match: swapped(match) } : update;
}

const other = (side: Side): Side => (side === 'home' ? 'away' : 'home');
const swap = <T extends { home: unknown; away: unknown }>(pair: T): T => ({
  ...pair,
  home: pair.away,
  away: pair.home,
});

type Period = NonNullable<MatchInput['period_scores']>[number];

function swapPeriod(period: Period): Period {
  const { innings } = period;
  return { ...swap(period), ...(innings && { innings: { ...innings, batting: other(innings.batting) } }) };
}

function swapped(match: MatchInput): MatchInput {
  const {
    score,
    period_scores,
    shootout_winner,
    winner,
    incidents,
    statistics,
    innings,
    lineups,
    player_stats,
    coaches,
    shotmap,
    average_positions,
    win_probability,
  } = match;
  const turn = <T extends { side?: Side | null | undefined }>(entry: T): T =>
    entry.side ? { ...entry, side: other(entry.side) } : entry;
  return {
    ...match,
    home: match.away,
    away: match.home,
    ...(score && { score: swap(score) }),
    ...(period_scores && { period_scores: period_scores.map(swapPeriod) }),
    ...(shootout_winner && { shootout_winner: other(shootout_winner) }),
    ...(winner && { winner: winner === 'draw' ? winner : other(winner) }),
    ...(incidents && { incidents: incidents.map((incident) => withScore(turn(incident))) }),
    ...(innings && { innings: innings.map((one) => ({ ...one, batting: other(one.batting) })) }),
    ...(lineups && { lineups: lineups.map(turn) }),
    ...(player_stats && { player_stats: player_stats.map(turn) }),
    ...(coaches && { coaches: coaches.map(turn) }),
    ...(shotmap && { shotmap: shotmap.map(turn) }),
    ...(average_positions && { average_positions: swap(average_positions) }),
    ...(win_probability && {
      win_probability: { ...win_probability, homeWin: win_probability.awayWin, awayWin: win_probability.homeWin },
    }),
    ...(statistics && {
      statistics: statistics.map((row) => ({
        ...row,
        home_value: row.away_value,
        away_value: row.home_value,
        home_text: row.away_text,
        away_text: row.home_text,
      })),
    }),
  };
}

function withScore(incident: IncidentInput): IncidentInput {
  const score = incident.payload?.score;
  return isScore(score) ? { ...incident, payload: { ...incident.payload, score: swap(score) } } : incident;
}
