/** The step from the stored blocks of a match and an update to the blocks that must be written. */
import { isDeepStrictEqual } from 'node:util';
import type { Block, Precedence } from '../identity/precedence.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import type { Incident } from '../wire/match.ts';
import { type Draft, draftIncident, type IncidentChanges, matchIncidents } from './incidents.ts';
import { type NamedPlayer, namedPlayers } from './named-players.ts';
import { changedPlayers, type LineupPlayer, listPlayers, type PlayerChanges } from './players.ts';
import { changedPrices, type ObservedPrice } from './price-changes.ts';
import { mayWrite, type ObservedAt, type Provenance, toObservedAt } from './provenance.ts';
import { sameJson } from './same-json.ts';
import { mergeStatistics } from './statistics.ts';
import type { BlockRow } from './store.ts';
import { GIVEN_BLOCKS, PLAYER_BLOCKS, type PlayerId, wireBlocks } from './wire-blocks.ts';

export type StoredBlocks = ReadonlyMap<string, BlockRow>;

export interface BlockChanges {
  /** To be written: blocks that differ, and those that differ only in their `source` (ids of incidents, statistics that are not shown). */
  rows: Omit<BlockRow, 'match_id'>[];
  removed: string[];
  /** Names of the blocks that show something else now. */
  changed: Set<string>;
  incidents: IncidentChanges | null;
  /** null: unchanged. */
  players: PlayerChanges | null;
  /** Names without an id in the blocks that are written. */
  mentions: NamedPlayer[];
  /** New prices, and those that have changed, for the history of odds. */
  prices: ObservedPrice[];
}

/** Names of the stored blocks that an update is compared with. */
export function comparedBlocks({ match }: MatchUpdate): string[] {
  const given: string[] = [...GIVEN_BLOCKS, 'weather' as const].filter((block) => match[block] !== undefined);
  // Players are derived from both.
  return match.incidents || match.lineups ? [...new Set([...given, 'incidents', 'lineups'])] : given;
}

/**
 * The blocks that differ now; records their providers in `provenance`.
 * @param lastIncidentId the highest id ever given to an incident of this match
 */
export function mergeBlocks(
  precedence: Precedence,
  update: MatchUpdate,
  playerId: PlayerId,
  lastIncidentId: number,
  storedBlocks: StoredBlocks,
  provenance: Provenance,
  observedAt: ObservedAt = toObservedAt(update),
): BlockChanges {
  const { match, provider } = update;
  const mayTake = (block: Block) => mayWrite(precedence, provenance[block], provider, observedAt(block), block);
  const changes: BlockChanges = {
    rows: [],
    removed: [],
    changed: new Set(),
    incidents: null,
    players: null,
    mentions: [],
    prices: [],
  };
  const odds = storedBlocks.get('odds');
  let storedIncidents: Incident[] | undefined;
  const incidents = () => {
    storedIncidents ??= parseList(storedBlocks.get('incidents'));
    return storedIncidents;
  };
  for (const [block, json] of wireBlocks(update, playerId, odds && JSON.parse(odds.json))) {
    if (block === 'statistics') {
      const merged = mergeStatistics(
        precedence,
        json,
        [provider, observedAt(block)],
        storedBlocks.get(block),
        provenance,
      );
      if (merged !== null) changes.rows.push(merged.row);
      if (merged?.differs) changes.changed.add(block);
      continue;
    }
    if (!mayTake(block)) continue;
    const stored = storedBlocks.get(block);
    const same = stored !== undefined && sameJson(stored.json, json);
    provenance[block] = [provider, observedAt(block)];
    if (same) continue;
    changes.rows.push({ block, json, source: null });
    changes.changed.add(block);
    if (block === 'odds') {
      const changed = changedPrices(odds && parseList(odds), parseList({ json }));
      changes.prices = changed.map((price) => ({ ...price, provider, observed_at: observedAt(block) }));
    }
  }
  for (const block of [...GIVEN_BLOCKS, 'weather' as const]) {
    if (match[block] !== null || !mayTake(block)) continue;
    provenance[block] = [provider, observedAt(block)];
    if (!storedBlocks.has(block)) continue;
    changes.removed.push(block);
    changes.changed.add(block);
  }
  if (match.incidents !== undefined && mayTake('incidents')) {
    const drafts = match.incidents.map((given) => draftIncident(given, playerId));
    const owner: Provenance[string] = [provider, observedAt('incidents')];
    const stored = storedBlocks.get('incidents');
    const merged = mergeIncidents(drafts, owner, lastIncidentId, stored, incidents(), provenance);
    if (merged.row !== null) changes.rows.push(merged.row);
    if (merged.changes !== null) changes.changed.add('incidents');
    changes.incidents = merged.changes;
  }
  if (changes.changed.has('incidents') || changes.changed.has('lineups')) {
    const lineups = parseList<LineupPlayer>(storedBlocks.get('lineups'));
    const given = changes.rows.find(({ block }) => block === 'lineups');
    const players = listPlayers(changes.incidents?.incidents ?? incidents(), given ? parseList(given) : lineups);
    // Most edits of incidents affect no player or two, and writing all of them costs more than the rest of an update.
    changes.players = changedPlayers(listPlayers(incidents(), lineups), players);
  }
  const written = new Set(changes.rows.map(({ block }) => block));
  if (PLAYER_BLOCKS.some((block) => written.has(block)))
    changes.mentions = namedPlayers(update, playerId).filter(({ block }) => written.has(block));
  return changes;
}

/** The items of a stored list; none where there is no such block. */
export const parseList = <T>(stored: Pick<BlockRow, 'json'> | undefined): T[] =>
  stored ? JSON.parse(stored.json) : [];

/** @returns the row to be written, which may differ only in its `source`, and the changes that clients see; null: none */
function mergeIncidents(
  drafts: readonly Draft[],
  owner: Provenance[string],
  lastId: number,
  stored: BlockRow | undefined,
  before: readonly Incident[],
  provenance: Provenance,
): { row: BlockChanges['rows'][number] | null; changes: IncidentChanges | null } {
  // Another provider's ids cannot be compared with this one's.
  const source = (provenance.incidents?.[0] === owner[0] && stored?.source) || {};
  const isOfOther = provenance.incidents !== undefined && provenance.incidents[0] !== owner[0];
  const changes = matchIncidents(before, source, drafts, lastId, isOfOther);
  const json = JSON.stringify(changes.incidents);
  const same = stored !== undefined && sameJson(stored.json, json);
  provenance.incidents = owner;
  if (!same) return { row: { block: 'incidents', json, source: changes.source }, changes };
  const hasNewIds = !isDeepStrictEqual(stored.source ?? {}, changes.source);
  return { row: hasNewIds ? { block: 'incidents', json: stored.json, source: changes.source } : null, changes: null };
}
