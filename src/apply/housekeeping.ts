/** What ingest does by the clock: finality after 24 quiet hours, leftovers of renames, old rejections. */
import type { Logger } from 'pino';
import { transaction } from '../db/postgres.ts';
import { renderEnvelope } from '../wire/envelope.ts';
import { wireTime } from '../wire/time.ts';
import { renderCards } from './card.ts';
import { drainCardRefresh } from './card-refresh.ts';
import type { ApplyDeps } from './contract.ts';
import { envelopeMatches, lockMatches, touchMatches, updateMatches, writeOutbox } from './store.ts';

/** A finished match without a change for this long is final (spec: 24 h). */
export const FINAL_AFTER_MS = 24 * 3_600_000;
/** Rejected updates are kept this long, and so is what came of deletions: news older than that is no longer on its way. */
const KEPT_MS = 30 * 24 * 3_600_000;
const EVERY_MS = 60_000;
/** Matches finalized in one transaction. */
const SLICE = 200;

/** @returns how many matches became final */
export async function finalizeQuietMatches(deps: ApplyDeps): Promise<number> {
  let total = 0;
  for (;;) {
    const now = deps.clock.now();
    const ids = await transaction(deps.pool, async (client) => {
      const due = await client.query<{ id: number }>(
        "SELECT id FROM match WHERE status = 'finished' AND NOT finalized AND updated_at <= $1 ORDER BY updated_at LIMIT $2",
        [wireTime(now - FINAL_AFTER_MS), SLICE],
      );
      const locked = [
        ...(
          await lockMatches(
            client,
            due.rows.map((row) => row.id),
          )
        ).values(),
      ];
      // Looked at again under the lock: a correction may have come in between.
      const quiet = locked.filter(
        (match) =>
          match.status === 'finished' && !match.finalized && Date.parse(match.updated_at) <= now - FINAL_AFTER_MS,
      );
      const final = quiet.map((match) => ({
        ...match,
        finalized: true,
        sequence: match.sequence + 1,
        version: match.version + 1,
        updated_at: wireTime(now),
      }));
      await updateMatches(client, final);
      const found = final.map((match) => match.id);
      await renderCards(client, found);
      await touchMatches(
        client,
        found.map((match_id) => ({ match_id, tombstone: null })),
      );
      const shown = await envelopeMatches(client, found);
      await writeOutbox(
        client,
        final.map(({ id, sport, tournament_id, sequence }) => ({
          match_id: id,
          sport,
          tournament_id,
          type: 'match.finalized',
          envelope: renderEnvelope('match.finalized', {
            schema: 1,
            sequence,
            occurred_at: wireTime(now),
            match: shown.get(id)!,
          }),
        })),
      );
      return found;
    });
    deps.changes.publish(ids);
    total += ids.length;
    if (ids.length === 0) return total;
  }
}

async function dropOld({ pool, clock }: ApplyDeps): Promise<void> {
  const since = clock.now() - KEPT_MS;
  await pool.query('DELETE FROM feed_rejection WHERE received_at < $1', [wireTime(since)]);
  await pool.query('DELETE FROM match_deletion WHERE observed_at < $1', [since]);
}

/** Runs at once, then every minute, never twice at a time. */
export function startMaintenance(deps: ApplyDeps & { logger: Pick<Logger, 'error'> }): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const once = async () => {
    try {
      await finalizeQuietMatches(deps);
      await drainCardRefresh(deps);
      await dropOld(deps);
    } catch (error) {
      deps.logger.error({ err: error }, 'maintenance failed; it is tried again in a minute');
    }
    running = null;
  };
  running = once();
  const timer = setInterval(() => {
    running ??= once();
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
