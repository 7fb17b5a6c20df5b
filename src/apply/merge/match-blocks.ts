/** Merges an update's blocks into the match's stored blocks. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Block, Precedence } from '../../identity/precedence.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { Incident } from '../../wire/match.ts';
import { type Bench, markCoaches, remarkCoaches } from '../resolve/coach-cards.ts';
import {
  draftIncident,
  isCoachCard,
  isOwnGoal,
  type NamedPlayer,
  namedPlayers,
  PLAYER_BLOCKS,
  type PlayerId,
  playerSide,
  type Unnumbered,
} from '../resolve/given-players.ts';
import { type BlockRow, parseList, type StoredBlocks, sameJson } from '../stored/blocks.ts';
import { playersBelow, readCovered, withCorrection, withPlayers } from '../stored/correction-overlay.ts';
import {
  type Correction,
  type Entry,
  mayWrite,
  type ObservedAt,
  type Provenance,
  type ProvenanceDraft,
} from '../stored/provenance.ts';
import { editedIncidents, type IncidentChanges, matchIncidents } from './incidents.ts';
import { changedPrices, type ObservedPrice } from './odds.ts';
import { changedPlayers, type LineupPlayer, listPlayers, type PlayerChanges } from './players.ts';
import { mergeStatistics } from './statistics.ts';
import { GIVEN_BLOCKS, wireBlocks } from './wire-blocks.ts';

export interface BlockChanges {
  /**
   * Blocks to write, because their content or their `source` differs. `source` has incident ids, and statistics that are not
   * shown.
   */
  readonly rows: readonly Omit<BlockRow, 'match_id'>[];
  readonly removed: readonly string[];
  /** Names of blocks whose shown content has changed. */
  readonly changed: ReadonlySet<string>;
  readonly incidents: IncidentChanges | null;
  /** Changed players. Null if none has changed. */
  readonly players: PlayerChanges | null;
  /** Names without an id in the written blocks. */
  readonly mentions: readonly NamedPlayer[];
  /** Names that turned out to be coaches' names. Only their mentions are deleted from the block. */
  readonly removedMentions: readonly Pick<NamedPlayer, 'block' | 'side' | 'name'>[];
  /** New and changed prices, for the odds history. */
  readonly prices: readonly ObservedPrice[];
  /** Blocks that differ only in linked players' ids or in our figures. In these blocks, stored names that have no id are left unchanged. */
  readonly relinked: readonly Pick<BlockRow, 'block' | 'json'>[];
}

type Draft<T> = T extends readonly (infer Item)[] ? Item[] : T extends ReadonlySet<infer Item> ? Set<Item> : T;
/** Block changes while they are collected. */
export type BlockDraft = { -readonly [Member in keyof BlockChanges]: Draft<BlockChanges[Member]> };

export const noBlockChanges = (): BlockDraft => ({
  rows: [],
  removed: [],
  changed: new Set(),
  incidents: null,
  players: null,
  mentions: [],
  removedMentions: [],
  prices: [],
  relinked: [],
});

/** Returns the names of the stored blocks that the update has to be compared with. */
export function comparedBlocks({ match }: MatchUpdate): string[] {
  const given: string[] = [...GIVEN_BLOCKS, 'weather' as const].filter((block) => match[block] !== undefined);
  // Player rows come from incidents and line-ups. Incidents, line-ups and coaches decide which cards are coaches' cards.
  return match.incidents || match.lineups || match.coaches
    ? [...new Set([...given, 'incidents', 'lineups', 'coaches'])]
    : given;
}

/** Input for merging blocks. */
export interface BlockMerge {
  precedence: Precedence;
  update: MatchUpdate;
  playerId: PlayerId;
  isListedCoach: Bench['isListed'];
  /** When the provider observed a block, ms. */
  observedAt: ObservedAt;
  stored: StoredBlocks;
  provenance: Provenance;
  /** The highest id ever given to an incident in this match. */
  lastIncidentId: number;
}

/** A merge whose provenance is being written. */
interface Merging extends BlockMerge {
  provenance: ProvenanceDraft;
}

/** Returns the changed blocks, and the provenance, which then has their providers. */
export function mergeBlocks(input: BlockMerge): { blocks: BlockDraft; provenance: Provenance } {
  const merge: Merging = { ...input, provenance: { ...input.provenance } };
  const { update, playerId, stored } = merge;
  const blocks = noBlockChanges();
  mergeGiven(merge, blocks);
  mergeRemoved(merge, blocks);
  let storedIncidents: Incident[] | undefined;
  const incidents = () => {
    storedIncidents ??= parseList(stored.get('incidents'));
    return storedIncidents;
  };
  let given: readonly Unnumbered[] = [];
  if (update.match.incidents !== undefined && mayTake(merge, 'incidents'))
    given = mergeIncidents(merge, incidents(), blocks);
  else if (blocks.changed.has('lineups') || blocks.changed.has('coaches')) markStored(merge, incidents(), blocks);
  if (blocks.changed.has('incidents') || blocks.changed.has('lineups')) {
    const lineups = parseList<LineupPlayer>(stored.get('lineups'));
    const row = blocks.rows.find(({ block }) => block === 'lineups');
    const { sport } = update.match;
    const players = listPlayers(blocks.incidents?.incidents ?? incidents(), row ? parseList(row) : lineups, sport);
    // Most changes to incidents affect at most two players, and writing all players would cost more than the rest of the update.
    blocks.players = changedPlayers(listPlayers(incidents(), lineups, sport), players);
  }
  const written = new Set(blocks.rows.map(({ block }) => block));
  if (PLAYER_BLOCKS.some((block) => written.has(block))) {
    const named = namedPlayers(update, playerId, (index) => given[index] !== undefined && isCoachCard(given[index]));
    const correction = readCovered(merge.provenance);
    const shown = correction === null ? named : shownMentions(named, blocks.incidents?.incidents ?? [], correction);
    blocks.mentions.push(...shown.filter(({ block }) => written.has(block)));
  }
  return { blocks, provenance: merge.provenance };
}

/** Marks a line-up whose entries are stored in the order in which they are shown (see shownBlockSql). */
const ORDERED = { order: 'shown' };

const mayTake = ({ precedence, provenance, update, observedAt }: BlockMerge, block: Block) =>
  mayWrite(precedence, provenance[block], update.provider, observedAt(block), block);

/** Adds the blocks that the update gives, apart from incidents. */
function mergeGiven(merge: Merging, blocks: BlockDraft): void {
  const { precedence, update, playerId, observedAt, stored, provenance } = merge;
  const { provider } = update;
  const odds = stored.get('odds');
  for (const [block, json] of wireBlocks(update, playerId, odds && JSON.parse(odds.json))) {
    const owner: Entry = { provider, observedAt: observedAt(block) };
    const former = stored.get(block);
    if (block === 'statistics') {
      const merged = mergeStatistics(precedence, json, owner, former, provenance);
      if (merged !== null) blocks.rows.push(merged.row);
      if (merged?.differs) blocks.changed.add(block);
      continue;
    }
    if (!mayTake(merge, block)) continue;
    provenance[block] = owner;
    if (former !== undefined && sameJson(former.json, json)) continue;
    blocks.rows.push({ block, json, source: block === 'lineups' ? ORDERED : null });
    blocks.changed.add(block);
    if (block === 'odds') {
      const changed = changedPrices(odds && parseList(odds), parseList({ json }));
      blocks.prices = changed.map((price) => ({ ...price, provider, observed_at: observedAt(block) }));
    }
  }
}

/** Adds the blocks that the update removes. */
function mergeRemoved(merge: Merging, blocks: BlockDraft): void {
  const { update, observedAt, stored, provenance } = merge;
  for (const block of [...GIVEN_BLOCKS, 'weather' as const]) {
    if (update.match[block] !== null || !mayTake(merge, block)) continue;
    provenance[block] = { provider: update.provider, observedAt: observedAt(block) };
    if (!stored.has(block)) continue;
    blocks.removed.push(block);
    blocks.changed.add(block);
  }
}

/** Returns the match's line-ups and coaches. */
function benchOf({ stored, isListedCoach }: BlockMerge, { rows }: Pick<BlockChanges, 'rows'>): Bench {
  const list = <T>(name: string) => parseList<T>(rows.find(({ block }) => block === name) ?? stored.get(name));
  return { lineups: list('lineups'), coaches: list('coaches'), isListed: isListedCoach };
}

/**
 * Marks coaches' cards in the stored incidents again, according to the update's line-ups and coaches. For an update without
 * incidents.
 */
function markStored(merge: BlockMerge, before: readonly Incident[], blocks: BlockDraft): void {
  const after = remarkCoaches(before, benchOf(merge, { rows: [] }), benchOf(merge, blocks));
  const { edited, ...changes } = roleChanges(before, after);
  if (edited.length === 0) return;
  const { source } = merge.stored.get('incidents')!;
  blocks.changed.add('incidents');
  blocks.incidents = {
    incidents: after,
    source: source ?? {},
    added: [],
    edited,
    removed: [],
    lastId: merge.lastIncidentId,
  };
  Object.assign(blocks, changes);
}

/** Returns the changes when stored cards turn out to be coaches' or players' cards. Everything else in the match stays the same. */
export function roleChanges(
  before: readonly Incident[],
  after: readonly Incident[],
): Pick<BlockDraft, 'relinked' | 'mentions' | 'removedMentions'> & Pick<IncidentChanges, 'edited'> {
  const edited = editedIncidents(before, after);
  const relinked = edited.length === 0 ? [] : [{ block: 'incidents', json: JSON.stringify(after) }];
  const mentions = new Map<string, NamedPlayer>();
  const removed = new Map<string, BlockChanges['removedMentions'][number]>();
  for (const { after: card } of edited) {
    const { side, player_name: name } = card;
    if (side === null || name === null) continue;
    const mention = { block: 'incidents', side, name };
    if (isCoachCard(card)) removed.set(`${side}|${name}`, mention);
    else mentions.set(`${side}|${name}`, { ...mention, goals: 0, played: false, participant_id: null });
  }
  return { edited, relinked, mentions: [...mentions.values()], removedMentions: [...removed.values()] };
}

/**
 * Adds the update's incidents. Sometimes only `source` differs, which clients do not see.
 * @returns the incidents, in the update's order
 */
function mergeIncidents(merge: Merging, before: readonly Incident[], blocks: BlockDraft): readonly Unnumbered[] {
  const { update, playerId, observedAt, provenance, lastIncidentId } = merge;
  const { provider } = update;
  const plain = (update.match.incidents ?? []).map((incident) => draftIncident(incident, playerId));
  const given = markCoaches(
    plain.map(({ incident }) => incident),
    benchOf(merge, blocks),
  );
  const drafts = plain.map(({ incident, providerId }, index) => ({ incident: given[index] ?? incident, providerId }));
  const stored = merge.stored.get('incidents');
  const owner = provenance.incidents?.provider;
  // Incident ids from different providers cannot be compared.
  const source = (owner === provider && stored?.source) || {};
  const correction = readCovered(provenance);
  const below = correction === null ? before : withPlayers(before, correction.playersBelow);
  const merged = matchIncidents(below, source, drafts, lastIncidentId, owner !== undefined && owner !== provider);
  const changes = correction === null ? merged : correctedIncidents(merged, before, correction);
  if (correction !== null) {
    const covered = { ...correction, playersBelow: playersBelow(merged.incidents, correction) };
    Object.assign(provenance, withCorrection(provenance, covered));
  }
  const json = JSON.stringify(changes.incidents);
  provenance.incidents = { provider, observedAt: observedAt('incidents') };
  if (stored === undefined || !sameJson(stored.json, json)) {
    blocks.rows.push({ block: 'incidents', json, source: changes.source });
    blocks.changed.add('incidents');
    blocks.incidents = changes;
  } else if (!isDeepStrictEqual(stored.source ?? {}, changes.source)) {
    blocks.rows.push({ block: 'incidents', json: stored.json, source: changes.source });
  }
  return given;
}

/**
 * Returns the changes between shown incidents, whose players may be corrected by hand.
 * @param before the incidents as they were shown
 */
function correctedIncidents(
  { removed, ...changes }: IncidentChanges,
  before: readonly Incident[],
  { players }: Correction,
): IncidentChanges {
  const former = new Map(before.map((incident) => [incident.id, incident]));
  const incidents = changes.incidents.map((incident) => {
    const corrected = players[incident.id];
    if (corrected === undefined) return incident;
    const shown = former.get(incident.id);
    // The corrected name may have been linked to a player since the correction.
    const { player_name, player_participant_id } = shown?.player_name === corrected.player_name ? shown : corrected;
    return { ...incident, player_name, player_participant_id };
  });
  const edited = incidents.flatMap((after) => {
    const shown = former.get(after.id);
    return shown === undefined || isDeepStrictEqual(shown, after) ? [] : [{ before: shown, after }];
  });
  return { ...changes, incidents, edited, removed: removed.map((incident) => former.get(incident.id)!) };
}

/** Returns the shown names without an id. If a name was corrected, the corrected name replaces the provider's. */
function shownMentions(
  named: readonly NamedPlayer[],
  incidents: readonly Incident[],
  { players }: Correction,
): NamedPlayer[] {
  const shown = new Set(
    incidents.flatMap((incident) => [
      `${playerSide(incident)}|${incident.player_name}`,
      `${incident.side}|${incident.assist_name}`,
    ]),
  );
  const kept = named.filter(({ block, side, name }) => block !== 'incidents' || shown.has(`${side}|${name}`));
  const known = new Set(kept.filter(({ block }) => block === 'incidents').map(({ side, name }) => `${side}|${name}`));
  const corrected = incidents.filter((one) => players[one.id] !== undefined && one.player_participant_id === null);
  return [...kept, ...scorerMentions(corrected).filter(({ side, name }) => !known.has(`${side}|${name}`))];
}

/** Returns the goal scorers that have no id, as mentions. */
export function scorerMentions(incidents: readonly Incident[]): NamedPlayer[] {
  const mentions = new Map<string, NamedPlayer>();
  for (const incident of incidents) {
    const side = playerSide(incident);
    const { player_name: name } = incident;
    if (side === null || name === null) continue;
    const goals = incident.kind === 'goal' && !isOwnGoal(incident) ? 1 : 0;
    const known = mentions.get(`${side}|${name}`);
    if (known === undefined)
      mentions.set(`${side}|${name}`, { block: 'incidents', side, name, goals, played: true, participant_id: null });
    else known.goals += goals;
  }
  return [...mentions.values()];
}
