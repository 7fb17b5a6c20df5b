/** Computes a season's outlook, which says how likely each side is to end at each place. */
import { hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type pg from 'pg';
import {
  type PlannedTable,
  type SeasonPlan,
  type SeasonRow,
  seasonPlan,
  type ZoneRule,
  zoneAt,
} from '../../competitions/index.ts';
import type { ClickHouse } from '../../db/clickhouse.ts';
import type { Queryable } from '../../db/postgres.ts';
import { fitLeague, type LeagueFit } from '../calibrated/calibrated-model.ts';
import { type CalibratedMatch, WINDOW_DAYS } from '../calibrated/columns.ts';
import { sportParameters } from '../calibrated/parameters.ts';
import { leagueHistory } from '../cards/history-queries.ts';
import { NEUTRAL, SECONDS_PER_DAY } from '../samples/match-samples.ts';
import type { OutlookReply } from './schema.ts';
import { samplers } from './score-sampler.ts';
import { currentOrder, isDecided, SEASON_SIMULATIONS, type SideOutcome, simulate } from './simulate.ts';

/** `reason` is set if `sides` is empty. */
export type Outlook = Omit<
  OutlookReply,
  'tournament_id' | 'tournament' | 'season_id' | 'season_label' | 'computed_at' | 'history'
>;
export type SideOutlook = Outlook['sides'][number];

const NOTHING = { simulations: 0, seed: null, fixtures: { played: 0, remaining: 0, unknown: 0 }, sides: [] };

/**
 * Reads the matches that the model needs: those before the given time.
 * @param before seconds since 1970
 */
export type ReadSample = (before: number) => Promise<readonly CalibratedMatch[]>;

/** Reads the sample from the analytical store. */
export const storedSample =
  (clickhouse: ClickHouse, era: number, tournament: number): ReadSample =>
  (start) => {
    const before = Math.floor(start / SECONDS_PER_DAY);
    return leagueHistory(clickhouse, { era, tournament, from: before - WINDOW_DAYS, before });
  };

/**
 * @param now ms since 1970. Matches before this time count as played. The model uses only matches before this day.
 * @param pause called between pieces of work
 * @throws {ClickHouseUnavailable}
 */
export async function computeOutlook(
  db: pg.Pool,
  season: SeasonRow,
  { now, sample, pause = yieldToEventLoop }: { now: number; sample: ReadSample; pause?: () => Promise<unknown> },
): Promise<Outlook> {
  const plan = await seasonPlan(db, season, now);
  if (plan === null) return { ...NOTHING, complete: true, reason: 'no_table' };
  const complete = plan.unknown === 0 && !plan.lacksResults;
  if (isDecided(plan)) {
    if (plan.lacksResults) return { ...NOTHING, complete, reason: 'incomplete' };
    const outcome = await simulate(plan, null, { runs: 1, seed: 0 });
    return describe(plan, outcome, { simulations: 0, seed: null, complete });
  }
  const sport = sportParameters(season.sport);
  if (sport === undefined) return { ...NOTHING, complete, reason: 'no_model' };
  const fit = fitLeague(await sample(now / 1000), now / 1000, sport);
  if (fit === null) return { ...NOTHING, complete, reason: 'no_sample' };
  await markNeutral(db, season.season_id!, plan);
  const seed = createSeed(season, plan, fit);
  const samplerFor = samplers(fit, plan.rules.points.overtime_win !== undefined);
  const outcome = await simulate(plan, samplerFor, { runs: SEASON_SIMULATIONS, seed, pause });
  return describe(plan, outcome, { simulations: SEASON_SIMULATIONS, seed, complete });
}

/** Number of digits that enter the seed. In later digits, exponentials and logarithms differ between Node releases. */
const SEED_DIGITS = 9;

/** Derives the seed from everything that enters the simulation. */
function createSeed(
  { tournament_id, season_id }: SeasonRow,
  { tables, division, rules }: SeasonPlan,
  { strengths, ...model }: LeagueFit,
): number {
  const known = tables.map(({ results, fixtures, extras: { adjustments, placed } }) => [
    results,
    fixtures,
    [...adjustments],
    [...placed],
  ]);
  const input = JSON.stringify([tournament_id, season_id, rules, known, division, model, [...strengths]], (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(SEED_DIGITS)) : value,
  );
  return Number.parseInt(hash('sha1', input, 'hex').slice(0, 8), 16) | 0;
}

/** Marks the fixtures at neutral venues. */
async function markNeutral(db: Queryable, seasonId: number, { tables }: SeasonPlan): Promise<void> {
  const { rows } = await db.query<{ id: number }>({
    name: 'neutral matches of a season',
    text: `SELECT m.id FROM match m JOIN tournament t ON t.id = m.tournament_id JOIN participant h ON h.id = m.home_id
     LEFT JOIN venue v ON v.id = m.venue_id WHERE m.season_id = $1 AND ${NEUTRAL}`,
    values: [seasonId],
  });
  const neutral = new Set(rows.map(({ id }) => id));
  for (const fixture of tables.flatMap(({ fixtures }) => fixtures))
    if (fixture.id !== null && neutral.has(fixture.id)) fixture.neutral = true;
}

function describe(
  plan: SeasonPlan,
  simulated: Awaited<ReturnType<typeof simulate>>,
  { simulations, seed, complete }: Pick<Outlook, 'simulations' | 'seed' | 'complete'>,
): Outlook {
  const runs = Math.max(1, simulations);
  const sum = (count: (table: PlannedTable) => number) => plan.tables.reduce((total, one) => total + count(one), 0);
  return {
    simulations,
    seed,
    complete,
    fixtures: {
      played: sum(({ results }) => results.length / 2),
      remaining: sum(({ fixtures }) => fixtures.length),
      unknown: plan.unknown,
    },
    sides: plan.tables.flatMap((table, index) => describeTable(table, plan, simulated[index]!.sides, runs)),
  };
}

function describeTable(
  table: PlannedTable,
  plan: SeasonPlan,
  outcomes: readonly SideOutcome[],
  runs: number,
): SideOutlook[] {
  const present = new Map(currentOrder(table, plan).map((ranked, index) => [ranked.team, { ...ranked, index }]));
  const teams = new Map(table.sides.map((side) => [side.id, side]));
  const count = outcomes.length;
  // A divided league gets no zones here, because a place has different consequences in each part.
  const zones = plan.division === null ? plan.rules.zones : [];
  const kinds = Array.from({ length: count }, (_, index) => zoneAt(zones, index + 1, count));
  const meanPlace = ({ places }: SideOutcome) => places.reduce((sum, times, index) => sum + times * index, 0);
  return [...outcomes]
    .sort((a, b) => meanPlace(a) - meanPlace(b) || present.get(a.id)!.index - present.get(b.id)!.index)
    .map(({ id, places, points }) => {
      const { name, name_ru } = teams.get(id)!;
      const [first = 0] = places;
      const probability = (kind: ZoneRule['kind']) =>
        places.reduce((sum, times, index) => sum + (kinds[index] === kind ? times : 0), 0) / runs;
      return {
        participant_id: id,
        name,
        name_ru,
        group: table.group,
        position: present.get(id)!.index + 1,
        points: present.get(id)!.points,
        expected_points: Math.round((points / runs) * 100) / 100,
        champion: plan.championLeads ? first / runs : null,
        zones: [...new Set(kinds)].flatMap((kind) => (kind === null ? [] : { kind, probability: probability(kind) })),
        places: [...places].map((times) => times / runs),
      };
    });
}
