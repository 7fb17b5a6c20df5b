/** Players of an update of whom only the name is known. */
import { isIdentified } from '../identity/identity.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { givenPlayers, type PlayerId } from './wire-blocks.ts';

export interface NamedPlayer {
  block: string;
  side: 'home' | 'away';
  name: string;
  goals: number;
  /** null: not linked yet. */
  participant_id: number | null;
}

/** The players of an update of whom only the name and the side are known, each once a block. */
export function namedPlayers(update: MatchUpdate, playerId: PlayerId): NamedPlayer[] {
  const named = new Map<string, NamedPlayer>();
  for (const { ref, block, side, goals } of givenPlayers(update)) {
    if (side === null || isIdentified(ref)) continue;
    const key = `${block}|${side}|${ref.name}`;
    const known = named.get(key);
    if (known === undefined)
      named.set(key, { block, side, name: ref.name, goals, participant_id: playerId(ref, side) });
    else known.goals += goals;
  }
  return [...named.values()];
}
