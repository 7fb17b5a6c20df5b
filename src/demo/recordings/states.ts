/** The whole state of a recorded match at any moment, as the feed update that a provider would have sent then. */
import { FEED_SCHEMA_VERSION, type MatchUpdateInput } from '../../wire/feed-update.ts';
import { playerStatsAt, statisticsAt } from './figures.ts';
import { incidentsAt, periodScoresAt, scoreAt } from './incidents.ts';
import { parseMinute, playerRef, type Recording, type Sheet, SIDES, type Side } from './recording.ts';
import { moments, type PlayedPeriod, type Timetable, timetable } from './timetable.ts';
import { winProbability } from './win-probability.ts';

/** The provider of recorded and generated matches. */
export const DEMO_PROVIDER = 'touchline-demo';
const REGULAR_MINUTES = 90;
const EXTRA_MINUTES = 30;
/** Percentage that a lead of one kick in a shoot-out adds to an even chance; a rough figure, for display only. */
const KICK_AHEAD_PERCENT = 18;

export interface RecordedState {
  /** Seconds since the real kick-off; negative before it. */
  at: number;
  /** The complete state known at that moment, not changes. */
  update: MatchUpdateInput;
}
type Match = MatchUpdateInput['match'];

/**
 * Returns a state for each moment at which something changes, from the fixture's listing to finality; `at` is strictly
 * increasing.
 */
export function recordingStates(recording: Recording): RecordedState[] {
  const table = timetable(recording);
  return moments(table).map((at) => ({ at, update: stateAt(recording, table, at) }));
}

/** Returns the first state of a minute in play, without computing the others; null if the minute is not played. */
export function stateOfMinute(recording: Recording, minute: number): RecordedState | null {
  const table = timetable(recording);
  const at = moments(table).find((moment) => {
    const phase = phaseAt(table, moment);
    return phase.status === 'live' && (phase.minute ?? 0) >= minute;
  });
  return at === undefined ? null : { at, update: stateAt(recording, table, at) };
}

/**
 * Returns only the state after the last whistle, for an import of history.
 * @param isDetailed whether to include statistics, shots, momentum and commentary
 */
export function finalState(recording: Recording, isDetailed = true): MatchUpdateInput {
  const table = timetable(recording);
  return stateAt(recording, table, table.finalized, isDetailed);
}

/** Returns the first state, in which only sides and start are known. */
export function listedState(recording: Recording): RecordedState {
  const table = timetable(recording);
  return { at: table.listed, update: stateAt(recording, table, table.listed) };
}

function stateAt(recording: Recording, table: Timetable, at: number, isDetailed = true): MatchUpdateInput {
  const match: Match = {
    ...head(recording),
    ...phaseAt(table, at),
    finalized: at >= table.finalized,
    lineup_confirmed: at < table.lineups ? null : at >= table.confirmed,
    ...(at >= table.lineups ? teamSheets(recording) : {}),
    win_probability: chancesAt(recording, table, at),
  };
  if (at >= 0) Object.assign(match, playedAt(recording, table, at));
  if (at >= 0 && isDetailed) Object.assign(match, detailsAt(recording, table, at));
  return {
    schema: FEED_SCHEMA_VERSION,
    provider: DEMO_PROVIDER,
    observed_at: new Date(Date.parse(recording.kick_off) + at * 1000).toISOString(),
    kind: 'match',
    match,
  };
}

function head(recording: Recording) {
  const { sport, tournament, season, round_num, round_name, home, away, venue, referee, importance } = recording;
  return {
    id: recording.name,
    sport,
    tournament,
    season,
    home,
    away,
    scheduled_start: recording.kick_off,
    round_num,
    round_name,
    venue,
    referee,
    importance,
  };
}

function playedAt(recording: Recording, table: Timetable, at: number): Partial<Match> {
  const finished = at >= table.finished;
  return {
    score: scoreAt(table, at),
    period_scores: periodScoresAt(table, at),
    incidents: incidentsAt(recording, table, at),
    ...(at >= table.periods[1]!.start && recording.attendance !== null ? { attendance: recording.attendance } : {}),
    ...(finished && recording.best_players.length > 0 ? { best_players: recording.best_players } : {}),
  };
}

const detailsAt = (recording: Recording, table: Timetable, at: number): Partial<Match> => ({
  statistics: statisticsAt(recording, table, at),
  player_stats: playerStatsAt(recording, table, at),
  shotmap: shotsAt(recording, table, at),
  momentum: momentumAt(recording, table, at),
  commentary: commentaryAt(table, at),
});

/** Returns the current period or the last one begun; null before kick-off. */
const periodAt = (table: Timetable, at: number): PlayedPeriod | null =>
  table.periods.findLast((period) => period.start <= at) ?? null;

const minuteIn = (period: PlayedPeriod, at: number): number =>
  period.period === 'PEN' || at >= period.end
    ? period.to
    : Math.min(period.to, period.from + Math.floor((at - period.start) / 60) + 1);

function phaseAt(table: Timetable, at: number): Pick<Match, 'status' | 'status_detail' | 'minute'> {
  const period = periodAt(table, at);
  if (period === null) return { status: 'scheduled', status_detail: 'not_started', minute: null };
  const minute = minuteIn(period, at);
  if (at >= table.finished) {
    const last = table.periods.at(-1)!.period;
    const detail = last === 'PEN' ? 'after_penalties' : last === 'ET' ? 'after_extra_time' : 'ended';
    return { status: 'finished', status_detail: detail, minute: null };
  }
  if (at >= period.end) return { status: 'live', status_detail: 'break', minute };
  const playing = ({ '1H': 'in_play', '2H': 'in_play', ET: 'extra_time', PEN: 'penalties' } as const)[period.period];
  return { status: 'live', status_detail: playing, minute };
}

function teamSheets(recording: Recording): Pick<Match, 'lineups' | 'coaches' | 'missing_players'> {
  const rows = (side: Side, sheet: Sheet, isSubstitute: boolean) =>
    (isSubstitute ? sheet.bench : sheet.eleven).map(([shirt, position, name]) => ({
      side,
      formation: sheet.formation,
      player: playerRef(recording, side, name),
      position,
      shirt_number: String(shirt),
      is_substitute: isSubstitute,
    }));
  return {
    lineups: SIDES.flatMap((side) => [false, true].flatMap((bench) => rows(side, recording.sheets[side], bench))),
    coaches: SIDES.map((side) => ({
      side,
      coach_name: recording.sheets[side].coach,
      coach_name_ru: recording.sheets[side].coach_ru ?? null,
    })),
    missing_players: recording.missing_players,
  };
}

function shotsAt(recording: Recording, table: Timetable, at: number): NonNullable<Match['shotmap']> {
  return table.entries.flatMap(({ at: when, entry }) => {
    if (when > at || (entry.kind !== 'goal' && entry.kind !== 'shot') || isOwnGoal(entry)) return [];
    return {
      player: playerRef(recording, entry.side, entry.player),
      side: entry.side,
      minute: parseMinute(entry.at).minute,
      xg: entry.xg,
      shotType: entry.kind === 'goal' ? 'goal' : entry.outcome,
      situation: entry.situation,
      bodyPart: entry.body,
      x: entry.x,
      y: entry.y,
    };
  });
}
const isOwnGoal = (entry: { kind: string; type?: string }) => entry.kind === 'goal' && entry.type === 'own_goal';

function momentumAt(recording: Recording, table: Timetable, at: number): Match['momentum'] {
  const period = periodAt(table, at)!;
  const minute = Math.min(minuteIn(period, at), recording.momentum.length);
  return { graphPoints: recording.momentum.slice(0, minute).map((value, index) => ({ minute: index + 1, value })) };
}

/** Returns the commentary, newest last; `text` is Russian if available, as in the wire format, `text_en` English. */
function commentaryAt(table: Timetable, at: number): Match['commentary'] {
  return table.entries.flatMap(({ at: when, entry }) => {
    if (when > at || entry.comment === undefined) return [];
    const { minute, kick } = parseMinute(entry.at);
    return {
      minute: kick === null ? minute : table.periods.at(-1)!.to,
      text: entry.comment_ru ?? entry.comment,
      text_en: entry.comment,
      type: entry.kind,
      side: ('side' in entry ? entry.side : undefined) ?? null,
      player_name: ('player' in entry ? entry.player : undefined) ?? null,
    };
  });
}

/**
 * In a knockout the probability of a draw is split evenly between the sides: extra time and kicks favour neither in
 * advance.
 */
function chancesAt(recording: Recording, table: Timetable, at: number): Match['win_probability'] {
  const score = scoreAt(table, at);
  const lead = score.home - score.away;
  const kicks = periodScoresAt(table, at).find((one) => one.period === 'PEN');
  const kickLead = kicks ? kicks.home - kicks.away : 0;
  if (at >= table.finished) {
    const won = Math.sign(lead || kickLead);
    return {
      homeWin: won > 0 ? 100 : 0,
      draw: recording.knockout ? null : won === 0 ? 100 : 0,
      awayWin: won < 0 ? 100 : 0,
    };
  }
  const period = periodAt(table, at);
  const minute = period === null ? 0 : minuteIn(period, at);
  const end = period !== null && period.from >= REGULAR_MINUTES ? REGULAR_MINUTES + EXTRA_MINUTES : REGULAR_MINUTES;
  const share = (end - minute) / REGULAR_MINUTES;
  const chances = winProbability(lead, recording.strengths.home * share, recording.strengths.away * share);
  if (!recording.knockout) return chances;
  const even = 50 + Math.max(-45, Math.min(45, kickLead * KICK_AHEAD_PERCENT));
  const homeWin = Math.round(chances.homeWin * 10 + (chances.draw * even) / 10) / 10;
  return { homeWin, draw: null, awayWin: Math.round((100 - homeWin) * 10) / 10 };
}
