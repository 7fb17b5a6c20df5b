/** Turns the blocks of a feed update into wire blocks: player references become our ids, decimal prices get fractions. */
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { type Blocks, detailBlocks } from '../../wire/match.ts';
import { formerPrices } from './price-changes.ts';

export interface PlayerRef {
  id?: string | undefined;
  name: string;
  birth_date?: string | undefined;
  country?: string | undefined;
}
/** Whom a player plays for; null where the source does not say. */
export type PlayerSide = 'home' | 'away' | null;
/** Our id for a player reference; null where only a name is known that is not linked yet. */
export type PlayerId = (ref: PlayerRef, side: PlayerSide) => number | null;

type GivenBlock = Exclude<keyof Blocks, 'incidents'>;
type WireBlock = GivenBlock | 'weather';
/** Blocks that are replaced as a whole; incidents are compared one by one. */
export const GIVEN_BLOCKS = Object.keys(detailBlocks).filter((block): block is GivenBlock => block !== 'incidents');

/** Blocks that name players of a side. */
export const PLAYER_BLOCKS = ['incidents', 'lineups', 'player_stats', 'shotmap'] as const;
export type PlayerBlock = (typeof PLAYER_BLOCKS)[number];

export interface GivenPlayer {
  ref: PlayerRef;
  block: PlayerBlock;
  /** Position of the entry in the block. */
  index: number;
  role: 'player' | 'assist';
  side: PlayerSide;
  /** Of which the player is the scorer, own goals and shoot-outs apart. */
  goals: 0 | 1;
}

/** Every player that an update refers to. */
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

/** A red card, straight or by a second yellow one. */
export const isSendingOff = ({ kind, payload }: { kind: string; payload: { card_type?: unknown } }): boolean =>
  kind === 'card' && (payload.card_type === 'red' || payload.card_type === 'second_yellow');

/** An own goal is an incident of the side that it counts for, which is not its scorer's. */
export function playerSide({ kind, side, payload }: Scored): PlayerSide {
  if (side === null || !isOwnGoal({ kind, payload })) return side;
  return side === 'home' ? 'away' : 'home';
}

/**
 * The wire blocks of an update, without incidents, as JSON text.
 * @param previous the stored odds: they give the movement, and the opening price where the feed has none
 */
export function wireBlocks(
  { match }: MatchUpdate,
  playerId: PlayerId,
  previous: Blocks['odds'],
): Map<WireBlock, string> {
  const blocks: Partial<Record<WireBlock, unknown>> = {};
  for (const block of GIVEN_BLOCKS) {
    // null removes a block: there is nothing to write.
    if (match[block] !== null) blocks[block] = match[block];
  }
  if (match.weather) blocks.weather = match.weather;
  blocks.lineups = match.lineups?.map(({ player, side, formation, ...rest }) => ({
    side,
    formation,
    player_participant_id: playerId(player, side),
    player_name: player.name,
    ...rest,
  }));
  blocks.player_stats = match.player_stats?.map(({ player, side, position, stats }) => ({
    participant_id: playerId(player, side),
    player_name: player.name,
    side,
    position,
    stats,
  }));
  blocks.shotmap = match.shotmap?.map(({ player, ...rest }) => ({
    player: { id: playerId(player, rest.side), name: player.name },
    ...rest,
  }));
  blocks.odds = match.odds && wireOdds(match.odds, previous);
  return new Map(
    (Object.entries(blocks) as [WireBlock, unknown][])
      .filter(([, value]) => value !== undefined)
      .map(([block, value]) => [block, JSON.stringify(value)]),
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

/** A decimal price above 1 as a fraction in lowest terms: 2.5 is 3/2. */
export function fraction(decimal: number): string {
  const over = Math.max(1, Math.round((decimal - 1) * PRICE_SCALE));
  let [a, b] = [over, PRICE_SCALE];
  while (b !== 0) [a, b] = [b, a % b];
  return `${over / a}/${PRICE_SCALE / a}`;
}
