/**
 * Marks coaches' cards in stored matches if an earlier release, or an earlier version of the reviewed list, took them for
 * players' cards. Removes the coaches' names from the players. Works in small transactions, without events.
 */
import type { Queryable } from '../../db/postgres.ts';
import { isListedCoach, mayBeListedCoach, type StoredNamed } from '../../identity/index.ts';
import type { Incident } from '../../wire/match.ts';
import { DAY_MS, utcDay } from '../../wire/time.ts';
import { noBlockChanges, roleChanges } from '../merge/match-blocks.ts';
import { type MatchChange, storedMatchChange } from '../merge/match-change.ts';
import { changedPlayers, type LineupPlayer, listPlayers } from '../merge/players.ts';
import { type Bench, markCoaches } from '../resolve/coach-cards.ts';
import { loadBlocks, parseList } from '../stored/blocks.ts';
import { lockMatches } from '../stored/stored-match.ts';
import type { MatchDeps } from '../update-outcomes.ts';
import { changeInSlices, commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';

/** Matches written in one transaction. */
const SLICE = 200;

const toDate = (day: number) => utcDay(day * DAY_MS);

/** @returns the number of changed matches */
export async function markStoredCoaches(
  deps: MatchDeps,
  named: readonly StoredNamed[],
  pause: () => Promise<unknown>,
): Promise<number> {
  const listed = new Map<number, Set<string>>();
  const onlyCarded = new Set<number>();
  for (const one of named) {
    await pause();
    const [sport = '', gender = ''] = one.kind.split('|');
    const team = { sport, gender, key: one.team_key };
    const isKnown = mayBeListedCoach(one.name);
    for (const { match_id, block, side, name, day } of one.mentions) {
      if (block !== 'incidents') continue;
      if (!one.hasPlayed) onlyCarded.add(match_id);
      if (!isKnown || !isListedCoach(team, name, toDate(day))) continue;
      listed.set(match_id, (listed.get(match_id) ?? new Set()).add(`${side}|${name}`));
    }
  }
  // If a match's coaches are not stored, only the reviewed list can decide.
  const { rows } = await deps.pool.query<{ match_id: number }>(
    "SELECT match_id FROM match_block WHERE block = 'coaches' AND match_id = ANY ($1)",
    [[...onlyCarded]],
  );
  const ids = [...new Set([...listed.keys(), ...rows.map(({ match_id }) => match_id)])].sort((a, b) => a - b);
  const work = (client: Queryable, slice: readonly number[], now: number) => markSlice(client, slice, listed, now);
  return changeInSlices(deps, ids, { size: SLICE, events: false, work, pause });
}

async function markSlice(
  client: Queryable,
  ids: readonly number[],
  listed: ReadonlyMap<number, ReadonlySet<string>>,
  now: number,
): Promise<number[]> {
  const matches = await lockMatches(client, ids);
  const stored = await loadBlocks(client, ids, ['incidents', 'lineups', 'coaches']);
  const changes: MatchChange[] = [];
  for (const [id, match] of matches) {
    const blocks = stored.get(id);
    if (blocks === undefined) continue;
    const before = parseList<Incident>(blocks.get('incidents'));
    const lineups = parseList<LineupPlayer>(blocks.get('lineups'));
    const coaches = parseList<Bench['coaches'][number]>(blocks.get('coaches'));
    const isListed = (side: string, name: string) => listed.get(id)?.has(`${side}|${name}`) ?? false;
    const after = markCoaches(before, { lineups, coaches, isListed });
    const { edited, ...marked } = roleChanges(before, after);
    if (edited.length === 0) continue;
    const players = changedPlayers(listPlayers(before, lineups, match.sport), listPlayers(after, lineups, match.sport));
    const written = { ...noBlockChanges(), ...marked, changed: new Set(['incidents']), players };
    changes.push(storedMatchChange(match, {}, { blocks: written, hasSameCard: true }));
  }
  return shownMatches(await commitMatchChanges(client, changes, now));
}
