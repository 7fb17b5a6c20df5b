/** Converts a feed update's blocks to wire blocks, in which players have our ids. */
import { LINE_OF_POSITION } from '../../db/shown-blocks.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { type Blocks, detailBlocks } from '../../wire/match.ts';
import type { PlayerId } from '../resolve/given-players.ts';
import { wireOdds } from './odds.ts';

type GivenBlock = Exclude<keyof Blocks, 'incidents'>;
type WireBlock = GivenBlock | 'weather';
/** Blocks that are replaced as a whole. Incidents, in contrast, are compared one by one. */
export const GIVEN_BLOCKS = Object.keys(detailBlocks).filter((block): block is GivenBlock => block !== 'incidents');

/**
 * Returns an update's wire blocks, without incidents, as JSON text.
 * @param previous the stored odds, from which the movement is computed; their opening price is used if the feed has none
 */
export function wireBlocks(
  { match }: MatchUpdate,
  playerId: PlayerId,
  previous: Blocks['odds'],
): Map<WireBlock, string> {
  const blocks = new Map<WireBlock, unknown>();
  for (const block of GIVEN_BLOCKS) {
    // null removes a block.
    if (match[block] !== null) blocks.set(block, match[block]);
  }
  if (match.weather) blocks.set('weather', match.weather);
  const lineups =
    match.lineups &&
    orderLineups(match.lineups).map(({ player, side, formation, ...rest }) => ({
      side,
      formation,
      player_participant_id: playerId(player, side),
      player_name: player.name,
      ...rest,
    }));
  blocks.set('lineups', lineups);
  const stats = match.player_stats?.map(({ player, side, position, stats: figures }) => ({
    participant_id: playerId(player, side),
    player_name: player.name,
    side,
    position,
    stats: figures,
  }));
  blocks.set('player_stats', stats);
  const shots = match.shotmap?.map(({ player, ...rest }) => ({
    player: { id: playerId(player, rest.side), name: player.name },
    ...rest,
  }));
  blocks.set('shotmap', shots);
  blocks.set('odds', match.odds && wireOdds(match.odds, previous));
  return new Map(
    [...blocks].filter(([, value]) => value !== undefined).map(([block, value]) => [block, JSON.stringify(value)]),
  );
}

// ---- the order in which line-ups are stored and shown

interface Listed {
  side: 'home' | 'away';
  is_substitute: boolean;
  position?: string | null | undefined;
  shirt_number?: string | null | undefined;
}

const GROUPS = (['home', 'away'] as const).flatMap((side) =>
  [false, true].map((is_substitute) => ({ side, is_substitute })),
);

/**
 * Sorts line-up entries by side (home first), then starters before substitutes. If every player's position in such a group is
 * known, the group is sorted by line and shirt number. Otherwise it keeps the source's order, which may be the formation's.
 * If no position at all is known, all entries keep the source's order. shownBlockSql does the same.
 */
function orderLineups<E extends Listed>(entries: readonly E[]): E[] {
  if (!entries.some(({ position }) => position)) return [...entries];
  return GROUPS.flatMap(({ side, is_substitute }) => {
    const group = entries.filter((entry) => entry.side === side && entry.is_substitute === is_substitute);
    const lines = new Map(group.map((entry) => [entry, LINE_OF_POSITION.get((entry.position ?? '').toLowerCase())]));
    if ([...lines.values()].includes(undefined)) return group;
    return group.sort((a, b) => lines.get(a)! - lines.get(b)! || compareNumbers(a.shirt_number, b.shirt_number));
  });
}

/** Compares shirt numbers, which are texts, by numeric value. Players without a number come last. */
function compareNumbers(a: Listed['shirt_number'], b: Listed['shirt_number']): number {
  if (a == null || b == null) return Number(a == null) - Number(b == null);
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
