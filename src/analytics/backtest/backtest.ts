/** The backtest: each model predicts past matches from earlier ones, and is judged by the results. */
import { parametersOf, type SportParameters } from '../calibrated/parameters.ts';
import { type HistoryTournament, type MatchSource, tournamentsOf } from '../history.ts';
import { dateOf } from '../sample.ts';
import { Checkpoints, fingerprintOf } from './checkpoints.ts';
import { forecastSeason, type MatchForecasts, MODELS, type Period } from './forecast.ts';
import { type BacktestReport, evaluate, OWN_MODELS } from './scores.ts';

/** Counts up when forecasts change although matches and parameters do not: older checkpoints are then not used. */
const VERSION = 1;

export interface BacktestOptions extends Period {
  /** All of the source's with a model if not given. */
  tournaments?: readonly number[];
  /** A folder for finished seasons. */
  checkpoints: string;
  /** @param share of the work that is done, 0 to 1 @param label what is being done */
  onProgress?: (share: number, label: string) => void;
}

interface SeasonForecasts {
  tournament: HistoryTournament;
  season: string;
  forecasts: MatchForecasts[];
}

/**
 * After an abort at any point, a second run on the same matches gives what one run without an abort gives.
 * @throws Error for a tournament that the source does not have, or whose sport has no model
 */
export async function backtest(source: MatchSource, options: BacktestOptions): Promise<BacktestReport> {
  const checkpoints = await Checkpoints.open(options.checkpoints);
  const seasons: SeasonForecasts[] = [];
  const tournaments = await modelled(source, options.tournaments);
  for (const [index, { tournament, sport }] of tournaments.entries()) {
    const onProgress = (share: number, season: string) =>
      options.onProgress?.((index + share) / tournaments.length, `${tournament.name} ${season}`);
    seasons.push(...(await backtestTournament(source, tournament, sport, { ...options, onProgress }, checkpoints)));
  }
  options.onProgress?.(1, '');
  return reportOf(seasons);
}

async function modelled(
  source: MatchSource,
  wanted: readonly number[] | undefined,
): Promise<{ tournament: HistoryTournament; sport: SportParameters }[]> {
  return (await tournamentsOf(source, wanted)).flatMap((tournament) => {
    const sport = parametersOf(tournament.sport);
    if (!sport && wanted) throw new Error(`there is no model of ${tournament.sport}, the sport of ${tournament.name}`);
    return sport ? [{ tournament, sport }] : [];
  });
}

async function backtestTournament(
  source: MatchSource,
  tournament: HistoryTournament,
  sport: SportParameters,
  { from, to, onProgress }: BacktestOptions,
  checkpoints: Checkpoints,
): Promise<SeasonForecasts[]> {
  const matches = (await source.matches(tournament.id)).toSorted((a, b) => a.start - b.start || a.id - b.id);
  const fingerprint = fingerprintOf([VERSION, sport, from, to, matches]);
  const within = matches.filter(({ start }) => start >= from && start < to);
  const labels = [...new Set(within.map(({ season }) => season))];
  const seasons: SeasonForecasts[] = [];
  for (const [index, season] of labels.entries()) {
    onProgress?.(index / labels.length, season);
    let forecasts = await checkpoints.read(tournament.id, season, fingerprint);
    if (!forecasts) {
      forecasts = forecastSeason(matches, season, { from, to }, sport);
      await checkpoints.write(tournament.id, season, { fingerprint, forecasts });
    }
    seasons.push({ tournament, season, forecasts });
  }
  return seasons;
}

function reportOf(seasons: readonly SeasonForecasts[]): BacktestReport {
  const all = seasons.flatMap(({ forecasts }) => forecasts);
  const tournaments = new Map<number, BacktestReport['tournaments'][number]>();
  for (const { tournament, forecasts } of seasons) {
    const { id, name } = tournament;
    tournaments.set(id, { id, name, matches: (tournaments.get(id)?.matches ?? 0) + forecasts.length });
  }
  const starts = all.map(({ start }) => start).sort((a, b) => a - b);
  const labels = [...new Set(seasons.map(({ season }) => season))].sort();
  return {
    tournaments: [...tournaments.values()],
    period: starts.length > 0 ? { from: dateOf(starts[0]!), to: dateOf(starts.at(-1)!) } : null,
    all: evaluate(all, OWN_MODELS),
    with_odds: evaluate(all, MODELS),
    seasons: labels.flatMap((label) => {
      const ofSeason = seasons.filter(({ season }) => season === label).flatMap(({ forecasts }) => forecasts);
      const evaluation = evaluate(ofSeason, OWN_MODELS);
      return evaluation ? [{ season: label, evaluation }] : [];
    }),
  };
}
