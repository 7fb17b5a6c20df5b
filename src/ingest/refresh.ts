/** Renders cards anew after a rename, in small slices, so that a renamed league never delays a goal. */
import { transaction } from '../db/postgres.ts';
import { renderCards } from '../matches/card.ts';
import type { ApplyDeps } from './apply.ts';
import { lockMatches, touchMatches, updateMatches } from './store.ts';

/** Matches rendered in one transaction. */
const SLICE = 500;

/** Drains the queue; safe to be called by several at once. */
export async function drainCardRefresh(deps: ApplyDeps): Promise<number> {
  let total = 0;
  for (;;) {
    const ids = await transaction(deps.pool, async (client) => {
      const { rows } = await client.query<{ match_id: number }>(
        'DELETE FROM card_refresh WHERE match_id IN (SELECT match_id FROM card_refresh ORDER BY match_id LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING match_id',
        [SLICE],
      );
      const matches = [
        ...(
          await lockMatches(
            client,
            rows.map((row) => row.match_id),
          )
        ).values(),
      ];
      const updatedAt = `${new Date(deps.clock.now()).toISOString().slice(0, 19)}Z`;
      await updateMatches(
        client,
        matches.map((match) => ({ ...match, version: match.version + 1, updated_at: updatedAt })),
      );
      const found = matches.map((match) => match.id);
      await renderCards(client, found);
      await touchMatches(
        client,
        found.map((match_id) => ({ match_id, tombstone: null })),
      );
      return found;
    });
    deps.changes.publish(ids);
    total += ids.length;
    if (ids.length === 0) return total;
  }
}
