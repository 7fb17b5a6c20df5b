/** Writes what time alone changes in matches: their state, cards, pending changes and events, in one transaction of the caller. */
import type { Queryable } from '../../db/postgres.ts';
import { renderEnvelope } from '../../wire/envelope.ts';
import { wireTime } from '../../wire/time.ts';
import type { MatchEvent } from '../merge/match-events.ts';
import { renderCards } from './render-cards.ts';
import { addPendingChanges, envelopeMatches, type StoredMatch, updateMatches, writeOutbox } from './store.ts';

/** @param changes locked matches with their new state, and the events that report it. @param now ms. @returns their ids */
export async function writeStateChanges(
  client: Queryable,
  now: number,
  changes: readonly { match: StoredMatch; events: readonly MatchEvent[] }[],
): Promise<number[]> {
  const updated_at = wireTime(now);
  await updateMatches(
    client,
    changes.map(({ match, events }) => ({
      ...match,
      sequence: match.sequence + events.length,
      version: match.version + 1,
      updated_at,
    })),
  );
  const ids = changes.map(({ match }) => match.id);
  await renderCards(client, ids);
  await addPendingChanges(
    client,
    ids.map((match_id) => ({ match_id, tombstone: null })),
  );
  const shown = await envelopeMatches(client, ids);
  const rows = changes.flatMap(({ match: { id: match_id, sport, tournament_id, sequence }, events }) =>
    events.map(({ type, ...details }, index) => {
      const data = {
        schema: 1 as const,
        sequence: sequence + index + 1,
        occurred_at: updated_at,
        match: shown.get(match_id)!,
        ...details,
      };
      return { match_id, sport, tournament_id, type, envelope: renderEnvelope(type, data) };
    }),
  );
  await writeOutbox(client, rows);
  return ids;
}
