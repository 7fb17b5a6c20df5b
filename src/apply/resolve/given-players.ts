/** Lists the players that an update names. */
import { isIdentified } from '../../identity/entity-keys.ts';
import type { PlayerRef } from '../../identity/index.ts';
import type { FeedIncident, MatchUpdate } from '../../wire/feed-update.ts';
import { isIncidentKind } from '../../wire/incident-kinds.ts';
import type { Incident } from '../../wire/match.ts';

/** The side that a player plays for; null if the source does not say. */
export type PlayerSide = 'home' | 'away' | null;
/** Returns our id for a player reference. Null for a name without an id that is not linked yet. */
export type PlayerId = (ref: PlayerRef, side: PlayerSide) => number | null;

/** Blocks that name a side's players. */
export const PLAYER_BLOCKS = ['incidents', 'lineups', 'player_stats', 'shotmap'] as const;
export type PlayerBlock = (typeof PLAYER_BLOCKS)[number];

export interface GivenPlayer {
  ref: PlayerRef;
  block: PlayerBlock;
  /** The entry's position in the block. */
  index: number;
  role: 'player' | 'assist';
  side: PlayerSide;
  /** 1 if this entry is a goal that the player scored. 0 for an own goal or a shoot-out kick. */
  goals: 0 | 1;
}

/** Returns every player that an update refers to. */
export function givenPlayers({ match }: MatchUpdate): GivenPlayer[] {
  const given: GivenPlayer[] = [];
  for (const [index, incident] of (match.incidents ?? []).entries()) {
    const { player, assist, kind, side } = incident;
    const common = { block: 'incidents', index } as const;
    const ownGoal = isOwnGoal(incident);
    if (player !== undefined) {
      const goals = kind === 'goal' && !ownGoal ? 1 : 0;
      given.push({ ...common, ref: player, role: 'player', side: playerSide(incident), goals });
    }
    if (assist !== undefined) given.push({ ...common, ref: assist, role: 'assist', side, goals: 0 });
  }
  for (const block of ['lineups', 'player_stats', 'shotmap'] as const)
    for (const [index, { player, side }] of (match[block] ?? []).entries())
      given.push({ block, index, ref: player, role: 'player', side, goals: 0 });
  return given;
}

interface Scored {
  kind: string;
  side: PlayerSide;
  payload: { goal_type?: unknown };
}
export const isOwnGoal = ({ kind, payload }: Pick<Scored, 'kind' | 'payload'>): boolean =>
  kind === 'goal' && payload.goal_type === 'own_goal';

/** True if a card is a coach's; see `markCoaches`. */
export const isCoachCard = ({ kind, payload }: { kind: string; payload: { role?: unknown } }): boolean =>
  kind === 'card' && payload.role === COACH;
/** The `payload.role` value in a coach's card. */
export const COACH = 'coach';

/**
 * Returns the side of an incident's player. An own goal's side is the one that it counts for, so its scorer belongs to the
 * opponent.
 */
export function playerSide({ kind, side, payload }: Scored): PlayerSide {
  if (side === null || !isOwnGoal({ kind, payload })) return side;
  return side === 'home' ? 'away' : 'home';
}

export interface NamedPlayer {
  block: string;
  side: 'home' | 'away';
  name: string;
  goals: number;
  /** False if the person only got a card, and may therefore be a coach. */
  played: boolean;
  /** Null if the name is not linked yet. */
  participant_id: number | null;
}

/**
 * Returns an update's players of whom only name and side are given, each once per block.
 * @param isCoach true if the incident at that position is a coach's card, which names no player
 */
export function namedPlayers(
  update: MatchUpdate,
  playerId: PlayerId,
  isCoach: (index: number) => boolean = () => false,
): NamedPlayer[] {
  const named = new Map<string, NamedPlayer>();
  const incidents = update.match.incidents ?? [];
  const replaced = new Set(incidents.map(({ payload }) => payload.player_out));
  for (const { ref, block, index, side, goals } of givenPlayers(update)) {
    if (side === null || isIdentified(ref) || (block === 'incidents' && isCoach(index))) continue;
    const key = `${block}|${side}|${ref.name}`;
    const known = named.get(key);
    const played = block !== 'incidents' || incidents[index]?.kind !== 'card' || replaced.has(ref.name);
    if (known === undefined) {
      named.set(key, { block, side, name: ref.name, goals, played, participant_id: playerId(ref, side) });
    } else {
      known.goals += goals;
      known.played ||= played;
    }
  }
  return [...named.values()];
}

/** A wire incident without the id. */
export type Unnumbered = Omit<Incident, 'id'>;

export interface Draft {
  incident: Unnumbered;
  providerId: string | undefined;
}

/** Returns a wire incident without the id. */
export function draftIncident(given: FeedIncident, playerId: PlayerId): Draft {
  const known = isIncidentKind(given.kind);
  const payload = known || 'raw_kind' in given.payload ? given.payload : { ...given.payload, raw_kind: given.kind };
  return {
    providerId: given.id,
    incident: {
      minute: given.minute,
      minute_plus: given.minute_plus,
      period: given.period,
      kind: known ? given.kind : 'other',
      side: given.side,
      player_name: given.player?.name ?? null,
      player_participant_id: given.player ? playerId(given.player, playerSide(given)) : null,
      assist_name: given.assist?.name ?? null,
      assist_participant_id: given.assist ? playerId(given.assist, given.side) : null,
      payload,
    },
  };
}
