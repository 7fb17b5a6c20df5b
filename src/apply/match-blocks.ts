/** From the blocks that are stored and what a provider says to the blocks that are to be written. */
import { isDeepStrictEqual } from 'node:util';
import type { Block, Precedence } from '../identity/precedence.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import type { Incident } from '../wire/match.ts';
import { GIVEN_BLOCKS, type PlayerId, wireBlocks } from './blocks.ts';
import { type Draft, draftIncident, type IncidentChanges, matchIncidents } from './incidents.ts';
import { type LineupPlayer, type PlayerRow, playersOf } from './players.ts';
import { mayWrite, noteOwner, type Provenance } from './provenance.ts';
import { sameJson } from './same-json.ts';
import { stepStatistics } from './statistics.ts';
import type { BlockRow } from './store.ts';

export type HeldBlocks = ReadonlyMap<string, BlockRow>;

export interface BlockStep {
  /** To be written: blocks that differ, and those of which only the provider's side does (ids of incidents, statistics that are not shown). */
  rows: Omit<BlockRow, 'match_id'>[];
  removed: string[];
  /** Names of the blocks that show something else now. */
  differ: Set<string>;
  incidents: IncidentChanges | null;
  /** null: as they were. */
  players: PlayerRow[] | null;
}

/** Names of the stored blocks that an update is compared with. */
export function comparedBlocks({ match }: MatchUpdate): string[] {
  const given: string[] = [...GIVEN_BLOCKS, 'weather' as const].filter((block) => match[block] !== undefined);
  // Players are derived from both.
  return match.incidents || match.lineups ? [...new Set([...given, 'incidents', 'lineups'])] : given;
}

/**
 * The blocks that differ now; notes in `provenance` whose they are.
 * @param lastIncidentId the highest id ever given to an incident of this match
 */
export function stepBlocks(
  precedence: Precedence,
  update: MatchUpdate,
  playerId: PlayerId,
  lastIncidentId: number,
  held: HeldBlocks,
  provenance: Provenance,
): BlockStep {
  const { match, provider } = update;
  const observedAt = Date.parse(update.observed_at);
  const mayTake = (block: Block) => mayWrite(precedence, provenance[block], provider, observedAt, block);
  const step: BlockStep = { rows: [], removed: [], differ: new Set(), incidents: null, players: null };
  const odds = held.get('odds');
  let heldIncidents: Incident[] | undefined;
  const incidents = () => {
    heldIncidents ??= listOf(held.get('incidents'));
    return heldIncidents;
  };
  for (const [block, json] of wireBlocks(update, playerId, odds && JSON.parse(odds.json))) {
    if (block === 'statistics') {
      const merged = stepStatistics(precedence, json, [provider, observedAt], held.get(block), provenance);
      if (merged !== null) step.rows.push(merged.row);
      if (merged?.differs) step.differ.add(block);
      continue;
    }
    if (!mayTake(block)) continue;
    const stored = held.get(block);
    const same = stored !== undefined && sameJson(stored.json, json);
    noteOwner(precedence, provenance, block, block, [provider, observedAt], same);
    if (same) continue;
    step.rows.push({ block, json, source: null });
    step.differ.add(block);
  }
  for (const block of [...GIVEN_BLOCKS, 'weather' as const]) {
    if (match[block] !== null || !mayTake(block)) continue;
    noteOwner(precedence, provenance, block, block, [provider, observedAt], !held.has(block));
    if (!held.has(block)) continue;
    step.removed.push(block);
    step.differ.add(block);
  }
  if (match.incidents !== undefined && mayTake('incidents')) {
    const drafts = match.incidents.map((given) => draftIncident(given, playerId));
    const giver: Provenance[string] = [provider, observedAt];
    stepIncidents(precedence, step, drafts, giver, lastIncidentId, held.get('incidents'), incidents(), provenance);
  }
  if (step.differ.has('incidents') || step.differ.has('lineups')) {
    const lineups = listOf<LineupPlayer>(held.get('lineups'));
    const given = step.rows.find(({ block }) => block === 'lineups');
    const players = playersOf(step.incidents?.incidents ?? incidents(), given ? listOf(given) : lineups);
    // Most edits of incidents are about something else, and writing them costs more than all else of an update.
    if (!isDeepStrictEqual(players, playersOf(incidents(), lineups))) step.players = players;
  }
  return step;
}

/** What a stored list holds; nothing where there is none. */
const listOf = <T>(stored: Pick<BlockRow, 'json'> | undefined): T[] => (stored ? JSON.parse(stored.json) : []);

function stepIncidents(
  precedence: Precedence,
  step: BlockStep,
  drafts: readonly Draft[],
  giver: Provenance[string],
  lastId: number,
  stored: BlockRow | undefined,
  before: readonly Incident[],
  provenance: Provenance,
): void {
  // Another provider's ids say nothing about this one's.
  const source = (provenance.incidents?.[0] === giver[0] && stored?.source) || {};
  const changes = matchIncidents(before, source, drafts, lastId);
  const json = JSON.stringify(changes.incidents);
  const same = stored !== undefined && sameJson(stored.json, json);
  noteOwner(precedence, provenance, 'incidents', 'incidents', giver, same);
  if (!same) {
    step.rows.push({ block: 'incidents', json, source: changes.source });
    step.differ.add('incidents');
    step.incidents = changes;
  } else if (provenance.incidents?.[0] === giver[0] && !isDeepStrictEqual(source, changes.source)) {
    step.rows.push({ block: 'incidents', json: stored.json, source: changes.source });
  }
}
