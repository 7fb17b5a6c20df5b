/** Shots from an importer, for fitting and measuring the expected goals model. */
import { isAttempt, type ModelledShot } from '../../expected-goals/shot-features.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';

/** Match updates with shot maps. */
export type MatchUpdates = AsyncIterable<MatchUpdateInput>;

/** One match's shots. */
export interface ShotMatch {
  /** The league's country, ISO 3166. */
  country: string;
  season: string;
  shots: ModelledShot[];
}

/** Returns the matches that have a shot map, without shoot-out kicks and own goals. */
export async function readShots(updates: MatchUpdates): Promise<ShotMatch[]> {
  const matches: ShotMatch[] = [];
  for await (const { match } of updates) {
    const shots = (match.shotmap ?? [])
      .map(({ side, minute, shotType, situation, bodyPart, x, y }) => ({
        side,
        minute: minute ?? null,
        shotType,
        situation: situation ?? null,
        bodyPart: bodyPart ?? null,
        x: x ?? null,
        y: y ?? null,
      }))
      .filter(isAttempt);
    if (shots.length > 0) matches.push({ country: match.tournament.country, season: match.season.label, shots });
  }
  return matches;
}
