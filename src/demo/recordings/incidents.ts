/**
 * Incidents and scores of a recording up to a moment. Ids come from the recording, so that an incident keeps its id.
 */
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { parseMinute, playerRef, type Recording, type Side, type TimelineEntry } from './recording.ts';
import type { PlayedPeriod, Timetable } from './timetable.ts';

type FeedIncident = NonNullable<MatchUpdateInput['match']['incidents']>[number];
type Score = { home: number; away: number };
type PlacedEntry = Timetable['entries'][number];

const other = (side: Side): Side => (side === 'home' ? 'away' : 'home');
const add = (score: Score, side: Side): Score => ({ ...score, [side]: score[side] + 1 });
const isScoredKick = (entry: TimelineEntry) => entry.kind === 'kick' && entry.outcome === 'scored';

/** Goals up to a moment; shoot-out kicks never count. */
export const scoreAt = (table: Timetable, at: number): Score =>
  sum(table.entries.filter((one) => one.at <= at && one.entry.kind === 'goal'));

function sum(entries: PlacedEntry[]): Score {
  return entries.reduce<Score>((score, { entry }) => ('side' in entry && entry.side ? add(score, entry.side) : score), {
    home: 0,
    away: 0,
  });
}

/** Scores of the periods that have begun; both parts of extra time are one period, a shoot-out has its scored kicks. */
export function periodScoresAt(table: Timetable, at: number): { period: string; home: number; away: number }[] {
  const begun = [...new Set(table.periods.filter((period) => period.start <= at).map((period) => period.period))];
  return begun.map((name) => ({
    period: name,
    ...sum(
      table.entries.filter(
        ({ at: when, entry, period }) =>
          when <= at && period.period === name && (name === 'PEN' ? isScoredKick(entry) : entry.kind === 'goal'),
      ),
    ),
  }));
}

/** Incidents in playing order, including the whistles. */
export function incidentsAt(recording: Recording, table: Timetable, at: number): FeedIncident[] {
  const placed = table.entries
    .filter((one) => one.at <= at)
    .flatMap((one) => toIncident(recording, table, one).map((incident) => ({ at: one.at, incident })));
  for (const period of table.periods) {
    if (period.start <= at)
      placed.push({ at: period.start, incident: whistle(period, 'period_start', period.from, {}) });
    if (period.end <= at) {
      const payload = { score: scoreAt(table, period.end) };
      placed.push({ at: period.end, incident: whistle(period, 'period_end', period.to, payload) });
    }
  }
  return placed.sort((a, b) => a.at - b.at).map(({ incident }) => incident);
}

const whistle = (
  period: PlayedPeriod,
  kind: string,
  minute: number,
  payload: Record<string, unknown>,
): FeedIncident => ({
  id: `p${period.index + 1}-${kind}`,
  minute,
  period: period.period,
  kind,
  payload,
});

/** A shot or a line of commentary is not an incident. */
function toIncident(recording: Recording, table: Timetable, placed: PlacedEntry): FeedIncident[] {
  const { entry, period, id } = placed;
  const { minute, plus, kick } = parseMinute(entry.at);
  const where = {
    id,
    minute: kick === null ? minute : period.to,
    minute_plus: plus,
    period: period.period,
    side: ('side' in entry ? entry.side : undefined) ?? null,
  };
  switch (entry.kind) {
    case 'goal': {
      const scorer = entry.type === 'own_goal' ? other(entry.side) : entry.side;
      return [
        {
          ...where,
          kind: 'goal',
          player: playerRef(recording, scorer, entry.player),
          ...(entry.assist ? { assist: playerRef(recording, entry.side, entry.assist) } : {}),
          payload: { goal_type: entry.type, score: scoreAt(table, placed.at) },
        },
      ];
    }
    case 'shot':
      if (entry.situation !== 'penalty') return [];
      return [
        {
          ...where,
          kind: 'penalty',
          player: playerRef(recording, entry.side, entry.player),
          payload: { outcome: { save: 'saved', post: 'post', miss: 'missed', block: 'saved' }[entry.outcome] },
        },
      ];
    case 'card':
      return [
        {
          ...where,
          kind: 'card',
          player: playerRef(recording, entry.side, entry.player),
          payload: { card_type: entry.card, ...(entry.reason ? { reason: entry.reason } : {}) },
        },
      ];
    case 'substitution':
      return [
        {
          ...where,
          kind: 'subst',
          player: playerRef(recording, entry.side, entry.in),
          payload: { player_in: entry.in, player_out: entry.out },
        },
      ];
    case 'var':
      return [
        {
          ...where,
          kind: 'var',
          ...(entry.player ? { player: playerRef(recording, entry.side, entry.player) } : {}),
          payload: { decision: entry.decision },
        },
      ];
    case 'added_time':
      return [{ ...where, kind: 'injury_time', payload: { minutes: entry.minutes } }];
    case 'kick':
      return [
        {
          ...where,
          kind: 'penalty_shootout',
          player: playerRef(recording, entry.side, entry.player),
          payload: { scored: entry.outcome === 'scored', order: kick, score: kickScore(table, placed.at) },
        },
      ];
    case 'note':
      return [];
  }
}

const kickScore = (table: Timetable, at: number): Score =>
  sum(table.entries.filter((one) => one.at <= at && isScoredKick(one.entry)));
