/** Gives incidents ids that stay over edits, and finds what was added, edited and removed. */
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '../db/fold.ts';
import { isIncidentKind } from '../matches/incident-kinds.ts';
import type { Incident } from '../matches/schema.ts';
import type { FeedIncident } from './feed.ts';

export type Draft = Omit<Incident, 'id'> & { providerId: string | undefined };

/** One wire incident without its id. `playerId` gives our id for a player reference, or null. */
export function draftIncident(
  given: FeedIncident,
  playerId: (ref: NonNullable<FeedIncident['player']>) => number | null,
): Draft {
  const known = isIncidentKind(given.kind);
  const payload = known || 'raw_kind' in given.payload ? given.payload : { ...given.payload, raw_kind: given.kind };
  return {
    providerId: given.id,
    minute: given.minute,
    minute_plus: given.minute_plus,
    period: given.period,
    kind: known ? given.kind : 'other',
    side: given.side,
    player_name: given.player?.name ?? null,
    player_participant_id: given.player ? playerId(given.player) : null,
    assist_name: given.assist?.name ?? null,
    assist_participant_id: given.assist ? playerId(given.assist) : null,
    payload,
  };
}

export interface IncidentChanges {
  incidents: Incident[];
  /** Incident id -> the provider's id, where it gave one. */
  source: Record<string, string>;
  added: Incident[];
  edited: { before: Incident; after: Incident }[];
  removed: Incident[];
  lastId: number;
}

type Likeness = (stored: Incident, draft: Draft, storedProviderId: string | undefined) => boolean;

const sameWords = (stored: Incident, draft: Draft) =>
  stored.kind === draft.kind &&
  stored.side === draft.side &&
  foldName(stored.player_name ?? '') === foldName(draft.player_name ?? '');
const sameMoment = (stored: Incident, draft: Draft) =>
  stored.minute === draft.minute && stored.minute_plus === draft.minute_plus;
/** Two ids of one provider that differ are two incidents, however alike. */
const mayBeOne = (draft: Draft, storedProviderId: string | undefined) =>
  draft.providerId === undefined || storedProviderId === undefined;
/** Minutes by which a source may correct the time of an incident that has no id. */
const MINUTE_TOLERANCE = 2;

/** From the surest to the loosest; each stored incident and each draft is used once. */
const PASSES: Likeness[] = [
  (_stored, draft, id) => draft.providerId !== undefined && draft.providerId === id,
  (stored, draft, id) => mayBeOne(draft, id) && sameWords(stored, draft) && sameMoment(stored, draft),
  (stored, draft, id) =>
    mayBeOne(draft, id) &&
    sameWords(stored, draft) &&
    Math.abs((stored.minute ?? 0) - (draft.minute ?? 0)) <= MINUTE_TOLERANCE,
  (stored, draft, id) =>
    mayBeOne(draft, id) && stored.kind === draft.kind && stored.side === draft.side && sameMoment(stored, draft),
];

/**
 * @param storedSource provider's ids of the stored ones; pass `{}` when another provider wrote them.
 * @param lastId the highest id ever given in this match: ids are never used again.
 */
export function matchIncidents(
  stored: readonly Incident[],
  storedSource: Record<string, string>,
  drafts: readonly Draft[],
  lastId: number,
): IncidentChanges {
  const free = new Set(stored);
  const found = new Map<Draft, Incident>();
  for (const alike of PASSES) {
    for (const draft of drafts) {
      if (found.has(draft)) continue;
      for (const candidate of free) {
        if (!alike(candidate, draft, storedSource[candidate.id])) continue;
        found.set(draft, candidate);
        free.delete(candidate);
        break;
      }
    }
  }
  const changes: IncidentChanges = { incidents: [], source: {}, added: [], edited: [], removed: [...free], lastId };
  for (const draft of drafts) {
    const before = found.get(draft);
    const { providerId, ...fields } = draft;
    const incident: Incident = { id: before?.id ?? ++changes.lastId, ...fields };
    changes.incidents.push(incident);
    if (providerId !== undefined) changes.source[incident.id] = providerId;
    if (before === undefined) changes.added.push(incident);
    else if (!isDeepStrictEqual(before, incident)) changes.edited.push({ before, after: incident });
  }
  return changes;
}

export interface PlayerRow {
  side: 'home' | 'away';
  player_key: string;
  participant_id: number | null;
  player_name: string;
  appeared: boolean;
  goals: number;
  penalties: number;
  assists: number;
}

interface LineupPlayer {
  side: 'home' | 'away';
  player_participant_id: number | null;
  player_name: string;
  is_substitute: boolean;
}

/** Who took part, with goals and assists; own goals and shoot-outs do not count. */
export function playersOf(incidents: readonly Incident[], lineups: readonly LineupPlayer[]): PlayerRow[] {
  const rows = new Map<string, PlayerRow>();
  const row = (side: 'home' | 'away', id: number | null, name: string): PlayerRow => {
    const key = id === null ? foldName(name) : `p${id}`;
    const at = `${side}|${key}`;
    let held = rows.get(at);
    if (held === undefined) {
      held = {
        side,
        player_key: key,
        participant_id: id,
        player_name: name,
        appeared: false,
        goals: 0,
        penalties: 0,
        assists: 0,
      };
      rows.set(at, held);
    }
    return held;
  };
  for (const entry of lineups) {
    if (!entry.is_substitute) row(entry.side, entry.player_participant_id, entry.player_name).appeared = true;
  }
  for (const incident of incidents) {
    const { side, player_name: name } = incident;
    if (side === null || name === null) continue;
    const ownGoal = incident.payload.goal_type === 'own_goal';
    if (incident.kind === 'subst') row(side, incident.player_participant_id, name).appeared = true;
    if (incident.kind !== 'goal' || ownGoal) continue;
    const scorer = row(side, incident.player_participant_id, name);
    scorer.appeared = true;
    scorer.goals += 1;
    if (incident.payload.goal_type === 'penalty') scorer.penalties += 1;
    if (incident.assist_name !== null) {
      const assistant = row(side, incident.assist_participant_id, incident.assist_name);
      assistant.appeared = true;
      assistant.assists += 1;
    }
  }
  return [...rows.values()];
}
