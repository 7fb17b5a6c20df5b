/** Marks matches without news: see awaiting-data.ts. An update ends the mark: see merge-match.ts. */
import { type Queryable, transaction } from '../../db/postgres.ts';
import { BUILT_IN, type Precedence } from '../../identity/precedence.ts';
import { wireTime } from '../../wire/time.ts';
import { isAwaitingData, SOONEST_MS } from '../awaiting-data.ts';
import type { MatchDeps } from '../interface.ts';
import { storedMatchChange } from '../match-change.ts';
import { type MatchEvent, matchEvents } from '../merge/match-events.ts';
import { commitMatchChanges } from '../write/commit-match-changes.ts';
import { lockMatches, type StoredMatch } from '../write/store.ts';

/** Matches marked in one transaction. */
const SLICE = 200;

interface Candidate extends Pick<StoredMatch, 'id' | 'sport' | 'status' | 'status_detail' | 'time_tbd' | 'provenance'> {
  scheduled_start: string;
}

/** Marks the matches without news. @returns the number of marked matches */
export async function markAwaitingData(deps: MatchDeps): Promise<number> {
  const precedence = deps.config?.precedence ?? BUILT_IN;
  let total = 0;
  let after: { start: string; id: number } | null = null;
  for (;;) {
    const now = deps.clock.now();
    const candidates: Candidate[] = await unfinishedMatches(deps.pool, now, after);
    const last = candidates.at(-1);
    if (last === undefined) return total;
    after = { start: last.scheduled_start, id: last.id };
    const due = candidates.filter((match) => isAwaitingData(match, match.provenance, now)).map(({ id }) => id);
    if (due.length === 0) continue;
    const marked = await transaction(deps.pool, (client) => mark(client, precedence, due, now));
    deps.changes.publish(marked);
    total += marked.length;
  }
}

/** Returns a page of the matches that may be due, by start. */
async function unfinishedMatches(
  db: Queryable,
  now: number,
  after: { start: string; id: number } | null,
): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>({
    name: 'unfinished matches',
    text: `SELECT id, sport, status, status_detail, time_tbd, provenance,
       to_char(scheduled_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS scheduled_start
     FROM match WHERE status <> 'finished' AND NOT awaiting_data AND scheduled_start <= $1
       AND (scheduled_start, id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::bigint, 0))
     ORDER BY scheduled_start, id LIMIT ${SLICE}`,
    values: [wireTime(now - SOONEST_MS), after?.start ?? null, after?.id ?? null],
  });
  return rows;
}

async function mark(client: Queryable, precedence: Precedence, ids: readonly number[], now: number): Promise<number[]> {
  const locked = await lockMatches(client, ids);
  // Checked again under the lock: an update may have come in between.
  const due = [...locked.values()].filter(
    (match) => !match.awaiting_data && isAwaitingData(match, match.provenance, now),
  );
  const awaiting = { awaiting_data: true };
  const changes = due.map((match) =>
    storedMatchChange(match, awaiting, { events: changeEvents(precedence, match, { ...match, ...awaiting }) }),
  );
  return commitMatchChanges(client, changes, now);
}

/** Returns the events of the mark; none for imported history, whose matches clients who follow the stream alone do not know. */
function changeEvents(precedence: Precedence, before: StoredMatch, after: StoredMatch): MatchEvent[] {
  const [owner] = before.provenance.status ?? before.provenance.sides ?? [];
  if (owner !== undefined && !precedence.isLive(owner)) return [];
  return matchEvents({ before, after, incidents: null, blocks: new Set() });
}
