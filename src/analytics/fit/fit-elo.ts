/** The command `touchline fit-elo` fits the curves from Elo differences to probabilities, on early matches only. */
import { ClubElo } from '../elo/clubs.ts';
import { differencesBefore } from '../elo/differences.ts';
import { type EloMatch, type EloModel, eloResult } from '../elo/elo.ts';
import { NationalTeamElo } from '../elo/national-teams.ts';
import { fitOutcomes, outcomeLoss } from '../elo/outcomes.ts';
import type { MatchSource } from '../history/match-source.ts';

/** Club matches for the fit. The first two seasons in football-datasets (from 1993) are left out, because ratings still have to settle. */
const CLUB_PERIOD = ['1995-07-01', '2005-07-01'] as const;
const NATIONAL_PERIOD = ['1950-01-01', '1991-01-01'] as const;

/**
 * Prints the curves for elo/outcomes.ts.
 * @throws Error with a one-line message if the source has no matches in these periods
 */
export async function fitEloCommand(source: MatchSource, say: (line: string) => void): Promise<void> {
  const rated = await source.ratedMatches?.();
  if (rated === undefined) throw new Error('these matches have no ratings');
  say(fitted('clubs', new ClubElo(rated.seasons), rated.clubs, CLUB_PERIOD));
  say(fitted('national teams', new NationalTeamElo(), rated.national, NATIONAL_PERIOD));
}

function fitted<M extends EloMatch>(
  of: string,
  model: EloModel<M>,
  matches: readonly M[],
  period: readonly [from: string, to: string],
): string {
  const [from, to] = [Date.parse(period[0]) / 1000, Date.parse(period[1]) / 1000];
  const differences = differencesBefore(model, matches);
  const early = matches
    .filter(({ start }) => start >= from && start < to)
    .map((match) => ({ difference: differences.get(match.id)!, result: eloResult(match) }));
  const curve = fitOutcomes(early);
  const figures = `slope ${curve.slope.toPrecision(3)}, draw ${curve.draw.toPrecision(3)}`;
  return `${of}: ${figures}; log-loss ${outcomeLoss(early, curve).toFixed(4)} of ${early.length.toLocaleString('en')} matches from ${period[0]} until ${period[1]}`;
}
