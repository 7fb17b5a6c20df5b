/** Makes an innings' scorecard from its deliveries. */
import type { Innings } from '../../wire/innings.ts';
import type { Delivery, FileInnings } from './match-file.ts';

type Side = 'home' | 'away';
type WireDelivery = NonNullable<Innings['by_over'][number]['deliveries']>[number];
type Dismissal = NonNullable<Innings['batters'][number]['dismissal']>;

/** Ways to leave that are no wicket: the player may come back. */
const NOT_OUT = new Set(['retired hurt', 'retired not out']);
export const NOT_OUT_TERMS: ReadonlySet<string> = new Set(['retired_hurt', 'retired_not_out']);
/** Wickets that do not count for the bowler. */
const NOT_OF_BOWLER = new Set([
  ...NOT_OUT,
  'run out',
  'retired out',
  'obstructing the field',
  'handled the ball',
  'hit the ball twice',
  'timed out',
]);
/** A side is out when this many batters are gone. */
const ALL_OUT = 10;

export const isWicket = (kind: string): boolean => !NOT_OUT.has(kind);
export const isOfBowler = (kind: string): boolean => !NOT_OF_BOWLER.has(kind);
/** Wides and no-balls do not count as balls of the over. */
export const isLegal = ({ extras }: Delivery): boolean => !extras?.wides && !extras?.noballs;
/** Writes a number of balls as overs: 17.2. */
const oversText = (balls: number, perOver: number): string => {
  const rest = balls % perOver;
  return `${Math.floor(balls / perOver)}${rest === 0 ? '' : `.${rest}`}`;
};
/** Runs that count against the bowler. */
const concededRuns = ({ runs, extras }: Delivery): number =>
  runs.total - (extras?.byes ?? 0) - (extras?.legbyes ?? 0) - (extras?.penalty ?? 0);
export const boundary = ({ runs }: Delivery): 4 | 6 | null =>
  !runs.non_boundary && (runs.batter === 4 || runs.batter === 6) ? runs.batter : null;

export interface BattingLine {
  runs: number;
  balls: number;
  fours: number;
  sixes: number;
  dismissal: Dismissal | null;
}
export interface BowlingLine {
  /** Balls, in which a complete over counts as one over even if the umpire has counted wrongly. */
  balls: number;
  maidens: number;
  runs: number;
  wickets: number;
  wides: number;
  noBalls: number;
}

/** A delivery with what has happened up to and including it. */
export interface Ball {
  delivery: Delivery;
  /** Overs and balls after it, such as 17.2. */
  over: string;
  runs: number;
  wickets: number;
  /** Set on the last delivery of a complete over. */
  overEnd?: { runs: number; wickets: number; overs: number };
}

export interface ReadInnings {
  card: Innings;
  batting: ReadonlyMap<string, BattingLine>;
  bowling: ReadonlyMap<string, BowlingLine>;
  balls: readonly Ball[];
}

function toWire({ runs, extras, wickets = [] }: Delivery): WireDelivery {
  const out = wickets.filter(({ kind }) => isWicket(kind)).length;
  const extra = extras?.wides ? 'wide' : extras?.noballs ? 'no_ball' : undefined;
  return { runs: runs.total, ...(out > 0 && { wickets: out }), ...(extra && { extra }) };
}

export class InningsReader {
  readonly #file: FileInnings;
  readonly #perOver: number;
  readonly #batting = new Map<string, BattingLine>();
  readonly #bowling = new Map<string, BowlingLine>();
  readonly #balls: Ball[] = [];
  readonly #extras = { byes: 0, leg_byes: 0, wides: 0, no_balls: 0, penalty: 0 };
  readonly #falls: Innings['fall_of_wickets'] = [];
  readonly #byOver: Innings['by_over'] = [];
  #runs = 0;
  #wickets = 0;
  /** Balls in complete overs and in the last one. */
  #total = 0;

  constructor(file: FileInnings, perOver: number) {
    this.#file = file;
    this.#perOver = perOver;
  }

  /** @param limit what the match allows the innings, and the target of the side that bats last */
  read(period: string, batting: Side, limit: Pick<Innings, 'max_overs' | 'target'>): ReadInnings {
    const { overs = [], penalty_runs, declared = false, forfeited = false, absent_hurt = [] } = this.#file;
    this.#runs = penalty_runs?.pre ?? 0;
    this.#extras.penalty = (penalty_runs?.pre ?? 0) + (penalty_runs?.post ?? 0);
    for (const [index, over] of overs.entries()) this.#addOver(over, index === overs.length - 1);
    this.#runs += penalty_runs?.post ?? 0;
    const away = [...this.#batting.values()].filter(({ dismissal }) => dismissal?.kind === 'retired_hurt').length;
    return {
      card: {
        period,
        batting,
        runs: this.#runs,
        wickets: this.#wickets,
        overs: oversText(this.#total, this.#perOver),
        balls_per_over: this.#perOver,
        all_out: this.#wickets + absent_hurt.length + away >= ALL_OUT,
        declared,
        forfeited,
        ...limit,
        extras: this.#extras,
        batters: [...this.#batting].map(([player_name, line]) => ({ player_name, ...line })),
        bowlers: [...this.#bowling].map(([player_name, { balls, noBalls, ...line }]) => ({
          player_name,
          overs: oversText(balls, this.#perOver),
          ...line,
          no_balls: noBalls,
        })),
        fall_of_wickets: this.#falls,
        by_over: this.#byOver,
      },
      batting: this.#batting,
      bowling: this.#bowling,
      balls: this.#balls,
    };
  }

  #addOver({ over, deliveries }: NonNullable<FileInnings['overs']>[number], isLast: boolean): void {
    const before = { runs: this.#runs, wickets: this.#wickets };
    const start = this.#total;
    let legal = 0;
    for (const delivery of deliveries) {
      if (isLegal(delivery)) legal++;
      this.#total = start + Math.min(legal, this.#perOver);
      this.#addDelivery(delivery, `${Math.floor(start / this.#perOver)}.${legal}`);
    }
    const isMiscounted = String(over) in (this.#file.miscounted_overs ?? {});
    const isComplete = !isLast || legal >= this.#perOver || isMiscounted;
    if (isComplete) this.#total = start + this.#perOver;
    const gained = { runs: this.#runs - before.runs, wickets: this.#wickets - before.wickets };
    this.#byOver.push({ ...gained, deliveries: deliveries.map(toWire) });
    const [{ bowler }] = deliveries as [Delivery];
    const isOfOne = deliveries.every((one) => one.bowler === bowler);
    for (const name of new Set(deliveries.map((one) => one.bowler))) {
      const own = deliveries.filter((one) => one.bowler === name);
      const line = this.#bowler(name);
      line.balls += isOfOne && isComplete ? this.#perOver : own.filter(isLegal).length;
      if (isOfOne && isComplete && own.every((one) => concededRuns(one) === 0)) line.maidens++;
    }
    const last = this.#balls.at(-1)!;
    if (isComplete) last.overEnd = { ...gained, overs: this.#total / this.#perOver };
  }

  #addDelivery(delivery: Delivery, over: string): void {
    const { batter, bowler, non_striker, runs, extras, wickets = [] } = delivery;
    const striker = this.#batter(batter);
    this.#batter(non_striker);
    striker.runs += runs.batter;
    if (!extras?.wides) striker.balls++;
    if (boundary(delivery) === 4) striker.fours++;
    if (boundary(delivery) === 6) striker.sixes++;
    this.#extras.byes += extras?.byes ?? 0;
    this.#extras.leg_byes += extras?.legbyes ?? 0;
    this.#extras.wides += extras?.wides ?? 0;
    this.#extras.no_balls += extras?.noballs ?? 0;
    this.#extras.penalty += extras?.penalty ?? 0;
    const line = this.#bowler(bowler);
    line.runs += concededRuns(delivery);
    line.wides += extras?.wides ?? 0;
    line.noBalls += extras?.noballs ?? 0;
    this.#runs += runs.total;
    for (const { kind, player_out, fielders = [] } of wickets) {
      const isBowlers = isOfBowler(kind);
      if (isBowlers) line.wickets++;
      this.#batter(player_out).dismissal = {
        kind: toTerm(kind),
        bowler_name: isBowlers ? bowler : null,
        fielder_names: fielders.flatMap((one) => one.name ?? []),
      };
      if (!isWicket(kind)) continue;
      this.#wickets++;
      this.#falls.push({ wicket: this.#wickets, runs: this.#runs, overs: over, player_name: player_out });
    }
    this.#balls.push({ delivery, over, runs: this.#runs, wickets: this.#wickets });
  }

  /** Returns the line of a batter. One who had retired hurt is back. */
  #batter(name: string): BattingLine {
    const known = this.#batting.get(name);
    if (known !== undefined) {
      if (known.dismissal !== null && NOT_OUT_TERMS.has(known.dismissal.kind)) known.dismissal = null;
      return known;
    }
    const line = { runs: 0, balls: 0, fours: 0, sixes: 0, dismissal: null };
    this.#batting.set(name, line);
    return line;
  }

  #bowler(name: string): BowlingLine {
    const line = this.#bowling.get(name) ?? { balls: 0, maidens: 0, runs: 0, wickets: 0, wides: 0, noBalls: 0 };
    this.#bowling.set(name, line);
    return line;
  }
}

/** Returns our term for a way to be out: `run_out`. */
export const toTerm = (kind: string): string => kind.toLowerCase().replace(/[^a-z]+/gu, '_');
