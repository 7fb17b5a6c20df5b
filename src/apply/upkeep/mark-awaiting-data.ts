/**
 * Marks matches without news (see stored/awaiting-data.ts). An update removes the mark (see merge-match.ts). The mark is also
 * removed if the clock has been set back to a time before the match's start.
 */
import { type Queryable, transaction } from '../../db/postgres.ts';
import { BUILT_IN, type Precedence } from '../../identity/precedence.ts';
import { wireTime } from '../../wire/time.ts';
import { storedMatchChange } from '../merge/match-change.ts';
import { type MatchEvent, matchEvents } from '../merge/match-events.ts';
import { isAwaitingData, SOONEST_MS } from '../stored/awaiting-data.ts';
import { readProvenance, type StoredProvenance } from '../stored/provenance.ts';
import { lockMatches, type StoredMatch } from '../stored/stored-match.ts';
import type { MatchDeps } from '../update-outcomes.ts';
import { commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';

/** Matches whose mark is changed in one transaction. */
const SLICE = 200;

interface Candidate
  extends Pick<StoredMatch, 'id' | 'sport' | 'status' | 'status_detail' | 'awaiting_data' | 'time_tbd' | 'provenance'> {
  scheduled_start: string;
}

/** True if the mark has to change. */
const isDue = (match: Candidate | StoredMatch, now: number) =>
  isAwaitingData(match, match.provenance, now) !== match.awaiting_data;

/** Marks matches without news, and removes the mark from matches that have not started. @returns how many matches changed */
export async function markAwaitingData(deps: MatchDeps): Promise<number> {
  const precedence = deps.config?.precedence ?? BUILT_IN;
  let total = 0;
  let after: { start: string; id: number } | null = null;
  for (;;) {
    const now = deps.clock.now();
    const candidates: Candidate[] = await candidatesAt(deps.pool, now, after);
    const last = candidates.at(-1);
    if (last === undefined) return total;
    after = { start: last.scheduled_start, id: last.id };
    const due = candidates.filter((match) => isDue(match, now)).map(({ id }) => id);
    if (due.length === 0) continue;
    const changed = await transaction(deps.pool, (client) => changeMarks(client, precedence, due, now));
    deps.changes.publish(changed);
    total += changed.length;
  }
}

/** Returns one page of matches whose mark may have to change, ordered by start. */
async function candidatesAt(
  db: Queryable,
  now: number,
  after: { start: string; id: number } | null,
): Promise<Candidate[]> {
  const { rows } = await db.query<Omit<Candidate, 'provenance'> & { provenance: StoredProvenance }>({
    name: 'candidates for awaiting data',
    text: `SELECT id, sport, status, status_detail, awaiting_data, time_tbd, provenance,
       to_char(scheduled_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS scheduled_start
     FROM (
       SELECT * FROM match WHERE status <> 'finished' AND NOT awaiting_data AND scheduled_start <= $1
       UNION ALL
       SELECT * FROM match WHERE status = 'scheduled' AND awaiting_data AND scheduled_start > $1
     ) m
     WHERE (m.scheduled_start, m.id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::bigint, 0))
     ORDER BY m.scheduled_start, m.id LIMIT ${SLICE}`,
    values: [wireTime(now - SOONEST_MS), after?.start ?? null, after?.id ?? null],
  });
  return rows.map((row) => ({ ...row, provenance: readProvenance(row.provenance) }));
}

async function changeMarks(
  client: Queryable,
  precedence: Precedence,
  ids: readonly number[],
  now: number,
): Promise<number[]> {
  const locked = await lockMatches(client, ids);
  // Checked again under the lock, because an update may have arrived in the meantime.
  const due = [...locked.values()].filter((match) => isDue(match, now));
  const changes = due.map((match) => {
    const mark = { awaiting_data: !match.awaiting_data };
    return storedMatchChange(match, mark, { events: changeEvents(precedence, match, { ...match, ...mark }) });
  });
  return shownMatches(await commitMatchChanges(client, changes, now));
}

/**
 * Returns the events for the change. Imported history has none, because clients that follow only the stream do not know such
 * matches.
 */
function changeEvents(precedence: Precedence, before: StoredMatch, after: StoredMatch): MatchEvent[] {
  const owner = (before.provenance.status ?? before.provenance.sides)?.provider;
  if (owner !== undefined && !precedence.isLive(owner)) return [];
  return matchEvents({ before, after, incidents: null, blocks: new Set() });
}
