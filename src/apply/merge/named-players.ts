/** Players of an update of whom only the name is known. */
import { isIdentified } from '../../identity/identity.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { givenPlayers, type PlayerId } from './wire-blocks.ts';

export interface NamedPlayer {
  block: string;
  side: 'home' | 'away';
  name: string;
  goals: number;
  /** False: was only carded, and may be a coach. */
  played: boolean;
  /** null: not linked yet. */
  participant_id: number | null;
}

/** The players of an update of whom only the name and the side are known, each once a block. */
export function namedPlayers(update: MatchUpdate, playerId: PlayerId): NamedPlayer[] {
  const named = new Map<string, NamedPlayer>();
  const incidents = update.match.incidents ?? [];
  const replaced = new Set(incidents.map(({ payload }) => payload.player_out));
  for (const { ref, block, index, side, goals } of givenPlayers(update)) {
    if (side === null || isIdentified(ref)) continue;
    const key = `${block}|${side}|${ref.name}`;
    const known = named.get(key);
    const played = block !== 'incidents' || incidents[index]!.kind !== 'card' || replaced.has(ref.name);
    if (known === undefined) {
      named.set(key, { block, side, name: ref.name, goals, played, participant_id: playerId(ref, side) });
    } else {
      known.goals += goals;
      known.played ||= played;
    }
  }
  return [...named.values()];
}
