/**
 * Net run rate in cricket, by the playing conditions of the ICC: runs per over scored in all matches, less runs per over conceded. A
 * side that is all out is counted with all overs that it could have batted. After a revised target the side that batted first is
 * counted with the runs that the target was based on, one fewer than the target, in the overs that the other side had. Pure.
 */

type Side = 'home' | 'away';

/** An innings as `inningsTotalsSql` selects it. */
export interface InningsTotals {
  period: string;
  batting: Side;
  runs: number;
  /** Overs and balls, such as 17.2. */
  overs: string;
  balls_per_over: number;
  all_out: boolean;
  max_overs: string | null;
  target: { runs: number; overs: string | null; method: string | null } | null;
}

/** Runs and overs of a side, batting and bowling. */
export interface RunRate {
  scored: number;
  faced: number;
  conceded: number;
  bowled: number;
}

/** Returns overs as a number: 17.2 with six balls an over is 17⅓. */
function toOvers(text: string, perOver: number): number {
  const [whole, balls = '0'] = text.split('.');
  return Number(whole) + Number(balls) / perOver;
}

/**
 * Returns what a match adds to the home side's run rate.
 * @returns null if the match was not one innings for each side, because such tables have no run rate
 */
export function runRate(innings: readonly InningsTotals[] | null): RunRate | null {
  const [first, second, third] = (innings ?? []).filter(({ period }) => period.startsWith('I'));
  if (first === undefined || second === undefined || third !== undefined || first.batting === second.batting)
    return null;
  const { target } = second;
  const batted = [countedOvers(first), countedOvers(second)] as const;
  const isRevised = target !== null && target.method !== null;
  const given = isRevised && target.overs !== null ? toOvers(target.overs, second.balls_per_over) : batted[1];
  const [setting, chasing] = [
    isRevised ? { runs: target.runs - 1, overs: given } : { runs: first.runs, overs: batted[0] },
    { runs: second.runs, overs: batted[1] },
  ];
  const [home, away] = first.batting === 'home' ? [setting, chasing] : [chasing, setting];
  return { scored: home.runs, faced: home.overs, conceded: away.runs, bowled: away.overs };
}

function countedOvers({ overs, all_out, max_overs, balls_per_over }: InningsTotals): number {
  return toOvers(all_out && max_overs !== null ? max_overs : overs, balls_per_over);
}

/** Returns the other side's view. */
export const turned = ({ scored, faced, conceded, bowled }: RunRate): RunRate => ({
  scored: conceded,
  faced: bowled,
  conceded: scored,
  bowled: faced,
});

export const addRates = (a: RunRate, b: RunRate): RunRate => ({
  scored: a.scored + b.scored,
  faced: a.faced + b.faced,
  conceded: a.conceded + b.conceded,
  bowled: a.bowled + b.bowled,
});

export const NO_RATE: RunRate = { scored: 0, faced: 0, conceded: 0, bowled: 0 };

/** Returns the net run rate; 0 before the first over, as in official tables. */
export const netRunRate = ({ scored, faced, conceded, bowled }: RunRate): number =>
  (faced === 0 ? 0 : scored / faced) - (bowled === 0 ? 0 : conceded / bowled);

/** The members of InningsTotals. */
const MEMBERS = ['period', 'batting', 'runs', 'overs', 'balls_per_over', 'all_out', 'max_overs', 'target'];

/**
 * SQL for the innings of the match `m`; null for the other sports, and if the innings are not known. Each innings is parsed once for
 * all members, because its batters, bowlers and deliveries are thousands of characters.
 * @param sports slugs
 */
export const inningsTotalsSql = (
  sports: readonly string[],
): string => `CASE WHEN m.sport IN (${sports.map((slug) => `'${slug}'`)}) THEN (
         SELECT json_agg(i)
         FROM match_block b CROSS JOIN json_to_recordset(b.json::json) i (${MEMBERS.map((member) => `${member} json`)})
         WHERE b.match_id = m.id AND b.block = 'innings') END`;
