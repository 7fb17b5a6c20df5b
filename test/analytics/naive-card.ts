/**
 * Recomputes the pre-match analytics from the API's matches. It was written only from the spec and the contract, with
 * integers instead of doubles, loops instead of queries, and the textbook Poisson distribution.
 */
import type { PlayedMatch } from '../../src/analytics/samples/match-samples.ts';
import { exactTail } from './naive-trends.ts';

/** A match, as `GET /v1/events` lists it. */
export interface Listed {
  id: number;
  scheduled_start: string;
  status: string;
  tournament_id: number;
  season_id: number;
  participants: { participant_id: number; side: string; name: string; score: number | null }[];
}

export interface Naive extends PlayedMatch {
  day: string;
  tournament: number;
  season: number;
}

/** Converts a match in a league without shoot-outs, in which the score decides the result. */
export function naiveOf(listed: Listed): Naive {
  const [home, away] = ['home', 'away'].map((side) => listed.participants.find((one) => one.side === side)!);
  const [h, a] = [home!.score!, away!.score!];
  return {
    id: listed.id,
    start: Date.parse(listed.scheduled_start) / 1000,
    day: listed.scheduled_start.slice(0, 10),
    tournament: listed.tournament_id,
    season: listed.season_id,
    home_id: home!.participant_id,
    away_id: away!.participant_id,
    home_score: h,
    away_score: a,
    winner: h > a ? 'home' : h < a ? 'away' : 'draw',
  };
}

/** Divides integers, and rounds half away from zero. */
export const quotient = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.floor((part * 200 + whole) / (2 * whole)) / 100;
const percent = (part: number, whole: number) => quotient(part * 100, whole);

export const newest = <M extends Naive>(matches: readonly M[]): M[] =>
  [...matches].sort((a, b) => (a.start === b.start ? b.id - a.id : b.start - a.start));

/**
 * Computes a form block.
 * @param matches newest first
 */
export function naiveForm(matches: readonly Naive[], side: number) {
  const seen = matches.map((m) =>
    m.home_id === side ? { f: m.home_score, a: m.away_score } : { f: m.away_score, a: m.home_score },
  );
  let [w, d, l, f, a, over1, over2, over3, both, clean, failed] = Array(11).fill(0) as number[];
  let form = '';
  for (const one of seen) {
    const letter = one.f > one.a ? 'W' : one.f < one.a ? 'L' : 'D';
    if (letter === 'W') w!++;
    if (letter === 'D') d!++;
    if (letter === 'L') l!++;
    if (form.length < 10) form += letter;
    f! += one.f;
    a! += one.a;
    if (one.f + one.a >= 2) over1!++;
    if (one.f + one.a >= 3) over2!++;
    if (one.f + one.a >= 4) over3!++;
    if (one.f * one.a > 0) both!++;
    if (one.a === 0) clean!++;
    if (one.f === 0) failed!++;
  }
  const n = seen.length;
  return {
    matches: n,
    w,
    d,
    l,
    ppg: quotient(3 * w! + d!, n),
    gf_avg: quotient(f!, n),
    ga_avg: quotient(a!, n),
    goals_avg: quotient(f! + a!, n),
    win_pct: percent(w!, n),
    draw_pct: percent(d!, n),
    loss_pct: percent(l!, n),
    over_1_5: percent(over1!, n),
    over_2_5: percent(over2!, n),
    over_3_5: percent(over3!, n),
    btts: percent(both!, n),
    clean_sheet: percent(clean!, n),
    failed_to_score: percent(failed!, n),
    ...naiveStreaks(seen),
    form,
  };
}

function naiveStreaks(seen: readonly { f: number; a: number }[]) {
  const result = {
    streak: null as { type: string; len: number } | null,
    unbeaten_run: 0,
    scoring_run: 0,
    cleansheet_run: 0,
  };
  const typeOf = ({ f, a }: { f: number; a: number }) => (f > a ? 'win' : f < a ? 'loss' : 'draw');
  const run = (holds: (one: { f: number; a: number }) => boolean) => {
    let length = 0;
    for (const one of seen) {
      if (!holds(one)) break;
      length++;
    }
    return length;
  };
  if (seen.length > 0) {
    const type = typeOf(seen[0]!);
    result.streak = { type, len: run((one) => typeOf(one) === type) };
  }
  result.unbeaten_run = run((one) => one.f >= one.a);
  result.scoring_run = run((one) => one.f > 0);
  result.cleansheet_run = run((one) => one.a === 0);
  return result;
}

export function naiveMeetings(matches: readonly Naive[], a: number) {
  const n = matches.length;
  const wins = (id: number) =>
    matches.filter((m) => (m.home_id === id ? m.home_score > m.away_score : m.away_score > m.home_score)).length;
  const b = n === 0 ? 0 : matches[0]!.home_id === a ? matches[0]!.away_id : matches[0]!.home_id;
  const goals = matches.reduce((sum, m) => sum + m.home_score + m.away_score, 0);
  return {
    matches: n,
    team_a_wins: wins(a),
    draws: matches.filter((m) => m.home_score === m.away_score).length,
    team_b_wins: n === 0 ? 0 : wins(b),
    goals_avg: quotient(goals, n),
    over_2_5: percent(matches.filter((m) => m.home_score + m.away_score >= 3).length, n),
    btts: percent(matches.filter((m) => m.home_score > 0 && m.away_score > 0).length, n),
    recent: matches.slice(0, 10).map((m) => ({
      date: m.day,
      score: `${m.home_score}:${m.away_score}`,
      home: m.home_id === a ? 'team_a' : 'team_b',
    })),
  };
}

/**
 * Ranks by points, then goal difference, then goals.
 * @param sides the season's sides, including those without a match
 * @returns the places that the side may have, and its row
 */
export function naivePlace(matches: readonly Naive[], side: number, sides: readonly number[]) {
  const rows = new Map(sides.map((id) => [id, { played: 0, points: 0, f: 0, a: 0 }]));
  const add = (id: number, f: number, a: number) => {
    const row = rows.get(id)!;
    rows.set(id, {
      played: row.played + 1,
      points: row.points + (f > a ? 3 : f === a ? 1 : 0),
      f: row.f + f,
      a: row.a + a,
    });
  };
  for (const m of matches) {
    add(m.home_id, m.home_score, m.away_score);
    add(m.away_id, m.away_score, m.home_score);
  }
  const own = rows.get(side)!;
  const key = (row: typeof own) => row.points * 1e6 + (row.f - row.a) * 1e3 + row.f;
  const others = [...rows].filter(([id]) => id !== side).map(([, row]) => key(row));
  return {
    first: 1 + others.filter((other) => other > key(own)).length,
    last: 1 + others.filter((other) => other >= key(own)).length,
    row: { played: own.played, points: own.points, goals_for: own.f, goals_against: own.a },
  };
}

/** Returns probabilities between 0 and 1; null without a model. */
export function naiveModel(league: readonly Naive[], home: number, away: number) {
  const mean = (matches: readonly Naive[], side: 'home_score' | 'away_score') =>
    matches.reduce((sum, m) => sum + m[side], 0) / matches.length;
  const own = league.filter((m) => m.home_id === home);
  const other = league.filter((m) => m.away_id === away);
  if (own.length < 4 || other.length < 4) return null;
  const averages = { home: mean(league, 'home_score'), away: mean(league, 'away_score') };
  if (averages.home === 0 || averages.away === 0) return null;
  const strengths = {
    home: { attack: mean(own, 'home_score') / averages.home, defence: mean(own, 'away_score') / averages.away },
    away: { attack: mean(other, 'away_score') / averages.away, defence: mean(other, 'home_score') / averages.home },
  };
  const expected = {
    home: strengths.home.attack * strengths.away.defence * averages.home,
    away: strengths.away.attack * strengths.home.defence * averages.away,
  };
  const days = league.map(({ day }) => day).sort();
  return {
    averages,
    strengths,
    expected,
    ...naiveProbabilities(expected.home, expected.away),
    sample: {
      from: days[0]!,
      to: days.at(-1)!,
      league_matches: league.length,
      home_matches: own.length,
      away_matches: other.length,
    },
    ids: { home: newest(own).map(({ id }) => id), away: newest(other).map(({ id }) => id) },
  };
}

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
const poisson = (k: number, mean: number) => (Math.exp(-mean) * mean ** k) / factorial(k);

/** Computes the sums over the score matrix, and the most likely scores. */
export function naiveProbabilities(home: number, away: number) {
  let size = 10;
  let cells: { i: number; j: number; p: number }[] = [];
  const total = (holds: (i: number, j: number) => boolean) =>
    cells.reduce((sum, { i, j, p }) => (holds(i, j) ? sum + p : sum), 0);
  do {
    cells = [];
    for (let i = 0; i <= size; i++)
      for (let j = 0; j <= size; j++) cells.push({ i, j, p: poisson(i, home) * poisson(j, away) });
    size++;
  } while (total(() => true) < 0.999999);
  const likely = [...cells]
    .sort((a, b) => Number((b.p - a.p).toFixed(14)) || a.i + a.j - b.i - b.j || a.i - b.i)
    .slice(0, 5)
    .map(({ i, j, p }) => ({ score: `${i}:${j}`, p }));
  return {
    probabilities: {
      home_win: total((i, j) => i > j),
      draw: total((i, j) => i === j),
      away_win: total((i, j) => i < j),
      over_1_5: total((i, j) => i + j > 1),
      over_2_5: total((i, j) => i + j > 2),
      over_3_5: total((i, j) => i + j > 3),
      under_2_5: total((i, j) => i + j < 3),
      btts: total((i, j) => i > 0 && j > 0),
    },
    noBtts: total((i, j) => i === 0 || j === 0),
    likely,
  };
}

const SELECTIONS: [market: string, selection: string, names: [market: string, choice: string]][] = [
  ['1x2', 'home', ['1x2', '1']],
  ['1x2', 'draw', ['1x2', 'X']],
  ['1x2', 'away', ['1x2', '2']],
  ['over_under_2.5', 'over', ['Over/Under 2.5', 'Over']],
  ['over_under_2.5', 'under', ['Over/Under 2.5', 'Under']],
  ['btts', 'yes', ['Both teams to score', 'Yes']],
  ['btts', 'no', ['Both teams to score', 'No']],
];
export const PRICED = SELECTIONS.map(([, , names]) => names);

/**
 * Computes value bets, largest edge first.
 * @param odds as in the match's card
 */
export function naiveBets(
  { probabilities: p, noBtts }: ReturnType<typeof naiveProbabilities>,
  odds: readonly { market_name: string; choice_name: string; decimal_value: number }[],
) {
  const of = [p.home_win, p.draw, p.away_win, p.over_2_5, p.under_2_5, p.btts, noBtts];
  return SELECTIONS.flatMap(([market, selection, [name, choice]], index) => {
    const prices = odds.filter((one) => one.market_name === name && one.choice_name === choice);
    if (prices.length === 0) return [];
    const best = Math.max(...prices.map(({ decimal_value }) => decimal_value));
    const edge = (best * of[index]! - 1) * 100;
    return edge >= 0.005 ? [{ market, selection, best, fair: 1 / of[index]!, edge }] : [];
  }).sort((a, b) => b.edge - a.edge);
}

const MEETS: Record<string, (f: number, a: number) => boolean> = {
  won: (f, a) => f > a,
  lost: (f, a) => f < a,
  unbeaten: (f, a) => f >= a,
  winless: (f, a) => f <= a,
  over_1_5: (f, a) => f + a > 1,
  over_2_5: (f, a) => f + a > 2,
  over_3_5: (f, a) => f + a > 3,
  under_2_5: (f, a) => f + a < 3,
  btts: (f, a) => f > 0 && a > 0,
  scored: (f) => f > 0,
  scored_two: (f) => f > 1,
  failed_to_score: (f) => f === 0,
  conceded: (_, a) => a > 0,
  conceded_two: (_, a) => a > 1,
  clean_sheet: (_, a) => a === 0,
};

/**
 * Computes how often a condition was true, its base rate in the league, and the probability that chance alone gives
 * such a count.
 */
export function naiveTrend(condition: string, matches: readonly Naive[], side: number, league: readonly Naive[]) {
  const meets = MEETS[condition]!;
  const count = matches.filter((m) =>
    m.home_id === side ? meets(m.home_score, m.away_score) : meets(m.away_score, m.home_score),
  ).length;
  const atHome = league.filter((m) => meets(m.home_score, m.away_score)).length;
  const away = league.filter((m) => meets(m.away_score, m.home_score)).length;
  const up = matches.reduce((sum, m) => sum + (m.home_id === side ? atHome : away), 0);
  const down = matches.length * league.length;
  return { count, rate: up / down, tail: exactTail(count, matches.length, BigInt(up), BigInt(down)) };
}
