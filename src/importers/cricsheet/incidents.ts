/** Makes incidents, player figures and statistics from the deliveries of a match. */
import { count, present, type Statistic } from '../../providers/index.ts';
import type { IncidentInput, MatchInput } from '../../wire/feed-update.ts';
import type { FileInnings } from './match-file.ts';
import { boundary, isLegal, isOfBowler, isWicket, NOT_OUT_TERMS, type ReadInnings, toTerm } from './scorecard.ts';

type Side = 'home' | 'away';
type Player = { id?: string; name: string };
/** Returns the reference of a player of the match. */
export type FindPlayer = (name: string) => Player;

const SIDES = ['home', 'away'] as const;
const otherSide = (side: Side): Side => (side === 'home' ? 'away' : 'home');

/** Returns wickets, boundaries, substitutions, ends of overs and ends of innings, in the order of play. */
export function readIncidents(
  innings: readonly ReadInnings[],
  findPlayer: FindPlayer,
  findSide: FindSide,
): IncidentInput[] {
  const total = { home: 0, away: 0 };
  return innings.flatMap(({ card, balls }) => {
    const { batting, period } = card;
    const isSuperOver = period.startsWith('SO');
    const before = { ...total };
    const scoreAfter = (runs: number) => (isSuperOver ? before : { ...before, [batting]: before[batting] + runs });
    const found: IncidentInput[] = [];
    const isAdded = (kind: string, side: Side, payload: Record<string, unknown>, player?: string) =>
      found.push({ kind, period, side, ...(player && { player: findPlayer(player) }), payload });
    for (const { delivery, over, runs, wickets, overEnd } of balls) {
      const score = scoreAfter(runs);
      for (const { in: on, out, team, reason } of delivery.replacements?.match ?? [])
        isAdded(
          'subst',
          findSide(team ?? '') ?? batting,
          { player_in: on, player_out: out ?? null, ...(reason && { reason }) },
          on,
        );
      const four = boundary(delivery);
      if (four !== null)
        isAdded('boundary', batting, { runs: four, bowler: delivery.bowler, over, score }, delivery.batter);
      for (const { kind, player_out, fielders = [] } of delivery.wickets ?? []) {
        if (!isWicket(kind)) continue;
        const payload = {
          how_out: toTerm(kind),
          player_out,
          fielders: fielders.flatMap(({ name }) => name ?? []),
          over,
          runs,
          wickets,
          score,
        };
        isAdded('wicket', otherSide(batting), payload, isOfBowler(kind) ? delivery.bowler : undefined);
      }
      if (overEnd !== undefined) {
        const { overs, ...gained } = overEnd;
        isAdded('over_end', batting, { over: overs, ...gained, score }, delivery.bowler);
      }
    }
    const score = scoreAfter(card.runs);
    Object.assign(total, score);
    found.push({ kind: 'period_end', period, payload: { score } });
    return found;
  });
}
/** Returns the side with this name in the file; undefined for another name. */
export type FindSide = (team: string) => Side | undefined;

/** A player's figures in a match, without super overs. */
interface Figures {
  innings: number;
  runs: number;
  balls_faced: number;
  fours: number;
  sixes: number;
  hundreds: number;
  fifties: number;
  times_out: number;
  highest: number;
  highest_not_out: boolean;
  balls_bowled: number;
  maidens: number;
  runs_conceded: number;
  wickets: number;
  best_wickets: number;
  best_runs: number;
  catches: number;
  stumpings: number;
  run_outs: number;
}
const BATTING = [
  'innings',
  'runs',
  'balls_faced',
  'fours',
  'sixes',
  'hundreds',
  'fifties',
  'times_out',
  'highest',
  'highest_not_out',
] as const;
const BOWLING = ['balls_bowled', 'maidens', 'runs_conceded', 'wickets', 'best_wickets', 'best_runs'] as const;
const FIELDING = ['catches', 'stumpings', 'run_outs'] as const;

const noFigures = (): Figures => ({
  innings: 0,
  runs: 0,
  balls_faced: 0,
  fours: 0,
  sixes: 0,
  hundreds: 0,
  fifties: 0,
  times_out: 0,
  highest: 0,
  highest_not_out: false,
  balls_bowled: 0,
  maidens: 0,
  runs_conceded: 0,
  wickets: 0,
  best_wickets: 0,
  best_runs: 0,
  catches: 0,
  stumpings: 0,
  run_outs: 0,
});

/** Sums each player's figures over the innings. Figures of what a player has not done are left out. */
export function playerStats(
  innings: readonly ReadInnings[],
  players: readonly { side: Side; name: string }[],
  findPlayer: FindPlayer,
): NonNullable<MatchInput['player_stats']> {
  const figures = new Map(players.map(({ name }) => [name, noFigures()]));
  for (const { card, batting, bowling } of innings) {
    if (card.period.startsWith('SO')) continue;
    for (const [name, line] of batting) {
      const own = figures.get(name);
      if (own === undefined) continue;
      const isOut = line.dismissal !== null && !NOT_OUT_TERMS.has(line.dismissal.kind);
      if (line.runs > own.highest || own.innings === 0 || (line.runs === own.highest && !isOut)) {
        own.highest = line.runs;
        own.highest_not_out = !isOut;
      }
      own.innings++;
      own.runs += line.runs;
      own.balls_faced += line.balls;
      own.fours += line.fours;
      own.sixes += line.sixes;
      if (line.runs >= 100) own.hundreds++;
      else if (line.runs >= 50) own.fifties++;
      if (isOut) own.times_out++;
      countFielders(line.dismissal, figures);
    }
    for (const [name, line] of bowling) {
      const own = figures.get(name);
      if (own === undefined) continue;
      const isBetter =
        line.wickets > own.best_wickets || (line.wickets === own.best_wickets && line.runs < own.best_runs);
      if (own.balls_bowled === 0 || isBetter) Object.assign(own, { best_wickets: line.wickets, best_runs: line.runs });
      own.balls_bowled += line.balls;
      own.maidens += line.maidens;
      own.runs_conceded += line.runs;
      own.wickets += line.wickets;
    }
  }
  return players.map(({ side, name }) => ({ player: findPlayer(name), side, stats: shownFigures(figures.get(name)!) }));
}

function countFielders(
  dismissal: { kind: string; bowler_name: string | null; fielder_names: string[] } | null,
  figures: Map<string, Figures>,
) {
  if (dismissal === null) return;
  const { kind, bowler_name, fielder_names } = dismissal;
  const member = { caught: 'catches', stumped: 'stumpings', run_out: 'run_outs' } as const;
  if (kind === 'caught_and_bowled' && bowler_name !== null) addTo(figures.get(bowler_name), 'catches');
  const counted = kind in member ? member[kind as keyof typeof member] : undefined;
  if (counted !== undefined) for (const name of fielder_names) addTo(figures.get(name), counted);
}
const addTo = (own: Figures | undefined, member: 'catches' | 'stumpings' | 'run_outs') => {
  if (own !== undefined) own[member]++;
};

function shownFigures(own: Figures): Record<string, number | boolean> {
  const members = [
    ...(own.innings > 0 ? BATTING : []),
    ...(own.balls_bowled > 0 || own.runs_conceded > 0 ? BOWLING : []),
    ...FIELDING.filter((member) => own[member] > 0),
  ];
  return Object.fromEntries(members.map((member) => [member, own[member]]));
}

/** Returns both sides' statistics, without super overs. */
export function readStatistics(innings: readonly ReadInnings[]): Statistic[] {
  const own = innings.filter(({ card }) => !card.period.startsWith('SO'));
  const sum = (side: Side, value: (one: ReadInnings) => number) =>
    own.filter(({ card }) => card.batting === side).reduce((total, one) => total + value(one), 0);
  const row = (name: 'Fours' | 'Sixes' | 'Extras' | 'Dot balls', value: (one: ReadInnings) => number) => {
    const [home, away] = SIDES.map((side) => sum(side, value));
    return count('ALL', name, home, away);
  };
  const lines = (member: 'fours' | 'sixes') => (one: ReadInnings) =>
    [...one.batting.values()].reduce((total, line) => total + line[member], 0);
  return [
    row('Fours', lines('fours')),
    row('Sixes', lines('sixes')),
    row(
      'Dot balls',
      ({ balls }) => balls.filter(({ delivery }) => isLegal(delivery) && delivery.runs.total === 0).length,
    ),
    row('Extras', ({ card: { extras } }) => Object.values(extras).reduce((total, runs) => total + runs, 0)),
  ].filter(present);
}

/** The most deliveries of a match. The longest match ever had 5,463 balls. */
const MOST_DELIVERIES = 10_000;

interface Known {
  teams: ReadonlySet<string>;
  players: ReadonlySet<string>;
}

/** Returns why the deliveries cannot be used, with the place; undefined if they can. */
export function findFault(innings: readonly FileInnings[], { teams, players }: Known): string | undefined {
  let deliveries = 0;
  for (const [index, { team, overs = [], declared, forfeited, penalty_runs }] of innings.entries()) {
    const at = `innings ${index + 1}`;
    if (!teams.has(team)) return `${at}: ${JSON.stringify(team)} is not one of the teams`;
    if (overs.length === 0 && !declared && !forfeited && penalty_runs === undefined) return `${at}: there are no overs`;
    for (const { over, deliveries: balls } of overs) {
      deliveries += balls.length;
      if (deliveries > MOST_DELIVERIES) return `the match has more than ${MOST_DELIVERIES} deliveries`;
      for (const [ball, { batter, non_striker, bowler, runs, wickets = [] }] of balls.entries()) {
        const place = `${at}, over ${over}, delivery ${ball + 1}`;
        const names = [batter, non_striker, bowler, ...wickets.map((one) => one.player_out)];
        const stranger = names.find((name) => !players.has(name));
        if (stranger !== undefined) return `${place}: the player ${JSON.stringify(stranger)} is in neither team`;
        if (runs.batter + runs.extras !== runs.total)
          return `${place}: ${runs.batter} and ${runs.extras} runs are not ${runs.total}`;
      }
    }
  }
  return undefined;
}
