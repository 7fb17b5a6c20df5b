import assert from 'node:assert/strict';
import { type CardIncident, cardCounts, countedCards } from '../../src/wire/card-counts.ts';

const card = (card_type: unknown, player_name: string | null, player_participant_id: number | null = null) =>
  ({ kind: 'card', side: 'home', player_name, player_participant_id, payload: { card_type } }) satisfies CardIncident;
const counted = (incidents: readonly CardIncident[], sport = 'football') => {
  const counts = cardCounts(incidents, sport);
  return incidents.map((incident) => counts.get(incident) ?? null);
};

describe('the card count', () => {
  it('counts a player as sent off once, whatever the source calls the second card', () => {
    for (const second of ['yellow', 'second_yellow', 'yellow_red', 'red'])
      assert.deepEqual(counted([card('yellow', 'A'), card(second, 'A'), card('red', 'A')]), [
        'yellow_cards',
        'red_cards',
        null,
      ]);
  });

  it('attributes a name to the player who has an id under that name', () => {
    assert.deepEqual(counted([card('yellow', 'A'), card('yellow', 'A. Full', 1), card('yellow', 'A', 1)]), [
      'yellow_cards',
      'red_cards',
      null,
    ]);
  });

  it('starts again for a new player, side or unnamed person', () => {
    const yellow = card('yellow', 'A');
    for (const two of [card('yellow', 'B'), { ...yellow, side: 'away' as const }])
      assert.deepEqual(counted([yellow, two]), ['yellow_cards', 'yellow_cards']);
    assert.deepEqual(counted([card('yellow', null), card('yellow', null)]), ['yellow_cards', 'yellow_cards']);
  });

  it('ignores a card without a side and an unknown colour', () => {
    const strange = ['green', 'constructor', 1, null, undefined].map((colour) => card(colour, 'A'));
    assert.deepEqual(counted([{ ...card('red', 'A'), side: null }, ...strange]), [null, null, null, null, null, null]);
  });

  it('counts each card in a sport without a rule', () => {
    assert.deepEqual(counted([card('yellow', 'A'), card('yellow', 'A')], 'rugby'), ['yellow_cards', 'yellow_cards']);
    assert.deepEqual(countedCards({ yellow_cards: 2, red_cards: 0 }, 'unknown'), { yellow_cards: 2, red_cards: 0 });
  });
});
