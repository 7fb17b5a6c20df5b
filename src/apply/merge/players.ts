/** A match's players, with goals and assists. Scorer lists and a player's match list use these rows. */
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '../../db/fold-name.ts';
import { findSport } from '../../sports/sports.ts';
import { shownCard } from '../../wire/card-counts.ts';
import type { Blocks, Incident } from '../../wire/match.ts';
import { isCoachCard, isOwnGoal, type PlayerSide, playerSide } from '../resolve/given-players.ts';
import { type BlockRow, parseList, type StoredBlocks } from '../stored/blocks.ts';

type Side = 'home' | 'away';

export interface PlayerRow {
  side: Side;
  /** `p<participant id>`, or the folded name. */
  player_key: string;
  participant_id: number | null;
  player_name: string;
  appeared: boolean;
  /** Goals, or points in sports whose score counts points. */
  goals: number;
  penalties: number;
  assists: number;
  /** Cards as they are shown; `countedCards` (wire/card-counts.ts) counts them. */
  yellow_cards: number;
  red_cards: number;
}

export interface LineupPlayer {
  side: Side;
  player_participant_id: number | null;
  player_name: string;
  is_substitute: boolean;
}

/**
 * Incident kinds that prove that the player was on the field. A card does not, because a player on the bench may also get one.
 */
const PLAYING = ['goal', 'penalty', 'penalty_shootout', 'subst'];

/**
 * Returns a match's player rows. Own goals and shoot-outs do not count as goals. A player with only a card has not appeared,
 * and a coach is no player. A name without an id means the player with the same name who has an id elsewhere in the match.
 * @param sport decides whether goals or points are scored
 */
export function listPlayers(
  incidents: readonly Incident[],
  lineups: readonly LineupPlayer[],
  sport: string,
): PlayerRow[] {
  const scores = findSport(sport)?.score.countedBy === 'point' ? 'point' : 'goal';
  const named = new Set([...PLAYING, scores, 'card']);
  let ids: Map<string, number> | undefined;
  const idOf = (side: Side, name: string) => {
    ids ??= knownIds(incidents, lineups);
    return ids.get(`${side}|${foldName(name)}`) ?? null;
  };
  const rows = new Map<string, PlayerRow>();
  const row = (side: Side, given: number | null, player_name: string): PlayerRow => {
    const participant_id = given ?? idOf(side, player_name);
    const player_key = participant_id === null ? foldName(player_name) : `p${participant_id}`;
    const at = `${side}|${player_key}`;
    const found = rows.get(at) ?? {
      side,
      player_key,
      participant_id,
      player_name,
      appeared: false,
      goals: 0,
      penalties: 0,
      assists: 0,
      yellow_cards: 0,
      red_cards: 0,
    };
    rows.set(at, found);
    return found;
  };
  for (const entry of lineups) {
    if (!entry.is_substitute) row(entry.side, entry.player_participant_id, entry.player_name).appeared = true;
  }
  for (const incident of incidents) {
    const { kind, side, player_name, player_participant_id, assist_name, assist_participant_id, payload } = incident;
    if (side === null || player_name === null || !named.has(kind)) continue;
    if (isCoachCard(incident)) continue;
    const player = row(playerSide(incident)!, player_participant_id, player_name);
    if (kind === 'card') {
      const card = shownCard(incident);
      if (card !== null) player[card] += 1;
      continue;
    }
    player.appeared = true;
    if (kind !== scores || isOwnGoal(incident)) continue;
    player.goals += scores === 'goal' ? 1 : worthInPoints(incident);
    if (payload.goal_type === 'penalty') player.penalties += 1;
    const assistants: [number | null, unknown][] = [
      [assist_participant_id, assist_name],
      [null, payload.second_assist],
    ];
    for (const [id, name] of assistants) {
      if (typeof name !== 'string' || name === '') continue;
      const assistant = row(side, id, name);
      assistant.appeared = true;
      assistant.assists += 1;
    }
  }
  return [...rows.values()];
}

/** No try, basket or run is worth more points. */
const MOST_POINTS = 10;

/** An incident with missing or impossible points adds nothing. */
function worthInPoints({ payload: { points } }: Incident): number {
  return Number.isInteger(points) && Number(points) > 0 && Number(points) <= MOST_POINTS ? Number(points) : 0;
}

export interface PlayerChanges {
  /** New and changed rows. */
  rows: PlayerRow[];
  removed: Pick<PlayerRow, 'side' | 'player_key'>[];
}

/** Returns null if no row differs. */
export function changedPlayers(before: readonly PlayerRow[], after: readonly PlayerRow[]): PlayerChanges | null {
  const at = ({ side, player_key }: PlayerRow) => `${side}|${player_key}`;
  const stored = new Map(before.map((row) => [at(row), row]));
  const rows = after.filter((row) => !isDeepStrictEqual(stored.get(at(row)), row));
  const kept = new Set(after.map(at));
  const removed = before.filter((row) => !kept.has(at(row))).map(({ side, player_key }) => ({ side, player_key }));
  return rows.length + removed.length === 0 ? null : { rows, removed };
}

/** Returns a map from `side|folded name` to the id, for each name that exactly one player with an id has. */
function knownIds(incidents: readonly Incident[], lineups: readonly LineupPlayer[]): Map<string, number> {
  const ids = new Map<string, number>();
  const ambiguous = new Set<string>();
  const note = (side: Side | null, id: number | null, name: string | null) => {
    if (side === null || id === null || name === null) return;
    const key = `${side}|${foldName(name)}`;
    if ((ids.get(key) ?? id) !== id) ambiguous.add(key);
    ids.set(key, id);
  };
  for (const entry of lineups) note(entry.side, entry.player_participant_id, entry.player_name);
  for (const incident of incidents) {
    if (incident.payload.goal_type === 'own_goal') continue;
    note(incident.side, incident.player_participant_id, incident.player_name);
    note(incident.side, incident.assist_participant_id, incident.assist_name);
  }
  for (const key of ambiguous) ids.delete(key);
  return ids;
}

/** Returns the player rows for the players whom stored blocks name. */
export const listStoredPlayers = (blocks: StoredBlocks, sport: string): PlayerRow[] =>
  listPlayers(parseList<Incident>(blocks.get('incidents')), parseList<LineupPlayer>(blocks.get('lineups')), sport);

/** A player whom a block names, with our id. */
interface ShownPlayer {
  side: PlayerSide;
  name: string | null;
  id: number | null;
}

/** Returns a block's JSON with new player ids. */
export function withPlayerIds(
  { block, json }: Pick<BlockRow, 'block' | 'json'>,
  idOf: (player: ShownPlayer) => number | null,
): string {
  const changed = <T>(change: (entry: T) => T) => JSON.stringify(parseList<T>({ json }).map(change));
  switch (block) {
    case 'incidents':
      return changed<Incident>((one) => ({
        ...one,
        player_participant_id: idOf({ side: playerSide(one), name: one.player_name, id: one.player_participant_id }),
        assist_participant_id: idOf({ side: one.side, name: one.assist_name, id: one.assist_participant_id }),
      }));
    case 'lineups':
      return changed<LineupPlayer>((one) => {
        const { side, player_name: name, player_participant_id: id } = one;
        return { ...one, player_participant_id: idOf({ side, name, id }) };
      });
    case 'player_stats':
      return changed<NonNullable<Blocks['player_stats']>[number]>((one) => {
        const { side, player_name: name, participant_id: id } = one;
        return { ...one, participant_id: idOf({ side, name, id }) };
      });
    case 'shotmap':
      return changed<NonNullable<Blocks['shotmap']>[number]>((one) => {
        const { side, player } = one;
        return { ...one, player: { ...player, id: idOf({ side, ...player }) } };
      });
    default:
      return json;
  }
}
