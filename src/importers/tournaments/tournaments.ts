/** Turns the canonical tournaments in our list, with rules and points adjustments, into feed updates. */
import { stat } from 'node:fs/promises';
import type { Queryable } from '../../db/postgres.ts';
import { knownTournaments } from '../../identity/canonical-tournaments.ts';
import { LIST_PROVIDER, toTournamentUpdate } from '../../identity/index.ts';
import { wireTime } from '../../wire/time.ts';
import type { Importer } from '../importer.ts';

const LIST = new URL('../../../data/tournaments.yaml', import.meta.url);

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
        update: toTournamentUpdate(entry, observedAt),
      };
    }
  },
};

/**
 * Minimum number of sides in a season whose matches are imported. If a season has fewer, most matches are still to
 * come.
 */
const SIDES_OF_A_LEAGUE = 10;

/**
 * Finds points adjustments with the wrong team or season. The team has no match in that season, although the season's
 * matches have been imported.
 */
export async function adjustmentsWithoutMatches(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ line: string }>(
    `SELECT t.name || ' ' || s.season_label || ': ' || p.name || ' has adjusted points and no match in this season' AS line
     FROM points_decision a JOIN season s ON s.id = a.season_id JOIN tournament t ON t.id = s.tournament_id
     JOIN participant p ON p.id = a.participant_id
     WHERE (SELECT count(DISTINCT m.home_id) FROM match m WHERE m.season_id = s.id) >= $1
       AND NOT EXISTS (SELECT FROM match m WHERE m.season_id = s.id AND p.id IN (m.home_id, m.away_id))
     ORDER BY 1`,
    [SIDES_OF_A_LEAGUE],
  );
  return rows.map(({ line }) => line);
}
