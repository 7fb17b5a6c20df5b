/** Gives incidents ids that survive edits, and finds added, edited and removed incidents. */
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '../../db/fold-name.ts';
import type { Incident } from '../../wire/match.ts';
import type { Draft, Unnumbered } from '../resolve/given-players.ts';

export interface IncidentChanges {
  incidents: Incident[];
  /** Incident id -> the provider's id, if it gave one. */
  source: Record<string, string>;
  added: Incident[];
  edited: { before: Incident; after: Incident }[];
  removed: Incident[];
  lastId: number;
}

/** Returns the incidents in `after` that differ from the incident at the same position in `before`. */
export const editedIncidents = (before: readonly Incident[], after: readonly Incident[]): IncidentChanges['edited'] =>
  after.flatMap((incident, index) => {
    const former = before[index];
    return former === undefined || isDeepStrictEqual(incident, former) ? [] : [{ before: former, after: incident }];
  });

/** A stored or new incident, prepared for comparison. */
class Candidate {
  /** The incident. Only a stored one has an id. */
  readonly incident: Unnumbered & { id?: number };
  readonly providerId: string | undefined;
  #player: string | undefined;

  constructor(incident: Unnumbered, providerId: string | undefined) {
    this.incident = incident;
    this.providerId = providerId;
  }

  /**
   * The player's folded name, or an empty text if no player is named. Computed only when stricter comparisons have found no
   * match.
   */
  get player(): string {
    this.#player ??= foldName(this.incident.player_name ?? '');
    return this.#player;
  }

  /** All fields, as text. */
  text(): string {
    const { id: _id, ...fields } = this.incident;
    return JSON.stringify(fields);
  }
}

/** Maximum number of minutes by which a source may correct the time of an incident without an id. */
const MINUTE_TOLERANCE = 2;

const sameKind = ({ incident: a }: Candidate, { incident: b }: Candidate) => a.kind === b.kind && a.side === b.side;
/** True if the player is the same. The start or end of a period has no player, so the period is compared instead. */
const samePlayer = (a: Candidate, b: Candidate) =>
  a.player === b.player && (a.player !== '' || a.incident.period === b.incident.period);
const sameMoment = ({ incident: a }: Candidate, { incident: b }: Candidate) =>
  a.minute === b.minute && a.minute_plus === b.minute_plus;
const nearMoment = ({ incident: a }: Candidate, { incident: b }: Candidate) =>
  a.minute === null || b.minute === null || Math.abs(a.minute - b.minute) <= MINUTE_TOLERANCE;
/** True if exactly one of the incidents names a player. The name was then added or removed. */
const oneUnnamed = (a: Candidate, b: Candidate) => (a.player === '') !== (b.player === '');
/** True if both may be the same incident. Two different ids from one provider are always two incidents. */
const mayBeOne = (a: Candidate, b: Candidate) => a.providerId === undefined || b.providerId === undefined;

/** Comparisons from the strictest to the loosest. Each stored incident and each draft is paired at most once. */
const PASSES: ((stored: Candidate, draft: Candidate) => boolean)[] = [
  (stored, draft) => samePlayer(stored, draft) && sameMoment(stored, draft),
  (stored, draft) => samePlayer(stored, draft) && nearMoment(stored, draft),
  sameMoment,
  (stored, draft) => oneUnnamed(stored, draft) && nearMoment(stored, draft),
];

/**
 * True if two incidents are close in time. The players are ignored, because a second provider may spell a player differently,
 * or name another one.
 */
const sameMomentOfPeriod = (stored: Candidate, draft: Candidate) => {
  const [a, b] = [stored.incident.period, draft.incident.period];
  return nearMoment(stored, draft) && (a === b || a === null || b === null);
};

/** Returns each draft's stored incident, by the draft's position. */
function pairs(stored: readonly Candidate[], drafts: readonly Candidate[], areOfOther: boolean): Map<number, number> {
  const found = new Map<number, number>();
  const free = new Set(stored.keys());
  const pair = (draft: number, candidate: number) => {
    found.set(draft, candidate);
    free.delete(candidate);
  };
  const pairBy = (
    keyOf: (candidate: Candidate) => string | undefined,
    fits = (_a: Candidate, _b: Candidate) => true,
  ) => {
    const byKey = new Map<string | undefined, number[]>();
    for (const position of free) {
      const key = keyOf(stored[position]!);
      const alike = byKey.get(key);
      if (alike === undefined) byKey.set(key, [position]);
      else alike.push(position);
    }
    for (const [position, draft] of drafts.entries()) {
      if (found.has(position)) continue;
      const key = keyOf(draft);
      if (key === undefined) continue;
      const candidate = byKey.get(key)?.find((one) => free.has(one) && fits(stored[one]!, draft));
      if (candidate !== undefined) pair(position, candidate);
    }
  };
  pairBy(({ providerId }) => providerId);
  // Identical incidents are paired first, in whatever order they are. Looser comparisons follow.
  pairBy((one) => one.text(), mayBeOne);
  for (const alike of areOfOther ? [...PASSES, sameMomentOfPeriod] : PASSES) {
    for (const [position, draft] of drafts.entries()) {
      if (found.has(position)) continue;
      for (const candidate of free) {
        const other = stored[candidate]!;
        if (!sameKind(other, draft) || !mayBeOne(other, draft) || !alike(other, draft)) continue;
        pair(position, candidate);
        break;
      }
    }
  }
  return found;
}

/**
 * Matches drafts with the stored incidents.
 * @param storedSource the provider's ids for the stored incidents; `{}` if another provider wrote them
 * @param lastId the highest id ever given in this match; ids are never reused
 * @param areOfOther true if another provider wrote the stored incidents
 */
export function matchIncidents(
  stored: readonly Incident[],
  storedSource: Record<string, string>,
  drafts: readonly Draft[],
  lastId: number,
  areOfOther = false,
): IncidentChanges {
  const candidates = stored.map((incident) => new Candidate(incident, storedSource[incident.id]));
  const given = drafts.map(({ incident, providerId }) => new Candidate(incident, providerId));
  const found = pairs(candidates, given, areOfOther);
  const paired = new Set(found.values());
  const changes: IncidentChanges = {
    incidents: [],
    source: {},
    added: [],
    edited: [],
    removed: stored.filter((_, position) => !paired.has(position)),
    lastId,
  };
  for (const [position, { incident: fields, providerId }] of given.entries()) {
    const at = found.get(position);
    const before = at === undefined ? undefined : stored[at];
    const incident: Incident = { id: before?.id ?? ++changes.lastId, ...fields };
    changes.incidents.push(incident);
    if (providerId !== undefined) changes.source[incident.id] = providerId;
    if (before === undefined) changes.added.push(incident);
    else if (!isDeepStrictEqual(before, incident)) changes.edited.push({ before, after: incident });
  }
  return changes;
}
