/** Links the staff of stored matches to people. Works in small transactions, without events. */
import { type Queryable, transaction } from '../../db/postgres.ts';
import { joinListedReferees, linkCoaches } from '../../identity/index.ts';
import { storedMatchChange } from '../merge/match-change.ts';
import { loadBlocks } from '../stored/blocks.ts';
import { lockMatches } from '../stored/stored-match.ts';
import type { MatchDeps } from '../update-outcomes.ts';
import { changeInSlices, commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';
import { coachStaff, refereeStaff, storeStaff } from '../write/store-staff.ts';

/** Matches written in one transaction. */
const SLICE = 200;

/**
 * Matches whose staff, or whose coach's Russian name, has not been stored. A name without a letter or digit makes no row. A coach who
 * has been joined to another person is shown with that person's name.
 */
const WITHOUT_STAFF = `SELECT m.id FROM match m WHERE m.referee ~ '[[:alnum:]]'
    AND NOT EXISTS (SELECT FROM match_staff s WHERE s.match_id = m.id AND s.role = 'referee')
  UNION SELECT b.match_id FROM match_block b WHERE b.block = 'coaches' AND b.json ~ '"coach_name":"[^"]*[[:alnum:]]'
    AND NOT EXISTS (SELECT FROM match_staff s WHERE s.match_id = b.match_id AND s.role = 'coach')
  UNION SELECT s.match_id FROM match_staff s JOIN match_block b ON b.match_id = s.match_id AND b.block = 'coaches' AND b.json LIKE '%"coach_name_ru":"%'
      JOIN participant p ON p.id = s.participant_id
    WHERE s.role = 'coach' AND p.name_ru IS NULL AND p.person_id IS NULL AND b.json::json -> s.position ->> 'coach_name_ru' ~ '[[:alnum:]]'
      AND NOT EXISTS (SELECT FROM participant_alias a WHERE a.participant_id = p.id AND a.locale = 'ru')
  ORDER BY 1`;

/**
 * Stores the staff of matches that a process of an earlier release has written, since such a process knows only the names, and in
 * the first releases only the English ones.
 * @returns the number of matches that got their staff
 */
export async function fillStaff(deps: MatchDeps, pause: () => Promise<unknown>): Promise<number> {
  const { rows } = await deps.pool.query<{ id: number }>(WITHOUT_STAFF);
  const ids = rows.map(({ id }) => id);
  return changeInSlices(deps, ids, { size: SLICE, events: false, work: fillSlice, pause });
}

async function fillSlice(client: Queryable, ids: readonly number[], now: number): Promise<number[]> {
  const matches = [...(await lockMatches(client, ids)).values()];
  const blocks = await loadBlocks(client, ids, ['coaches']);
  await storeStaff(
    client,
    matches.flatMap((match) => [refereeStaff(match), coachStaff(match, blocks.get(match.id)?.get('coaches'))]),
  );
  const changes = matches.map((match) => storedMatchChange(match));
  return shownMatches(await commitMatchChanges(client, changes, now));
}

/** Joins coaches and referees to the people that they are. @returns the number of matches that show another id */
export async function joinStaff(deps: MatchDeps, pause: () => Promise<unknown>): Promise<number> {
  const changed = await transaction(deps.pool, async (client) => [
    ...(await joinListedReferees(client)),
    ...(await linkCoaches(client)),
  ]);
  return changed.length === 0 ? 0 : refreshStaff(deps, changed, pause);
}

/** Gives the matches of these referees and coaches a new version, because the cards show other ids. @returns how many */
export async function refreshStaff(
  deps: MatchDeps,
  participants: readonly number[],
  pause?: () => Promise<unknown>,
): Promise<number> {
  const { rows } = await deps.pool.query<{ id: number }>(
    'SELECT DISTINCT match_id AS id FROM match_staff WHERE participant_id = ANY ($1) ORDER BY 1',
    [participants],
  );
  const work = async (client: Queryable, ids: readonly number[], now: number) => {
    const changes = [...(await lockMatches(client, ids)).values()].map((match) => storedMatchChange(match));
    return shownMatches(await commitMatchChanges(client, changes, now));
  };
  const ids = rows.map(({ id }) => id);
  return changeInSlices(deps, ids, { size: SLICE, events: false, work, ...(pause && { pause }) });
}
