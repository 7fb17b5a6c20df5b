/** A backtest in which each model predicts past matches from earlier matches. It shows how good the forecasts are. */
import { type SportParameters, sportParameters } from '../calibrated/parameters.ts';
import {
  type HistoryFilter,
  type HistoryMatch,
  type HistoryTournament,
  listTournaments,
  type MatchSource,
} from '../history/match-source.ts';
import { playedPeriod } from '../samples/match-samples.ts';
import { Checkpoints, hashInput } from './checkpoints.ts';
import { eloForecasts } from './elo-forecasts.ts';
import { type EloForecasts, forecastSeason, type MatchForecasts } from './match-forecasts.ts';
import { type BacktestReport, evaluate, OWN_MODELS, PUBLISHED_MODELS } from './match-scores.ts';

/** Increment this version if the same matches and parameters now give different forecasts, so that older checkpoints are ignored. */
const VERSION = 3;

export interface BacktestOptions extends HistoryFilter {
  /** Folder for finished seasons. */
  checkpoints: string;
  /** @param share completed share, 0 to 1 @param label description of the current step */
  onProgress?: (share: number, label: string) => void;
}

interface SeasonForecasts {
  tournament: HistoryTournament;
  season: string;
  forecasts: MatchForecasts[];
}

/**
 * A run can be aborted at any point. The next run on the same matches then gives the same result as an uninterrupted run.
 * @throws Error for a tournament that the source does not have, or whose sport has no model
 */
export async function backtest(source: MatchSource, options: BacktestOptions): Promise<BacktestReport> {
  const checkpoints = await Checkpoints.open(options.checkpoints);
  const seasons: SeasonForecasts[] = [];
  const tournaments = await modelled(source, options.tournaments);
  const eloForecast = await eloForecasts(source);
  for (const [index, { tournament, sport }] of tournaments.entries()) {
    const onProgress = (share: number, season: string) =>
      options.onProgress?.((index + share) / tournaments.length, `${tournament.name} ${season}`);
    const matches = (await source.matches(tournament.id)).toSorted((a, b) => a.start - b.start || a.id - b.id);
    const league = { tournament, sport, matches, elo: eloForecast(tournament, matches) };
    seasons.push(...(await backtestTournament(league, { ...options, onProgress }, checkpoints)));
  }
  options.onProgress?.(1, '');
  return buildReport(seasons);
}

async function modelled(
  source: MatchSource,
  wanted: readonly number[] | undefined,
): Promise<{ tournament: HistoryTournament; sport: SportParameters }[]> {
  return (await listTournaments(source, wanted)).flatMap((tournament) => {
    const sport = sportParameters(tournament.sport);
    if (!sport && wanted) throw new Error(`there is no model for ${tournament.sport}, the sport of ${tournament.name}`);
    return sport ? [{ tournament, sport }] : [];
  });
}

interface League {
  tournament: HistoryTournament;
  sport: SportParameters;
  /** Ordered by start. */
  matches: readonly HistoryMatch[];
  elo: EloForecasts;
}

async function backtestTournament(
  { tournament, sport, matches, elo }: League,
  { from, to, onProgress }: BacktestOptions,
  checkpoints: Checkpoints,
): Promise<SeasonForecasts[]> {
  const ratings = matches.map(({ id }) => elo.get(id) ?? null);
  const fingerprint = hashInput([VERSION, sport, from, to, matches, ratings]);
  const within = matches.filter(({ start }) => start >= from && start < to);
  const labels = [...new Set(within.map(({ season }) => season))];
  const seasons: SeasonForecasts[] = [];
  for (const [index, season] of labels.entries()) {
    onProgress?.(index / labels.length, season);
    let forecasts = await checkpoints.read(tournament.id, season, fingerprint);
    if (!forecasts) {
      forecasts = forecastSeason(matches, season, { from, to }, sport, elo);
      await checkpoints.write(tournament.id, season, { fingerprint, forecasts });
    }
    seasons.push({ tournament, season, forecasts });
  }
  return seasons;
}

function buildReport(forecast: readonly SeasonForecasts[]): BacktestReport {
  const everything = forecast.flatMap(({ forecasts }) => forecasts);
  // All models are compared on the same matches: those with a forecast from the specification's model.
  const seasons = forecast.map((season) => ({
    ...season,
    forecasts: season.forecasts.filter(({ poisson }) => poisson !== null),
  }));
  const all = seasons.flatMap(({ forecasts }) => forecasts);
  const tournaments = new Map<number, BacktestReport['tournaments'][number]>();
  for (const { tournament, forecasts } of seasons) {
    const { id, name } = tournament;
    tournaments.set(id, { id, name, matches: (tournaments.get(id)?.matches ?? 0) + forecasts.length });
  }
  const labels = [...new Set(seasons.map(({ season }) => season))].sort();
  // Only models with a forecast for every match are compared. In sports without ratings, this leaves out `elo`.
  const own = OWN_MODELS.filter((model) => all.every((match) => match[model] !== null));
  const published = evaluate(everything, PUBLISHED_MODELS);
  return {
    tournaments: [...tournaments.values()],
    period: playedPeriod(all),
    all: evaluate(all, own),
    with_odds: evaluate(all, [...own, 'bookmakers']),
    ...(published && { published: { all: published, leagues: publishedLeagues(forecast) } }),
    seasons: labels.flatMap((label) => {
      const ofSeason = seasons.filter(({ season }) => season === label).flatMap(({ forecasts }) => forecasts);
      const evaluation = evaluate(ofSeason, own);
      return evaluation ? [{ season: label, evaluation }] : [];
    }),
  };
}

/** Compares the published forecasts by tournament, most matches first. */
function publishedLeagues(seasons: readonly SeasonForecasts[]): NonNullable<BacktestReport['published']>['leagues'] {
  const tournaments = new Map(seasons.map(({ tournament }) => [tournament.id, tournament.name]));
  return [...tournaments]
    .flatMap(([id, name]) => {
      const ofLeague = seasons.filter(({ tournament }) => tournament.id === id).flatMap(({ forecasts }) => forecasts);
      const evaluation = evaluate(ofLeague, PUBLISHED_MODELS);
      return evaluation ? [{ id, name, evaluation }] : [];
    })
    .sort((a, b) => b.evaluation.matches - a.evaluation.matches || a.id - b.id);
}
