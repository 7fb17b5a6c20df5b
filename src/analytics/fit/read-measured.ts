/** Reads the matches on which live forecasts are fitted and evaluated. */
import { IN_PLAY_SPORTS } from '../../in-play/index.ts';
import { sportParameters } from '../calibrated/parameters.ts';
import { listTournaments, type MatchSource, type Period } from '../history/match-source.ts';
import { type MeasuredMatch, measuredMatches } from './measured-matches.ts';

export interface MeasuredTournament {
  id: number;
  name: string;
  matches: readonly MeasuredMatch[];
}

/**
 * @param wanted tournament ids; all if absent
 * @throws Error for a tournament that the source does not have, or a source without incidents
 */
export async function readMeasured(
  source: MatchSource,
  wanted: readonly number[] | undefined,
  period: Period,
): Promise<MeasuredTournament[]> {
  if (source.incidents === undefined) throw new Error('this source of matches has no incidents');
  const measured: MeasuredTournament[] = [];
  for (const { id, name, sport } of await listTournaments(source, wanted)) {
    if (!IN_PLAY_SPORTS.includes(sport)) continue;
    const incidents = await source.incidents(id, period);
    if (incidents.size === 0) continue;
    const matches = measuredMatches(await source.matches(id), incidents, period, sportParameters(sport)!);
    measured.push({ id, name, matches });
  }
  return measured;
}
