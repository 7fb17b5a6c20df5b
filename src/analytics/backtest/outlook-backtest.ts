/** Compares mid-season outlooks with how the seasons ended. A forecast from past frequencies by current rank is the baseline. */
import type pg from 'pg';
import {
  findSeason,
  leagueMatches,
  type SeasonRow,
  seasonMatches,
  seasonPlan,
  type TableMatchRow,
  toTableRules,
  wholeRounds,
} from '../../competitions/index.ts';
import type { MatchSource } from '../history/match-source.ts';
import { computeOutlook, type Outlook } from '../outlook/outlook.ts';
import { currentOrder } from '../outlook/simulate.ts';
import { SECONDS_PER_DAY, startOfDay } from '../samples/match-samples.ts';
import type { Calibration, EventForecast } from './forecast-scores.ts';
import { binnedCalibration, eventBrierScore } from './shot-scores.ts';

/** Number of finished seasons that are tested in each league, newest first. */
const SEASONS = 10;
const LEAGUES = [
  ['GB-ENG', 'Premier League'],
  ['ES', 'La Liga'],
  ['IT', 'Serie A'],
  ['DE', 'Bundesliga'],
  ['FR', 'Ligue 1'],
] as const;
type League = readonly [country: string, name: string];

export const EVENTS = ['champion', 'relegation'] as const;
export type OutlookEvent = (typeof EVENTS)[number];

/** Mean squared errors over all sides (0 is perfect). */
export interface OutlookScores {
  /** Number of sides in all seasons. */
  sides: number;
  model: number;
  rank: number;
}

export interface OutlookReport {
  leagues: { name: string; from: string; to: string; seasons: number; scores: Record<OutlookEvent, OutlookScores> }[];
  all: Record<OutlookEvent, OutlookScores & Calibration>;
  /** Number of seasons from which frequencies were counted, for the first and for the last test season. */
  earlier_seasons: { fewest: number; most: number };
}

/** A side at mid-season and at the end. */
interface SideThen {
  /** Mid-season place counted from the top and from the end, starting with 0. */
  fromTop: number;
  fromEnd: number;
  /** Null for an event that the table does not decide. */
  occurred: Record<OutlookEvent, boolean | null>;
}

interface PastSeason {
  league: string;
  row: SeasonRow;
  /** End of the day on which half the matches had been played, ms since 1970. */
  middle: number;
  sides: Map<number, SideThen>;
}

interface Forecast {
  league: string;
  label: string;
  event: OutlookEvent;
  model: EventForecast;
  rank: EventForecast;
}

/**
 * @param source must read the same database as the pool
 * @throws Error with a one-line message if a league has too few seasons
 */
export async function backtestOutlook(
  pool: pg.Pool,
  source: Pick<MatchSource, 'matches'>,
  { leagues: wanted = LEAGUES, seasons: count = SEASONS }: { leagues?: readonly League[]; seasons?: number } = {},
): Promise<OutlookReport> {
  const leagues = await Promise.all(wanted.map((league) => pastSeasons(pool, league, count)));
  const all = leagues.flat();
  const forecasts: Forecast[] = [];
  const earlierCounts: number[] = [];
  for (const seasons of leagues) {
    const matches = await source.matches(seasons[0].row.tournament_id);
    for (const season of seasons.slice(-count)) {
      // Frequencies are counted in the earlier seasons of all leagues.
      const earlier = all.filter(({ row }) => row.season_label! < season.row.season_label!);
      earlierCounts.push(earlier.length);
      const sample = async (before: number) => matches.filter(({ start }) => start < before);
      const outlook = await computeOutlook(pool, season.row, { now: season.middle, sample });
      forecasts.push(...EVENTS.flatMap((event) => seasonForecasts(season, outlook, earlier, event)));
    }
  }
  return report(wanted, forecasts, { fewest: Math.min(...earlierCounts), most: Math.max(...earlierCounts) });
}

/** Returns a league's completed seasons, oldest first. */
async function pastSeasons(
  pool: pg.Pool,
  [country, name]: League,
  count: number,
): Promise<[PastSeason, ...PastSeason[]]> {
  const { rows } = await pool.query<{ tournament_id: number; season_id: number }>(
    `SELECT t.id AS tournament_id, s.id AS season_id FROM tournament t JOIN season s ON s.tournament_id = t.id
     WHERE t.sport = 'football' AND t.country = $1 AND t.name = $2 ORDER BY s.season_label`,
    [country, name],
  );
  const found: PastSeason[] = [];
  for (const { tournament_id, season_id } of rows) {
    const row = (await findSeason(pool, tournament_id, season_id, '9999-12-31'))!;
    const matches = leagueMatches(await seasonMatches(pool, season_id, '9999-12-31T00:00:00Z'));
    if (wholeRounds(matches) === null || !matches.every(({ counted }) => counted)) continue;
    const season = await pastSeason(pool, name, row, matches);
    if (season !== null) found.push(season);
  }
  const [first, ...others] = found;
  if (first === undefined || others.length < count)
    throw new Error(`${name} has ${found.length} finished seasons, fewer than ${count + 1}`);
  return [first, ...others];
}

async function pastSeason(
  pool: pg.Pool,
  league: string,
  row: SeasonRow,
  matches: readonly TableMatchRow[],
): Promise<PastSeason | null> {
  const starts = matches.map(({ start }) => start).sort((a, b) => a - b);
  const [half, last] = [starts[Math.ceil(starts.length / 2) - 1], starts.at(-1)];
  if (half === undefined || last === undefined || toTableRules(row).curtailed) return null;
  const middle = (startOfDay(half) + SECONDS_PER_DAY) * 1000;
  const nothing = async () => [];
  const ended = await computeOutlook(pool, row, {
    now: (last + 365 * SECONDS_PER_DAY) * 1000,
    sample: nothing,
  });
  const plan = await seasonPlan(pool, row, middle);
  if (ended.reason || plan === null) return null;
  const then = new Map(currentOrder(plan.tables[0], plan).map(({ team }, index) => [team, index + 1]));
  const sides = ended.sides.map((side): [number, SideThen] => {
    const position = then.get(side.participant_id)!;
    const relegated = side.zones.find(({ kind }) => kind === 'relegation');
    const occurred = { champion: side.champion === 1, relegation: relegated ? relegated.probability === 1 : null };
    return [side.participant_id, { fromTop: position - 1, fromEnd: ended.sides.length - position, occurred }];
  });
  return { league, row, middle, sides: new Map(sides) };
}

/** Returns the forecasts of one event for a season's sides. Returns no forecasts if the table does not decide the event. */
function seasonForecasts(
  { league, row, sides }: PastSeason,
  outlook: Outlook,
  earlier: readonly PastSeason[],
  event: OutlookEvent,
): Forecast[] {
  const frequencies = frequenciesByRank(earlier, event);
  return outlook.sides.flatMap((side) => {
    const then = sides.get(side.participant_id)!;
    const occurred = then.occurred[event];
    if (occurred === null) return [];
    const zone = side.zones.find(({ kind }) => kind === 'relegation');
    const probability = event === 'champion' ? side.champion! : zone!.probability;
    return {
      league,
      label: row.season_label!,
      event,
      model: { probability, occurred },
      rank: { probability: frequencies.get(countRank(then, event)) ?? 0, occurred },
    };
  });
}

/** Champions are counted from the top and relegated sides from the end, since leagues differ in size. */
const countRank = ({ fromTop, fromEnd }: SideThen, event: OutlookEvent): number =>
  event === 'champion' ? fromTop : fromEnd;

/** Returns how often the event occurred, by mid-season rank. */
function frequenciesByRank(seasons: readonly PastSeason[], event: OutlookEvent): Map<number, number> {
  const counts = new Map<number, { occurred: number; all: number }>();
  for (const side of seasons.flatMap(({ sides }) => [...sides.values()])) {
    const occurred = side.occurred[event];
    if (occurred === null) continue;
    const rank = countRank(side, event);
    const count = counts.get(rank) ?? { occurred: 0, all: 0 };
    counts.set(rank, { occurred: count.occurred + Number(occurred), all: count.all + 1 });
  }
  return new Map([...counts].map(([rank, { occurred, all }]) => [rank, occurred / all]));
}

function computeScores(forecasts: readonly Forecast[], event: OutlookEvent): OutlookScores {
  const own = forecasts.filter((forecast) => forecast.event === event);
  return {
    sides: own.length,
    model: eventBrierScore(own.map(({ model }) => model)),
    rank: eventBrierScore(own.map(({ rank }) => rank)),
  };
}

function report(
  wanted: readonly League[],
  forecasts: readonly Forecast[],
  earlier_seasons: OutlookReport['earlier_seasons'],
): OutlookReport {
  const each = <V>(value: (event: OutlookEvent) => V): Record<OutlookEvent, V> => ({
    champion: value('champion'),
    relegation: value('relegation'),
  });
  return {
    leagues: wanted.map(([, name]) => {
      const own = forecasts.filter(({ league }) => league === name);
      const labels = [...new Set(own.map(({ label }) => label))].sort();
      const [from = ''] = labels;
      return {
        name,
        from,
        to: labels.at(-1) ?? from,
        seasons: labels.length,
        scores: each((event) => computeScores(own, event)),
      };
    }),
    all: each((event) => {
      const models = forecasts.filter((forecast) => forecast.event === event).map(({ model }) => model);
      return { ...computeScores(forecasts, event), ...binnedCalibration(models) };
    }),
    earlier_seasons,
  };
}
