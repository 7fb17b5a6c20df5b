import assert from 'node:assert/strict';
import { type CardIncident, cardCounts, countedCards } from '../../src/wire/card-counts.ts';

const card = (card_type: unknown, player_name: string | null, player_participant_id: number | null = null) =>
  ({ kind: 'card', side: 'home', player_name, player_participant_id, payload: { card_type } }) satisfies CardIncident;
const counted = (incidents: readonly CardIncident[], sport = 'football') => {
  const counts = cardCounts(incidents, sport);
  return incidents.map((incident) => counts.get(incident) ?? null);
};

describe('counted cards', () => {
  it('a player is sent off once, whatever the source calls the second card', () => {
    for (const second of ['yellow', 'second_yellow', 'yellow_red', 'red'])
      assert.deepEqual(counted([card('yellow', 'A'), card(second, 'A'), card('red', 'A')]), [
        'yellow_cards',
        'red_cards',
        null,
      ]);
  });

  it('a name is the player who has an id under that name', () => {
    assert.deepEqual(counted([card('yellow', 'A'), card('yellow', 'A. Full', 1), card('yellow', 'A', 1)]), [
      'yellow_cards',
      'red_cards',
      null,
    ]);
  });

  it('a second player, side or unnamed person starts again', () => {
    const yellow = card('yellow', 'A');
    for (const two of [card('yellow', 'B'), { ...yellow, side: 'away' as const }])
      assert.deepEqual(counted([yellow, two]), ['yellow_cards', 'yellow_cards']);
    assert.deepEqual(counted([card('yellow', null), card('yellow', null)]), ['yellow_cards', 'yellow_cards']);
  });

  it('a card without a side and an unknown colour do not count', () => {
    const strange = ['green', 'constructor', 1, null, undefined].map((colour) => card(colour, 'A'));
    assert.deepEqual(counted([{ ...card('red', 'A'), side: null }, ...strange]), [null, null, null, null, null, null]);
  });

  it('a sport without a rule counts each card', () => {
    assert.deepEqual(counted([card('yellow', 'A'), card('yellow', 'A')], 'rugby'), ['yellow_cards', 'yellow_cards']);
    assert.deepEqual(countedCards({ yellow_cards: 2, red_cards: 0 }, 'unknown'), { yellow_cards: 2, red_cards: 0 });
  });
});
