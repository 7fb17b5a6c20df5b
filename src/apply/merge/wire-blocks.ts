/** Turns the blocks of a feed update into wire blocks: player references become our ids, decimal prices get fractions. */
import { LINE_OF_POSITION } from '../../db/shown-blocks.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { type Blocks, detailBlocks } from '../../wire/match.ts';
import type { PlayerId } from '../resolve/given-players.ts';

type GivenBlock = Exclude<keyof Blocks, 'incidents'>;
type WireBlock = GivenBlock | 'weather';
/** Blocks that are replaced as a whole; incidents are compared one by one. */
export const GIVEN_BLOCKS = Object.keys(detailBlocks).filter((block): block is GivenBlock => block !== 'incidents');

/**
 * Returns the wire blocks of an update, without incidents, as JSON text.
 * @param previous the stored odds: they give the movement, and the opening price if the feed has none
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

function wireOdds(
  given: NonNullable<MatchUpdate['match']['odds']>,
  previous: Blocks['odds'],
): NonNullable<Blocks['odds']> {
  const former = formerPrices(previous);
  return given.map((entry) => {
    const was = former(entry);
    const moved =
      was === undefined || was.decimal_value === entry.decimal_value
        ? undefined
        : entry.decimal_value > was.decimal_value;
    const opening = entry.opening_decimal ?? was?.opening_decimal ?? (moved === undefined ? null : was!.decimal_value);
    return {
      market_name: entry.market_name,
      market_group: entry.market_group,
      choice_name: entry.choice_name,
      fractional_value: fraction(entry.decimal_value),
      opening_value: opening === null ? null : fraction(opening),
      decimal_value: entry.decimal_value,
      opening_decimal: opening,
      bookmaker: entry.bookmaker,
      movement: moved === undefined ? (was?.movement ?? null) : moved ? 'up' : 'down',
      winning: entry.winning,
    };
  });
}

/** Prices are rounded to four decimals. */
const PRICE_SCALE = 10_000;

/** Returns a decimal price above 1 as a fraction in lowest terms: 2.5 is 3/2. */
export function fraction(decimal: number): string {
  const over = Math.max(1, Math.round((decimal - 1) * PRICE_SCALE));
  let [a, b] = [over, PRICE_SCALE];
  while (b !== 0) [a, b] = [b, a % b];
  return `${over / a}/${PRICE_SCALE / a}`;
}

type Price = NonNullable<Blocks['odds']>[number];

export interface ObservedPrice extends Price {
  provider: string;
  /** ms, by the provider's clock. */
  observed_at: number;
}

const keyOf = (entry: Pick<Price, 'market_group' | 'market_name' | 'choice_name' | 'bookmaker'>) =>
  JSON.stringify([entry.market_group, entry.market_name, entry.choice_name, entry.bookmaker]);

/**
 * Returns a function that finds the former entry of a price. Prices with the same names are distinguished by their order: each is found once.
 * @param before the stored odds
 */
function formerPrices(before: Blocks['odds']): (entry: Parameters<typeof keyOf>[0]) => Price | undefined {
  const byKey = new Map<string, Price[]>();
  for (const entry of before ?? []) {
    const alike = byKey.get(keyOf(entry));
    if (alike === undefined) byKey.set(keyOf(entry), [entry]);
    else alike.push(entry);
  }
  return (entry) => byKey.get(keyOf(entry))?.shift();
}

/** Returns the prices of `after` that are new or differ, and the ones whose outcome is known now. */
export function changedPrices(before: Blocks['odds'], after: readonly Price[]): Price[] {
  const former = formerPrices(before);
  return after.filter((entry) => {
    const was = former(entry);
    return was === undefined || was.decimal_value !== entry.decimal_value || was.winning !== entry.winning;
  });
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
 * Returns home before away, starters before substitutes; within each by line and shirt number if the position of every
 * player is known, else in the order of the source, which may be that of the formation. Without any position all of it has
 * the order of the source. As shownBlockSql does it.
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

/** Shirt numbers are texts: 9 comes before 10, and players without a number last. */
function compareNumbers(a: Listed['shirt_number'], b: Listed['shirt_number']): number {
  if (a == null || b == null) return Number(a == null) - Number(b == null);
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
