import type { Deps } from '../deps.ts';
import { Problem } from '../http/index.ts';
import { utcDay } from '../wire/time.ts';
import { findSeason, type SeasonRow } from './queries.ts';

/**
 * Returns the given season in a tournament; by default, the current season.
 * @throws {Problem} not_found, if the tournament is unknown, or if the season belongs to another tournament
 */
export async function requireSeason(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  tournamentId: number,
  seasonId: number | undefined,
): Promise<SeasonRow> {
  const found = await findSeason(pool, tournamentId, seasonId, utcDay(clock.now()));
  if (found !== null) return found;
  if (seasonId === undefined) throw new Problem('not_found', `There is no tournament ${tournamentId}.`);
  throw new Problem('not_found', `Tournament ${tournamentId} has no season ${seasonId}.`);
}
