/** The canonical tournaments of our own list, with their rules and points adjustments, as feed updates. */
import { stat } from 'node:fs/promises';
import { type KnownTournament, knownTournaments } from '../identity/tournaments.ts';
import type { FeedUpdateInput } from '../wire/feed-update.ts';
import { wireTime } from '../wire/time.ts';
import type { Importer } from './importer.ts';

export const LIST_PROVIDER = 'touchline';
const LIST = new URL('../identity/tournaments.yaml', import.meta.url);

export const tournaments: Importer = {
  format: 'tournaments',
  provider: LIST_PROVIDER,
  description: 'the built-in list of tournaments, their rules and points adjustments; the path is not read',
  async *read() {
    const observedAt = wireTime((await stat(LIST)).mtime.getTime());
    for (const entry of knownTournaments().all) {
      yield {
        kind: 'update',
        position: `tournaments.yaml: ${entry.name}`,
        update: tournamentUpdateOf(entry, observedAt),
      };
    }
  },
};

/** The entry of a tournament as an update. */
export function tournamentUpdateOf(entry: KnownTournament, observedAt: string): FeedUpdateInput {
  const { sport, country, gender, name, name_ru, tier, importance, amateur, youth, timezone, single_home_fixture } =
    entry;
  const seasons = seasonsOf(entry);
  return {
    schema: 1,
    provider: LIST_PROVIDER,
    observed_at: observedAt,
    kind: 'tournament',
    tournament: {
      sport,
      country,
      gender,
      name,
      ...(name_ru && { name_ru }),
      tier: tier ?? null,
      importance,
      amateur,
      youth,
      ...(timezone && { timezone }),
      single_home_fixture,
      ...(entry.rules && { rules: entry.rules }),
      ...(seasons.length > 0 && { seasons }),
    },
  };
}

/** Seasons with rules or adjustments of their own. */
function seasonsOf(entry: KnownTournament) {
  const labels = new Set([...Object.keys(entry.season_rules), ...Object.keys(entry.adjustments)]);
  return [...labels].sort().map((label) => ({
    label,
    ...(entry.season_rules[label] && { rules: entry.season_rules[label] }),
    ...(entry.adjustments[label] && {
      points_adjustments: Object.entries(entry.adjustments[label]).map(([name, [points, reason]]) => ({
        participant: { name, country: entry.country },
        points,
        reason,
      })),
    }),
  }));
}
