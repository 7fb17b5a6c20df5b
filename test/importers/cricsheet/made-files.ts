/** Writes small files in Cricsheet's format for tests. All matches and players are invented. */

const NORTH = [
  'N One',
  'N Two',
  'N Three',
  'N Four',
  'N Five',
  'N Six',
  'N Seven',
  'N Eight',
  'N Nine',
  'N Ten',
  'N Eleven',
];
const SOUTH = [
  'S One',
  'S Two',
  'S Three',
  'S Four',
  'S Five',
  'S Six',
  'S Seven',
  'S Eight',
  'S Nine',
  'S Ten',
  'S Eleven',
];
export const TEAMS = { North: NORTH, South: SOUTH };

/** A delivery. @param runs off the bat */
export const ball = (runs: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  batter: 'N One',
  bowler: 'S Eleven',
  non_striker: 'N Two',
  runs: { batter: runs, extras: 0, total: runs },
  ...more,
});
export const extra = (kind: 'wides' | 'noballs' | 'byes' | 'legbyes' | 'penalty', runs: number, bat = 0) =>
  ball(bat, { extras: { [kind]: runs }, runs: { batter: bat, extras: runs, total: bat + runs } });
export const out = (kind: string, player_out = 'N One', more: Record<string, unknown> = {}) =>
  ball(0, { wickets: [{ kind, player_out, ...more }] });

/** The same delivery with the southern side batting. */
export const south = (delivery: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(delivery).replace(
      /"([NS]) (\w+)"/gu,
      (_, side: string, name: string) => `"${side === 'N' ? 'S' : 'N'} ${name}"`,
    ),
  );

export const over = (number: number, deliveries: object[]) => ({ over: number, deliveries });
/** Overs in which each ball gives as many runs. */
export const overs = (count: number, runs: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    over(
      from + index,
      Array.from({ length: 6 }, () => ball(runs)),
    ),
  );
export const southOvers = (count: number, runs: number) =>
  overs(count, runs).map(({ over: number, deliveries }) =>
    over(
      number,
      deliveries.map((one) => south(one as Record<string, unknown>)),
    ),
  );

/** A whole file. @param info members that differ */
export const file = (info: Record<string, unknown>, innings: object[]): string =>
  JSON.stringify({
    meta: { data_version: '1.1.0', created: '2026-01-01', revision: 1 },
    info: {
      balls_per_over: 6,
      dates: ['2025-03-01'],
      event: { name: 'Made-up League', match_number: 1 },
      gender: 'male',
      match_type: 'T20',
      outcome: { winner: 'North', by: { runs: 1 } },
      overs: 20,
      players: TEAMS,
      registry: { people: Object.fromEntries([...NORTH, ...SOUTH].map((name) => [name, `id-${name}`])) },
      season: '2025',
      team_type: 'club',
      teams: ['North', 'South'],
      toss: { decision: 'bat', winner: 'North' },
      venue: 'Made-up Ground',
      ...info,
    },
    innings,
  });
