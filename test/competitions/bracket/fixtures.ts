/** Short notation for a season's matches, and for a bracket as lines of text. */
import { type BracketRound, type BracketRules, buildBracket } from '../../../src/competitions/bracket/bracket.ts';
import type { RoundMatch } from '../../../src/competitions/bracket/knockout-rounds.ts';

type Written = Partial<Omit<RoundMatch, 'period_scores'>> & { ET?: Pair; PEN?: Pair; OT?: Pair };
type Pair = readonly [number, number];

export const RULES: BracketRules = {
  sport: 'football',
  isLeague: false,
  isCup: false,
  format: null,
  bestOf: null,
  awayGoals: false,
};

const names: string[] = [];
const sideId = (name: string): number => {
  if (!names.includes(name)) names.push(name);
  return names.indexOf(name) + 1;
};
const nameOf = (id: number | null) => (id === null ? '?' : names[id - 1]!);

let serial = 0;
/** Makes a finished match. Each match is on a different day, unless `over` sets the day. */
export function played(
  round: string | null,
  home: string,
  away: string,
  score: Pair | null,
  over: Written = {},
): RoundMatch {
  const { ET, PEN, OT, ...rest } = over;
  serial += 1;
  const periods = Object.entries({ ET, OT, PEN }).flatMap(([period, pair]) =>
    pair ? [{ period, home: pair[0], away: pair[1] }] : [],
  );
  return {
    id: serial,
    round_name: round,
    group: null,
    home_id: sideId(home),
    away_id: sideId(away),
    start: serial * 86_400,
    status: 'finished',
    status_detail: PEN ? 'after_penalties' : ET ? 'after_extra_time' : 'ended',
    home_score: score?.[0] ?? null,
    away_score: score?.[1] ?? null,
    period_scores: periods,
    ...rest,
  };
}
export const scheduled = (round: string, home: string, away: string, over: Written = {}): RoundMatch =>
  played(round, home, away, null, { status: 'scheduled', status_detail: 'not_started', ...over });

/**
 * Formats each tie as `Final: A-B 1:0 A (1:0)`, with both sides, score, winner and result. `-` means unknown, and `…`
 * not finished.
 */
function lines(rounds: readonly BracketRound[]): string[] {
  return rounds.map(({ round, matchups }) => {
    const ties = matchups.map(({ sides, byes, score, winner, result, finished, legs }) => {
      const teams = sides.map((side, index) => `${nameOf(side)}${byes[index] ? '°' : ''}`).join('-');
      const missing = legs.filter(({ event_id }) => event_id === null).length;
      return `${teams} ${score?.join(':') ?? '-'} ${winner === null ? '-' : nameOf(winner)} ${
        finished ? `(${result ?? '-'})` : '…'
      }${missing > 0 ? ` ${missing} missing` : ''}`;
    });
    return `${round.name}: ${ties.join(' | ')}`;
  });
}

export const read = (matches: readonly RoundMatch[], rules: Partial<BracketRules> = {}, over = true): string[] =>
  lines(buildBracket(matches, { ...RULES, ...rules }, over));
