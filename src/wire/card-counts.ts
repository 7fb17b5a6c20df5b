/** Counts yellow and red cards according to the sport's rules. All code that counts or shows cards uses this file. Pure. */
import type { CardTally } from '../sports/sport.ts';
import { findSport } from '../sports/sports.ts';

/** The members of an incident that are needed for counting. */
export interface CardIncident {
  kind: string;
  side: 'home' | 'away' | null;
  player_name: string | null;
  player_participant_id: number | null;
  payload: { card_type?: unknown };
}

/** For each card type, the count that rises when such a card is shown. */
const SHOWN: ReadonlyMap<unknown, keyof CardTally> = new Map([
  ['yellow', 'yellow_cards'],
  ['red', 'red_cards'],
  ['second_yellow', 'red_cards'],
  ['yellow_red', 'red_cards'],
]);

/** Returns the count that a card belongs to. Null for an incident that is not a card, and for a colour that no sport counts. */
export const shownCard = ({ kind, payload }: Pick<CardIncident, 'kind' | 'payload'>): keyof CardTally | null =>
  kind === 'card' ? (SHOWN.get(payload.card_type) ?? null) : null;

/** Counts the cards that a player was shown in a match. */
export const countedCards = ({ yellow_cards, red_cards }: CardTally, sport: string): CardTally =>
  (findSport(sport)?.countCards ?? ((shown: CardTally) => shown))({ yellow_cards, red_cards });

/**
 * Returns what each card counts as. A card that adds nothing is left out, such as a red card after two yellow cards. So is a
 * card without a side. Two cards without a name belong to two players.
 * @param incidents oldest first
 */
export function cardCounts<T extends CardIncident>(incidents: readonly T[], sport: string): Map<T, keyof CardTally> {
  const counts = new Map<T, keyof CardTally>();
  const cards = incidents.filter((one) => one.side !== null && shownCard(one) !== null);
  const ids = new Map<string, number>();
  for (const { side, player_name, player_participant_id: id } of cards)
    if (player_name !== null && id !== null) ids.set(`${side} ${player_name}`, id);
  const tallies = new Map<unknown, CardTally>();
  for (const card of cards) {
    const { side, player_name, player_participant_id } = card;
    const id = player_participant_id ?? ids.get(`${side} ${player_name}`);
    const player = id === undefined && player_name === null ? card : `${side} ${id ?? player_name}`;
    const before = tallies.get(player) ?? { yellow_cards: 0, red_cards: 0 };
    const shown = shownCard(card)!;
    const after = { ...before, [shown]: before[shown] + 1 };
    tallies.set(player, after);
    const [had, has] = [countedCards(before, sport), countedCards(after, sport)];
    const added = (['red_cards', 'yellow_cards'] as const).find((name) => has[name] > had[name]);
    if (added !== undefined) counts.set(card, added);
  }
  return counts;
}

/** Returns how many players of each side were sent off. @param incidents oldest first */
export function redCards(incidents: readonly CardIncident[], sport: string): Record<'home' | 'away', number> {
  const sum = { home: 0, away: 0 };
  for (const [{ side }, counted] of cardCounts(incidents, sport))
    if (side !== null && counted === 'red_cards') sum[side] += 1;
  return sum;
}
