/** Statistics of sides and players of a recording up to a moment. */
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { parseMinute, playerRef, type Recording, SIDES, type Side, type TimelineEntry } from './recording.ts';
import type { PlayedPeriod, Timetable } from './timetable.ts';

type Statistic = NonNullable<MatchUpdateInput['match']['statistics']>[number];
type PlayerStats = NonNullable<MatchUpdateInput['match']['player_stats']>[number];
type Counted = { home: number; away: number };

/** A share starts level and reaches its value over the first minutes of the period. */
const SHARE_SETTLES_S = 600;

/**
 * Statistics counted from the timeline: the name, and the amount that an entry adds for its side, or for the other one.
 */
const COUNTED: { group: string; name: string; count: (entry: TimelineEntry) => number; forOther?: boolean }[] = [
  { group: 'Match overview', name: 'Expected goals', count: (entry) => (isShot(entry) ? (entry.xg ?? 0) : 0) },
  { group: 'Match overview', name: 'Total shots', count: (entry) => Number(isShot(entry)) },
  { group: 'Shots', name: 'Shots on target', count: (entry) => Number(isOnTarget(entry)) },
  { group: 'Shots', name: 'Shots off target', count: (entry) => Number(isMissed(entry)) },
  {
    group: 'Shots',
    name: 'Blocked shots',
    count: (entry) => Number(isShot(entry) && entry.kind === 'shot' && entry.outcome === 'block'),
  },
  { group: 'Goalkeeping', name: 'Goalkeeper saves', count: (entry) => Number(isSaved(entry)), forOther: true },
  {
    group: 'Discipline',
    name: 'Yellow cards',
    count: (entry) => Number(entry.kind === 'card' && entry.card !== 'red'),
  },
  {
    group: 'Discipline',
    name: 'Red cards',
    count: (entry) => Number(entry.kind === 'card' && entry.card !== 'yellow'),
  },
];

type Shot = Extract<TimelineEntry, { kind: 'goal' | 'shot' }>;
const isShot = (entry: TimelineEntry): entry is Shot =>
  entry.kind === 'shot' || (entry.kind === 'goal' && entry.type !== 'own_goal');
const isSaved = (entry: TimelineEntry) => entry.kind === 'shot' && entry.outcome === 'save';
const isMissed = (entry: TimelineEntry) =>
  entry.kind === 'shot' && (entry.outcome === 'miss' || entry.outcome === 'post');
const isOnTarget = (entry: TimelineEntry) => isShot(entry) && (entry.kind === 'goal' || entry.outcome === 'save');

/** Returns rows for each period that has begun and for the whole match (`ALL` first). */
export function statisticsAt(recording: Recording, table: Timetable, at: number): Statistic[] {
  const begun = [
    ...new Set(table.periods.filter((one) => one.start <= at && one.period !== 'PEN').map((one) => one.period)),
  ];
  return [undefined, ...begun].flatMap((period) => [
    ...shares(recording, table, at, period),
    ...COUNTED.map((figure) => counted(figure, table, at, period)),
    ...totals(recording, table, at, period),
  ]);
}

const row = (
  period: string | undefined,
  group: string,
  name: string,
  value: Counted,
  text: (one: number) => string,
): Statistic => ({
  period: period ?? 'ALL',
  group_name: group,
  stat_name: name,
  home_value: value.home,
  away_value: value.away,
  home_text: text(value.home),
  away_text: text(value.away),
});

function counted(
  figure: (typeof COUNTED)[number],
  table: Timetable,
  at: number,
  period: string | undefined,
): Statistic {
  const value: Counted = { home: 0, away: 0 };
  for (const { at: when, entry, period: played } of table.entries) {
    if (when > at || !('side' in entry) || !entry.side || (period !== undefined && played.period !== period)) continue;
    const side = figure.forOther ? (entry.side === 'home' ? 'away' : 'home') : entry.side;
    value[side] += figure.count(entry);
  }
  const isDecimal = figure.name === 'Expected goals';
  const rounded = { home: Math.round(value.home * 100) / 100, away: Math.round(value.away * 100) / 100 };
  return row(period, figure.group, figure.name, rounded, (one) => (isDecimal ? one.toFixed(2) : String(one)));
}

/** Seconds of play in a period up to a moment. */
const playedIn = (period: PlayedPeriod, at: number) => Math.max(0, Math.min(at, period.end) - period.start);
const playedAs = (table: Timetable, name: string, at: number) =>
  table.periods.filter((one) => one.period === name).reduce((sum, one) => sum + playedIn(one, at), 0);

function totals(recording: Recording, table: Timetable, at: number, period: string | undefined): Statistic[] {
  const names = [...new Set(recording.statistics.filter((one) => one.unit === 'count').map((one) => one.name))];
  return names.map((name) => {
    const rows = recording.statistics.filter(
      (one) => one.name === name && (period === undefined || one.period === period),
    );
    const value: Counted = { home: 0, away: 0 };
    for (const one of rows) {
      const progress = playedAs(table, one.period, at) / playedAs(table, one.period, table.finished);
      for (const side of SIDES) value[side] += Math.floor(one[side] * progress + 1e-9);
    }
    const group = recording.statistics.find((one) => one.name === name)!.group;
    return row(period, group, name, value, String);
  });
}

/** A share of the match is the mean of its periods' shares, weighted by the time played. */
function shares(recording: Recording, table: Timetable, at: number, period: string | undefined): Statistic[] {
  const names = [...new Set(recording.statistics.filter((one) => one.unit === 'percent').map((one) => one.name))];
  return names.flatMap((name) => {
    const rows = recording.statistics.filter(
      (one) => one.name === name && (period === undefined || one.period === period),
    );
    let weight = 0;
    let home = 0;
    for (const one of rows) {
      const seconds = playedAs(table, one.period, at);
      weight += seconds;
      home += seconds * (50 + (one.home - 50) * Math.min(1, seconds / SHARE_SETTLES_S));
    }
    const share = weight === 0 ? 50 : Math.round(home / weight);
    return row(
      period,
      rows[0]?.group ?? 'Match overview',
      name,
      { home: share, away: 100 - share },
      (one) => `${one}%`,
    );
  });
}

/**
 * Returns goals, assists, shots, expected goals and cards of each player who has come on; minutes played once it is
 * over.
 */
export function playerStatsAt(recording: Recording, table: Timetable, at: number): PlayerStats[] {
  return SIDES.flatMap((side) => {
    const sheet = recording.sheets[side];
    const entries = table.entries.filter((one) => one.at <= at && 'side' in one.entry && one.entry.side === side);
    const cameOn = new Set(entries.flatMap(({ entry }) => (entry.kind === 'substitution' ? [entry.in] : [])));
    return [...sheet.eleven, ...sheet.bench.filter(([, , name]) => cameOn.has(name))].map(([, position, name]) => ({
      player: playerRef(recording, side, name),
      side,
      position,
      stats: {
        ...computeFigures(
          name,
          entries.map(({ entry }) => entry),
        ),
        ...(at >= table.finished ? { minutes_played: minutesPlayed(name, recording, table, side) } : {}),
      },
    }));
  });
}

function computeFigures(name: string, entries: TimelineEntry[]): Record<string, number> {
  const own = entries.filter((entry) => 'player' in entry && entry.player === name);
  const shots = own.filter(isShot);
  const figures: Record<string, number> = {
    goals: shots.filter((entry) => entry.kind === 'goal').length,
    assists: entries.filter((entry) => entry.kind === 'goal' && entry.assist === name).length,
    shots: shots.length,
    shots_on_target: shots.filter(isOnTarget).length,
    expected_goals: Math.round(shots.reduce((sum, entry) => sum + (entry.xg ?? 0), 0) * 100) / 100,
  };
  const cards = own.filter((entry) => entry.kind === 'card');
  if (cards.length > 0) {
    figures.yellow_cards = cards.filter((entry) => entry.card !== 'red').length;
    figures.red_cards = cards.filter((entry) => entry.card !== 'yellow').length;
  }
  return figures;
}

/** Match minutes between coming on and going off; added time of a half does not count, as reports have it. */
function minutesPlayed(name: string, recording: Recording, table: Timetable, side: Side): number {
  let on = recording.sheets[side].eleven.some(([, , starter]) => starter === name) ? 0 : null;
  let off = table.periods.filter((period) => period.period !== 'PEN').at(-1)!.to;
  for (const { entry } of table.entries) {
    if (!('side' in entry) || entry.side !== side) continue;
    const { minute } = parseMinute(entry.at);
    if (entry.kind === 'substitution' && entry.in === name) on = minute;
    if (entry.kind === 'substitution' && entry.out === name) off = minute;
    if (entry.kind === 'card' && entry.card !== 'yellow' && entry.player === name) off = minute;
  }
  return on === null ? 0 : Math.max(0, off - on);
}
