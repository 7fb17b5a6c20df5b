/** Plays the rest of a season many times, and counts at which place each side ends. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { createRanking, type PlannedTable, type SeasonPlan } from '../../competitions/index.ts';
import { createDraw } from './fixtures.ts';
import { groupMatches, playDivision } from './league-division.ts';
import type { SamplerFor } from './score-sampler.ts';

/** How many times an outlook plays the rest of the season. */
export const SEASON_SIMULATIONS = 10_000;
/** Number of simulations between two pauses. These simulations take some milliseconds. */
const CHUNK = 20;

/** How often a side ended in each place, over all simulations. */
export interface SideOutcome {
  id: number;
  /** For each place in the table, starting with the first, the number of simulations in which the side ended there. */
  places: Int32Array;
  /** Total points over all simulations; in a divided league, only regular season points. */
  points: number;
}

export interface SimulatedTable {
  group: string | null;
  sides: SideOutcome[];
}

export interface SimulationOptions {
  runs: number;
  /** A 32-bit integer. The same plan, model and seed give the same outcome. */
  seed: number;
  /** Called between pieces of work, so that other work gets a turn. */
  pause?: () => Promise<unknown>;
}

/** Returns the table's present order. Sides that are level are ordered by name, as in the standings. */
export const currentOrder = ({ sides, results, extras }: PlannedTable, { rules }: SeasonPlan) => {
  const ids = sides.map(({ id }) => id);
  return createRanking(ids, results, rules, extras)([], ids);
};

/** True if all matches have been played. */
export function isDecided(plan: SeasonPlan): boolean {
  const { tables, division, isEnded } = plan;
  if (isEnded) return true;
  if (tables.some(({ fixtures }) => fixtures.length > 0)) return false;
  if (division === null) return true;
  const ranked = currentOrder(tables[0], plan);
  return division.split.groups.every((group) => groupMatches(plan, ranked, group).fixtures.length === 0);
}

/**
 * Applies the tables' full rules: points, tie-breaks in order, deductions, assigned places, and a league's division
 * with the points and results that sides carry over. Sides that are level after every tie-break are ordered by lot.
 * @param samplerFor null if all matches have been played. Level sides then keep the standings' order.
 */
export async function simulate(
  plan: SeasonPlan,
  samplerFor: SamplerFor | null,
  { runs, seed, pause }: SimulationOptions,
): Promise<SimulatedTable[]> {
  const random = xoroshiro128plus(seed);
  const tables = plan.tables.map((table) => createTable(table, plan, samplerFor));
  for (let run = 0; run < runs; run += 1) {
    if (pause && run % CHUNK === CHUNK - 1) await pause();
    for (const { play } of tables) play(random);
  }
  return tables.map(({ outcome }) => outcome);
}

function createTable(table: PlannedTable, plan: SeasonPlan, samplerFor: SamplerFor | null) {
  const ids = table.sides.map(({ id }) => id);
  const rank = createRanking(ids, table.results, plan.rules, table.extras);
  const { results, draw } = createDraw(table.fixtures, samplerFor);
  const outcome: SimulatedTable = {
    group: table.group,
    sides: ids.map((id) => ({ id, places: new Int32Array(ids.length), points: 0 })),
  };
  const byId = new Map(outcome.sides.map((side) => [side.id, side]));
  const lots = [...ids];
  const play = (random: RandomGenerator) => {
    draw(random);
    if (samplerFor !== null) shuffle(lots, random);
    const ranked = rank(results, lots);
    for (const { team, points } of ranked) byId.get(team)!.points += points;
    const final = plan.division
      ? playDivision(plan, ranked, [...table.results, ...results], { lots, random, samplerFor })
      : ranked.map(({ team }) => team);
    for (const [place, team] of final.entries()) byId.get(team)!.places[place]! += 1;
  };
  return { outcome, play };
}

/** Shuffles the ids by the method of R. A. Fisher and F. Yates. */
function shuffle(ids: number[], random: RandomGenerator): void {
  for (let last = ids.length - 1; last > 0; last -= 1) {
    const other = uniformInt(random, 0, last);
    [ids[last], ids[other]] = [ids[other]!, ids[last]!];
  }
}
