/** What a batch of match updates comes to: collected match by match, then written in a few statements. */
import { isDeepStrictEqual } from 'node:util';
import type { EntitySession } from '../identity/entities.ts';
import type { Precedence } from '../identity/precedence.ts';
import { type EnvelopeData, renderEnvelope } from '../wire/envelope.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { wireTime } from '../wire/time.ts';
import type { PlayerId } from './blocks.ts';
import { isEmptyBlock, renderCards, stampCards } from './card.ts';
import type { Outcome } from './contract.ts';
import { type Happening, happenings } from './differences.ts';
import { type BlockStep, type HeldBlocks, stepBlocks } from './match-blocks.ts';
import type { MatchState, ResolvedRefs } from './match-state.ts';
import { lockShown } from './pairing.ts';
import type { Provenance } from './provenance.ts';
import { stepFields } from './state.ts';
import * as store from './store.ts';

export interface MatchApplyOptions {
  events: boolean;
  /** ms */
  now: number;
  /** Receives the ids of matches that have changed. */
  changed: number[];
  precedence: Precedence;
}

export interface Prepared {
  update: MatchUpdate;
  refs: ResolvedRefs;
  playerId: PlayerId;
}

interface Entry {
  match: store.StoredMatch;
  before: store.StoredMatch | null;
  happenings: Happening[];
  occurredAt: string;
  blocks: BlockStep;
  /** The groups of the provenance that differ, where the match's own fields do not and no group is gone. */
  noted: Provenance | null;
  /** Whether the card differs in its times and blocks alone. */
  isCardSame: boolean;
}

/** History older than this is final when it is imported (spec: 24 h after the end without a change). */
const FINAL_AFTER_MS = 24 * 3_600_000;
const MATCH_LENGTH_MS = 3 * 3_600_000;

/** New matches have no id until they are written. */
export class MatchPlan {
  private readonly inserts: Entry[] = [];
  private readonly updates: Entry[] = [];
  private readonly deletions: { match: store.StoredMatch; occurredAt: string }[] = [];
  private readonly quiet: { match: store.StoredMatch; provenance: Provenance; rows: BlockStep['rows'] }[] = [];
  private readonly references: { provider: string; external_id: string; match: { id: number } }[] = [];

  private readonly options: MatchApplyOptions;

  constructor(options: MatchApplyOptions) {
    this.options = options;
  }

  /** @param isKnown whether the provider's id is remembered already */
  add(
    { update, refs, playerId }: Prepared,
    before: store.StoredMatch | null,
    held: HeldBlocks,
    isKnown: boolean,
  ): Outcome {
    const state = before && stateOf(before);
    const { after, provenance, faults } = stepFields(
      this.options.precedence,
      state,
      before?.provenance ?? {},
      update,
      refs,
    );
    if (faults.length > 0) return { outcome: 'rejected', errors: faults };
    const blocks = stepBlocks(this.options.precedence, update, playerId, before?.incident_seq ?? 0, held, provenance);
    this.settleFinality(state, after, update, blocks.differ.size > 0);
    const sameFields = isDeepStrictEqual(state, after);
    const sameSources = before !== null && sources(before.provenance) === sources(provenance);
    const changed = blocks.differ.size > 0 || !sameFields || !sameSources;
    const match = changed ? this.nextRow(before, after, provenance, update, blocks) : before!;
    if (!isKnown) this.references.push({ provider: update.provider, external_id: update.match.id, match });
    if (!changed) {
      this.noteQuietly(match, provenance, blocks.rows);
      return { outcome: 'unchanged', matchId: match.id };
    }
    const happened = this.options.events
      ? happenings({ before: state, after, incidents: blocks.incidents, blocks: blocks.differ })
      : [];
    match.sequence += happened.length;
    const occurredAt = wireTime(Date.parse(update.observed_at));
    (before === null ? this.inserts : this.updates).push({
      match,
      before,
      happenings: happened,
      occurredAt,
      blocks,
      noted: sameFields ? notedSince(before!.provenance, provenance) : null,
      isCardSame: sameFields && sameSources && before.detail_at !== null && isAsFull(held, blocks),
    });
    return Object.defineProperty({ outcome: 'accepted' } as Outcome, 'matchId', {
      enumerable: true,
      get: () => match.id,
    });
  }

  remove(update: MatchUpdate, before: store.StoredMatch): Outcome {
    const match = { ...before, sequence: before.sequence + 1 };
    this.deletions.push({ match, occurredAt: wireTime(Date.parse(update.observed_at)) });
    return { outcome: 'accepted', matchId: before.id };
  }

  /** Nothing that a client sees has changed; when it was seen, and under which ids, may have. */
  private noteQuietly(match: store.StoredMatch, provenance: Provenance, rows: BlockStep['rows']): void {
    const timeless = (held: Provenance) =>
      Object.fromEntries(Object.entries(held).map(([group, [owner, , hidden]]) => [group, [owner, hidden]]));
    const ownersDiffer = !isDeepStrictEqual(timeless(match.provenance), timeless(provenance));
    // Imports say nothing that could be late: the time of their file is not worth a write.
    const seenLater = this.options.events && !isDeepStrictEqual(match.provenance, provenance);
    if (ownersDiffer || seenLater || rows.length > 0) this.quiet.push({ match, provenance, rows });
  }

  private settleFinality(
    before: MatchState | null,
    after: MatchState,
    { match }: MatchUpdate,
    blocksDiffer: boolean,
  ): void {
    if (match.finalized !== undefined || after.status !== 'finished') return;
    if (before?.finalized && blocksDiffer) after.finalized = false;
    const old = Date.parse(after.scheduled_start) + MATCH_LENGTH_MS + FINAL_AFTER_MS < this.options.now;
    if (!this.options.events && old) after.finalized = true;
  }

  private nextRow(
    before: store.StoredMatch | null,
    after: MatchState,
    provenance: Provenance,
    update: MatchUpdate,
    blocks: BlockStep,
  ): store.StoredMatch {
    const at = wireTime(this.options.now);
    return {
      ...after,
      id: before?.id ?? 0,
      sequence: before?.sequence ?? 0,
      version: (before?.version ?? 0) + 1,
      incident_seq: blocks.incidents?.lastId ?? before?.incident_seq ?? 0,
      provenance,
      detail_at: blocks.differ.size > 0 ? at : (before?.detail_at ?? null),
      status_changed_at:
        before?.status === after.status ? before.status_changed_at : wireTime(Date.parse(update.observed_at)),
      updated_at: at,
    };
  }

  /** The matches that were not there before. */
  made(): store.StoredMatch[] {
    return this.inserts.map(({ match }) => match);
  }

  async write(session: EntitySession): Promise<void> {
    const { client } = session;
    const ids = await store.newMatchIds(client, this.inserts.length);
    for (const [index, { match }] of this.inserts.entries()) match.id = ids[index]!;
    const entries = [...this.inserts, ...this.updates];
    await this.writeMatches(session);
    await store.rememberMatches(
      client,
      this.references.map(({ match, ...reference }) => ({ ...reference, id: match.id })),
    );
    const rowsOf = (match: store.StoredMatch, rows: BlockStep['rows']) =>
      rows.map((row) => ({ ...row, match_id: match.id }));
    await store.writeBlocks(client, [
      ...entries.flatMap(({ match, blocks }) => rowsOf(match, blocks.rows)),
      ...this.quiet.flatMap(({ match, rows }) => rowsOf(match, rows)),
    ]);
    await store.deleteBlocks(
      client,
      entries.flatMap(({ match, blocks }) => blocks.removed.map((block) => ({ match_id: match.id, block }))),
    );
    await store.replacePlayers(
      client,
      new Map(
        entries.filter(({ blocks }) => blocks.players !== null).map(({ match, blocks }) => [match.id, blocks.players!]),
      ),
    );
    await stampCards(
      client,
      entries.filter(({ isCardSame }) => isCardSame).map(({ match }) => match.id),
    );
    await renderCards(
      client,
      entries.filter(({ isCardSame }) => !isCardSame).map(({ match }) => match.id),
    );
    await this.writeEvents(session);
    await store.touchMatches(client, [...entries.flatMap(touchesOf), ...this.deletions.map(tombstoneOf)]);
    const gone = this.deletions.map(({ match }) => match.id);
    await store.deleteMatches(client, gone);
    this.options.changed.push(...entries.map(({ match }) => match.id), ...gone);
  }

  private async writeMatches({ client }: EntitySession): Promise<void> {
    // A card shows names that must not change between its rendering and the commit.
    await lockShown(
      client,
      this.updates.filter(({ match, before }) => showsOthers(match, before!)).map(({ match }) => match),
    );
    await store.insertMatches(
      client,
      this.inserts.map(({ match }) => match),
    );
    await store.updateVersions(
      client,
      this.updates.flatMap(({ match, noted }) => (noted === null ? [] : [{ match, noted }])),
    );
    await store.updateMatches(
      client,
      this.updates.filter(({ noted }) => noted === null).map(({ match }) => match),
    );
    await store.updateProvenance(
      client,
      this.quiet.map(({ match: { id }, provenance }) => ({ id, provenance })),
    );
  }

  private async writeEvents({ client }: EntitySession): Promise<void> {
    if (!this.options.events) return;
    const told = [...this.inserts, ...this.updates].filter((entry) => entry.happenings.length > 0);
    const gone = this.deletions.map((entry) => ({ ...entry, happenings: [{ type: 'match.deleted' as const }] }));
    const telling: Pick<Entry, 'match' | 'happenings' | 'occurredAt'>[] = [...told, ...gone];
    if (telling.length === 0) return;
    const shown = await store.envelopeMatches(
      client,
      telling.map(({ match }) => match.id),
    );
    const rows = telling.flatMap(({ match, happenings: list, occurredAt }) =>
      list.map(({ type, ...told }, index) => {
        const data: EnvelopeData = {
          schema: 1,
          sequence: match.sequence - list.length + index + 1,
          occurred_at: occurredAt,
          match: shown.get(match.id)!,
          ...told,
        };
        const { id: match_id, sport, tournament_id } = match;
        return { match_id, sport, tournament_id, type, envelope: renderEnvelope(type, data) };
      }),
    );
    await store.writeOutbox(client, rows);
  }
}

function stateOf(match: store.StoredMatch): MatchState {
  const {
    id: _id,
    sequence: _s,
    version: _v,
    incident_seq: _i,
    provenance: _p,
    detail_at: _d,
    status_changed_at: _c,
    updated_at: _u,
    ...state
  } = match;
  return state;
}

/** The groups that another step has noted, which makes each anew; null: one is gone. */
function notedSince(before: Provenance, after: Provenance): Provenance | null {
  if (Object.keys(before).some((group) => !(group in after))) return null;
  return Object.fromEntries(Object.entries(after).filter(([group, owner]) => owner !== before[group]));
}

/** Whether the card's `completeness` stays as it is. */
const isAsFull = (held: HeldBlocks, { rows, removed, differ }: BlockStep) =>
  removed.length === 0 &&
  !differ.has('weather') &&
  rows.every(({ block, json }) => isEmptyBlock(json) === isEmptyBlock(held.get(block)?.json));

/** The providers that `meta.sources` names, as one text. */
const sources = (provenance: Provenance): string => {
  const shown = new Set<string>();
  for (const [provider, , hidden] of Object.values(provenance)) if (hidden === undefined) shown.add(provider);
  return [...shown].sort().join();
};

const showsOthers = (match: store.StoredMatch, before: store.StoredMatch) =>
  (['tournament_id', 'home_id', 'away_id', 'venue_id'] as const).some((field) => match[field] !== before[field]);

function touchesOf({ match, before }: Entry): store.Touch[] {
  const touch: store.Touch = { match_id: match.id, tombstone: null };
  if (before === null || (before.sport === match.sport && before.tournament_id === match.tournament_id)) return [touch];
  const { sport, tournament_id } = before;
  return [{ match_id: match.id, tombstone: { reason: 'moved', sport, tournament_id } }, touch];
}

const tombstoneOf = ({ match: { id, sport, tournament_id } }: { match: store.StoredMatch }): store.Touch => ({
  match_id: id,
  tombstone: { reason: 'deleted', sport, tournament_id },
});
