/** Full and Russian names for linked players on a page. Sources abbreviate names, and few have Russian names. */
import { type Names, playerNames } from '../catalogue/index.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/index.ts';
import { readName } from '../identity/player-names.ts';
import type { Blocks, Incident } from '../wire/match.ts';
import { nameOf } from './status-text.ts';

type PlayerNames = ReadonlyMap<number, Names>;

/** Returns the names of the players that line-ups and incidents link to, by player id. */
export async function linkedPlayerNames(db: Queryable, { lineups, incidents }: Blocks): Promise<PlayerNames> {
  const ids = new Set([
    ...(lineups ?? []).map((entry) => entry.player_participant_id),
    ...(incidents ?? []).flatMap((one) => [one.player_participant_id, one.assist_participant_id]),
  ]);
  const known = [...ids].filter((id) => id !== null);
  return known.length === 0 ? new Map() : playerNames(db, known);
}

/** Returns the blocks with the names that a page shows. The name of a player without a link stays the same. */
export function withPlayerNames(blocks: Blocks, names: PlayerNames, lang: Lang): Blocks {
  if (names.size === 0) return blocks;
  const { lineups, incidents } = blocks;
  const show = (id: number | null, written: string) =>
    shownName(id === null ? undefined : names.get(id), written, lang);
  const bySide = new Map<string, string>();
  for (const { side, player_participant_id, player_name } of lineups ?? [])
    bySide.set(`${side}|${player_name}`, show(player_participant_id, player_name));
  for (const { kind, payload, side, player_participant_id, player_name } of incidents ?? [])
    if (
      player_name !== null &&
      !(kind === 'goal' && payload.goal_type === 'own_goal') &&
      player_participant_id !== null
    )
      bySide.set(`${side}|${player_name}`, show(player_participant_id, player_name));
  const substitute = (side: Incident['side'], name: unknown) =>
    typeof name === 'string' ? (bySide.get(`${side}|${name}`) ?? name) : name;
  return {
    ...blocks,
    ...(lineups && {
      lineups: lineups.map((entry) => ({
        ...entry,
        player_name: show(entry.player_participant_id, entry.player_name),
      })),
    }),
    ...(incidents && {
      incidents: incidents.map((one) => ({
        ...one,
        player_name: one.player_name && show(one.player_participant_id, one.player_name),
        assist_name: one.assist_name && show(one.assist_participant_id, one.assist_name),
        payload: {
          ...one.payload,
          ...('player_in' in one.payload && { player_in: substitute(one.side, one.payload.player_in) }),
          ...('player_out' in one.payload && { player_out: substitute(one.side, one.payload.player_out) }),
        },
      })),
    }),
  };
}

/** Returns the player's name in Russian, or the full name if the source abbreviates it. */
function shownName(known: Names | undefined, written: string, lang: Lang): string {
  if (known === undefined) return written;
  if (lang === 'ru' && known.name_ru !== null) return nameOf(known, lang);
  return isFull(written) || !isFull(known.name) ? written : known.name;
}

const isFull = (name: string): boolean => {
  const { words, initials } = readName(name);
  return initials.length === 0 && words.length > 1;
};
