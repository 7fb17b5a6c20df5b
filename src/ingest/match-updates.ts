/** Applies match updates within one transaction: resolve, lock, compare, write. */
import type { EnvelopeData } from '../events/envelope.ts';
import { renderEnvelope } from '../events/envelope.ts';
import { renderCards } from '../matches/card.ts';
import type { Incident } from '../matches/schema.ts';
import type { ApplyResult } from './apply.ts';
import { type PlayerRef, playerRefs, wireBlocks } from './blocks.ts';
import { type Happening, happenings } from './differences.ts';
import {
  type EntitySession,
  type ParticipantDescriptor,
  participantKey,
  referenceFaults,
  resolveParticipants,
  resolveSeason,
  resolveTournament,
  resolveVenue,
} from './entities.ts';
import type { MatchUpdate } from './feed.ts';
import { draftIncident, type IncidentChanges, matchIncidents, type PlayerRow, playersOf } from './incidents.ts';
import { type MatchState, mayWrite, type Provenance, type ResolvedRefs, sameJson, stepFields } from './state.ts';
import * as store from './store.ts';

export interface MatchApplyOptions {
  events: boolean;
  /** ms */
  now: number;
  /** Receives the ids of matches that have changed. */
  changed: number[];
}

type Outcome = Omit<ApplyResult, 'index'>;

/** History older than this is final when it is imported (spec: 24 h after the end without a change). */
const FINAL_AFTER_MS = 24 * 3_600_000;
const MATCH_LENGTH_MS = 3 * 3_600_000;

interface Prepared {
  update: MatchUpdate;
  refs: ResolvedRefs;
  playerId: (ref: PlayerRef) => number | null;
}

export async function applyMatchUpdates(
  session: EntitySession,
  updates: MatchUpdate[],
  options: MatchApplyOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = updates.map(({ match }) => {
    const errors = referenceFaults(session.cache, [
      { path: 'match', sport: match.sport },
      { path: 'match.tournament', country: match.tournament.country },
      { path: 'match.home', country: match.home.country },
      { path: 'match.away', country: match.away.country },
      ...(match.venue ? [{ path: 'match.venue', country: match.venue.country }] : []),
    ]);
    return errors.length > 0 ? { outcome: 'rejected', errors } : { outcome: 'unchanged' };
  });
  const sound = updates
    .map((update, index) => ({ update, index }))
    .filter(({ index }) => outcomes[index]!.outcome !== 'rejected');
  const prepared = await resolveReferences(
    session,
    sound.map(({ update }) => update),
  );
  const stored = await findMatches(session, prepared);
  const plan = new Plan(options);
  const wanted = new Set(prepared.flatMap(({ update }) => blocksOf(update)));
  const blocks = await store.loadBlocks(
    session.client,
    [...stored.values()].map((match) => match.id),
    [...wanted],
  );
  prepared.forEach((entry, position) => {
    const index = sound[position]!.index;
    const before = stored.get(position) ?? null;
    outcomes[index] = plan.add(entry, before, (before && blocks.get(before.id)) ?? new Map());
  });
  await plan.write(session);
  return outcomes;
}

/** Names of the stored blocks that an update is compared with. */
function blocksOf({ match }: MatchUpdate): string[] {
  const given = Object.keys(match).filter((key) => match[key as keyof typeof match] !== undefined);
  // Players are derived from both.
  return given.includes('incidents') || given.includes('lineups') ? [...given, 'incidents', 'lineups'] : given;
}

async function resolveReferences(session: EntitySession, updates: MatchUpdate[]): Promise<Prepared[]> {
  const described = updates.map((update) => {
    const { provider, match } = update;
    const gender = match.tournament.gender;
    const common = { provider, sport: match.sport, gender };
    const side = (ref: MatchUpdate['match']['home']): ParticipantDescriptor => ({ ...common, ...ref });
    const player = (ref: PlayerRef): ParticipantDescriptor => ({ ...common, type: 'player', ...ref });
    return { update, home: side(match.home), away: side(match.away), player, players: playerRefs(update).map(player) };
  });
  const ids = await resolveParticipants(
    session,
    described.flatMap(({ home, away, players }) => [home, away, ...players]),
  );
  const prepared: Prepared[] = [];
  for (const { update, home, away, player } of described) {
    const { provider, match } = update;
    const tournament_id = await resolveTournament(session, { provider, sport: match.sport, ...match.tournament });
    const season_id = await resolveSeason(session, tournament_id, match.season);
    const venue_id = match.venue ? await resolveVenue(session, { provider, ...match.venue }) : match.venue;
    prepared.push({
      update,
      refs: {
        tournament_id,
        season_id,
        home_id: ids.get(participantKey(home))!,
        away_id: ids.get(participantKey(away))!,
        venue_id,
      },
      playerId: (ref) => ids.get(participantKey(player(ref))) ?? null,
    });
  }
  return prepared;
}

/** The stored matches, locked, by position. */
async function findMatches(session: EntitySession, prepared: Prepared[]): Promise<Map<number, store.StoredMatch>> {
  const { client } = session;
  const found = new Map<number, number>();
  for (const [provider, group] of groupBy([...prepared.entries()], ([, { update }]) => update.provider)) {
    const known = await store.matchesByExternalId(
      client,
      provider,
      group.map(([, { update }]) => update.match.id),
    );
    for (const [position, { update }] of group) {
      const id = known.get(update.match.id);
      if (id !== undefined) found.set(position, id);
    }
  }
  const open = [...prepared.entries()].filter(([position]) => !found.has(position));
  if (open.length > 0) {
    const pairings = open.map(([index, { update, refs }]) => ({
      index,
      provider: update.provider,
      external_id: update.match.id,
      ...refs,
      scheduled_start: update.match.scheduled_start ?? null,
    }));
    for (const [position, id] of await store.matchesByPairing(client, pairings)) found.set(position, id);
  }
  const locked = await store.lockMatches(client, [...found.values()]);
  const stored = new Map<number, store.StoredMatch>();
  for (const [position, id] of found) {
    const match = locked.get(id);
    if (match !== undefined) stored.set(position, match);
  }
  return stored;
}

type HeldBlocks = ReadonlyMap<string, store.BlockRow>;

/** Collects what a batch writes. New matches have no id until it is written. */
class Plan {
  private readonly inserts: Entry[] = [];
  private readonly updates: Entry[] = [];
  private readonly deletions: Entry[] = [];
  private readonly provenanceOnly: { id: number; provenance: Provenance }[] = [];
  private readonly references: { provider: string; external_id: string; match: { id: number } }[] = [];

  constructor(private readonly options: MatchApplyOptions) {}

  add(prepared: Prepared, before: store.StoredMatch | null, held: HeldBlocks): Outcome {
    const { update } = prepared;
    if (update.match.deleted) return this.remove(update, before);
    const step = stepFields(before && stateOf(before), before?.provenance ?? {}, update, prepared.refs);
    if (step.faults.length > 0) return { outcome: 'rejected', errors: step.faults };
    const blocks = stepBlocks(prepared, before, held, step.provenance);
    this.settleFinality(step.after, update);
    const changed =
      step.changed ||
      blocks.rows.length + blocks.removed.length > 0 ||
      ownersDiffer(before?.provenance ?? {}, step.provenance);
    const match = nextRow(before, step.after, step.provenance, update, this.options.now, changed, blocks);
    this.references.push({ provider: update.provider, external_id: update.match.id, match });
    const result = (outcome: Outcome['outcome']): Outcome =>
      Object.defineProperty({ outcome } as Outcome, 'matchId', { enumerable: true, get: () => match.id });
    if (!changed) {
      if (this.options.events && step.taken) this.provenanceOnly.push({ id: match.id, provenance: step.provenance });
      return result('unchanged');
    }
    const happened = this.options.events
      ? happenings({
          before: before && stateOf(before),
          after: step.after,
          incidents: blocks.incidents,
          blocks: new Set([...blocks.rows, ...blocks.removed].map(({ block }) => block)),
        })
      : [];
    const entry: Entry = { match, before, happenings: happened, update, blocks };
    (before === null ? this.inserts : this.updates).push(entry);
    return result('accepted');
  }

  private remove(update: MatchUpdate, before: store.StoredMatch | null): Outcome {
    if (before === null) return { outcome: 'unchanged' };
    if (!mayWrite(before.provenance.sides, update.provider, Date.parse(update.observed_at), 'sides'))
      return { outcome: 'unchanged', matchId: before.id };
    const match = { ...before, sequence: before.sequence + 1 };
    this.deletions.push({ match, before, happenings: [{ type: 'match.deleted' }], update, blocks: noBlocks });
    return { outcome: 'accepted', matchId: before.id };
  }

  private settleFinality(after: MatchState, update: MatchUpdate): void {
    const old = Date.parse(after.scheduled_start) + MATCH_LENGTH_MS + FINAL_AFTER_MS < this.options.now;
    if (!this.options.events && old && after.status === 'finished' && update.match.finalized === undefined)
      after.finalized = true;
  }

  async write(session: EntitySession): Promise<void> {
    const { client } = session;
    const ids = await store.newMatchIds(client, this.inserts.length);
    this.inserts.forEach(({ match }, index) => {
      match.id = ids[index]!;
    });
    const entries = [...this.inserts, ...this.updates];
    for (const entry of entries) entry.match.sequence += entry.happenings.length;
    await store.insertMatches(
      client,
      this.inserts.map(({ match }) => match),
    );
    await store.updateMatches(
      client,
      this.updates.map(({ match }) => match),
    );
    await store.updateProvenance(client, this.provenanceOnly);
    await store.rememberMatches(client, await this.newReferences(session));
    const rows = entries.flatMap(({ match, blocks }) => blocks.rows.map((row) => ({ ...row, match_id: match.id })));
    await store.writeBlocks(client, rows);
    await store.deleteBlocks(
      client,
      entries.flatMap(({ match, blocks }) => blocks.removed.map(({ block }) => ({ match_id: match.id, block }))),
    );
    await store.replacePlayers(
      client,
      new Map(
        entries.filter(({ blocks }) => blocks.players !== null).map(({ match, blocks }) => [match.id, blocks.players!]),
      ),
    );
    await renderCards(
      client,
      entries.map(({ match }) => match.id),
    );
    await this.writeEvents(session, [...entries, ...this.deletions]);
    await store.touchMatches(client, [...entries, ...this.deletions].flatMap(touchesOf));
    const gone = this.deletions.map(({ match }) => match.id);
    if (gone.length > 0) {
      await client.query("DELETE FROM external_ref WHERE entity = 'match' AND entity_id = ANY ($1)", [gone]);
      await client.query('DELETE FROM match WHERE id = ANY ($1)', [gone]);
    }
    this.options.changed.push(...entries.map(({ match }) => match.id), ...gone);
  }

  /** Ids of providers that are not remembered yet. */
  private async newReferences({ client }: EntitySession) {
    const fresh: { provider: string; external_id: string; id: number }[] = [];
    for (const [provider, group] of groupBy(this.references, (reference) => reference.provider)) {
      const known = await store.matchesByExternalId(
        client,
        provider,
        group.map(({ external_id }) => external_id),
      );
      for (const { external_id, match } of group) {
        if (!known.has(external_id) && match.id > 0) fresh.push({ provider, external_id, id: match.id });
      }
    }
    return fresh;
  }

  private async writeEvents({ client }: EntitySession, entries: readonly Entry[]): Promise<void> {
    const telling = entries.filter((entry) => entry.happenings.length > 0);
    if (telling.length === 0) return;
    const shown = await store.envelopeMatches(
      client,
      telling.map(({ match }) => match.id),
    );
    const rows = telling.flatMap(({ match, happenings: list, update }) =>
      list.map((happening, index) => {
        const data: EnvelopeData = {
          schema: 1,
          sequence: match.sequence - list.length + index + 1,
          occurred_at: `${new Date(update.observed_at).toISOString().slice(0, 19)}Z`,
          match: shown.get(match.id)!,
          ...(happening.incident && { incident: happening.incident }),
          ...(happening.changes && { changes: happening.changes }),
          ...(happening.previous && { previous: happening.previous }),
        };
        return {
          match_id: match.id,
          sport: match.sport,
          tournament_id: match.tournament_id,
          type: happening.type,
          envelope: renderEnvelope(happening.type, data),
        };
      }),
    );
    await store.writeOutbox(client, rows);
  }
}

interface Entry {
  match: store.StoredMatch;
  before: store.StoredMatch | null;
  happenings: Happening[];
  update: MatchUpdate;
  blocks: BlockStep;
}

interface BlockStep {
  rows: Omit<store.BlockRow, 'match_id'>[];
  removed: { block: string }[];
  incidents: IncidentChanges | null;
  /** null: as they were. */
  players: PlayerRow[] | null;
}
const noBlocks: BlockStep = { rows: [], removed: [], incidents: null, players: null };

/** The blocks that differ now; notes in `provenance` whose they are. */
function stepBlocks(
  { update, playerId }: Prepared,
  before: store.StoredMatch | null,
  held: HeldBlocks,
  provenance: Provenance,
): BlockStep {
  const { match, provider } = update;
  const observedAt = Date.parse(update.observed_at);
  const mayTake = (block: string) => mayWrite(provenance[block], provider, observedAt, block);
  const parse = (block: string) => (held.has(block) ? JSON.parse(held.get(block)!.json) : undefined);
  const step: BlockStep = { rows: [], removed: [], incidents: null, players: null };
  for (const [block, json] of wireBlocks(update, playerId, parse('odds'))) {
    if (!mayTake(block)) continue;
    provenance[block] = [provider, observedAt];
    const stored = held.get(block);
    if (stored === undefined || !sameJson(stored.json, json)) step.rows.push({ block, json, source: null });
  }
  if (match.weather === null && held.has('weather') && mayTake('weather')) step.removed.push({ block: 'weather' });
  if (match.incidents !== undefined && mayTake('incidents')) {
    const stored = held.get('incidents');
    const sameProvider = provenance.incidents?.[0] === provider;
    const drafts = match.incidents.map((given) => draftIncident(given, playerId));
    const changes = matchIncidents(
      stored ? (JSON.parse(stored.json) as Incident[]) : [],
      (sameProvider && stored?.source) || {},
      drafts,
      before?.incident_seq ?? 0,
    );
    provenance.incidents = [provider, observedAt];
    const json = JSON.stringify(changes.incidents);
    if (stored === undefined || !sameJson(stored.json, json))
      step.rows.push({ block: 'incidents', json, source: changes.source });
    step.incidents = changes;
  }
  if (step.rows.some(({ block }) => block === 'incidents' || block === 'lineups')) {
    const now = (block: string) =>
      JSON.parse(step.rows.find((row) => row.block === block)?.json ?? held.get(block)?.json ?? '[]');
    step.players = playersOf(now('incidents'), now('lineups'));
  }
  return step;
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

const ownersDiffer = (before: Provenance, after: Provenance) =>
  Object.keys(after).some((group) => before[group]?.[0] !== after[group]![0]);

function nextRow(
  before: store.StoredMatch | null,
  after: MatchState,
  provenance: Provenance,
  update: MatchUpdate,
  now: number,
  changed: boolean,
  blocks: BlockStep,
): store.StoredMatch {
  const at = `${new Date(now).toISOString().slice(0, 19)}Z`;
  return {
    ...after,
    id: before?.id ?? 0,
    sequence: before?.sequence ?? 0,
    version: (before?.version ?? 0) + 1,
    incident_seq: blocks.incidents?.lastId ?? before?.incident_seq ?? 0,
    provenance,
    detail_at: blocks.rows.length > 0 ? at : (before?.detail_at ?? null),
    status_changed_at:
      before?.status === after.status
        ? before.status_changed_at
        : `${new Date(update.observed_at).toISOString().slice(0, 19)}Z`,
    updated_at: changed ? at : before!.updated_at,
  };
}

function touchesOf({ match, before, happenings: list }: Entry): store.Touch[] {
  const touch: store.Touch = { match_id: match.id, tombstone: null };
  if (before === null) return [touch];
  const { sport, tournament_id } = before;
  if (list.some(({ type }) => type === 'match.deleted'))
    return [{ match_id: match.id, tombstone: { reason: 'deleted', sport, tournament_id } }];
  const moved = sport !== match.sport || tournament_id !== match.tournament_id;
  return moved ? [{ match_id: match.id, tombstone: { reason: 'moved', sport, tournament_id } }, touch] : [touch];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
