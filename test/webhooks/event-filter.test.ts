import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../src/http/errors.ts';
import {
  checkSettings,
  type FilterSettings,
  parseSettings,
  readParticipants,
  wants,
} from '../../src/webhooks/subscriptions/event-filter.ts';
import { eventWriter, type Sketch } from '../support/events.ts';

const writer = eventWriter();
const event = (sketch: Sketch = {}) => {
  const { match_id: matchId, sport, tournament_id: tournamentId, type, envelope } = writer.row(sketch);
  return { cursor: 1, matchId, sport, tournamentId, type, envelope, appendedAt: 0 };
};

describe('a subscription’s filter', () => {
  it('lets every event through if it has no values', () => {
    assert.ok(wants(parseSettings({}), event()));
    assert.ok(wants(parseSettings({ matchIds: [], participantIds: [] }), event()));
  });

  it('lets an event through if all its values accept the event, with a participant on either side', () => {
    const passes = (settings: FilterSettings, sketch: Sketch) => wants(parseSettings(settings), event(sketch));
    assert.ok(passes({ matchIds: [5, 6] }, { match: 6 }));
    assert.ok(!passes({ matchIds: [5, 6] }, { match: 7 }));
    assert.ok(passes({ participantIds: [30] }, { sides: [30, 31] }));
    assert.ok(passes({ participantIds: [31] }, { sides: [30, 31] }));
    assert.ok(!passes({ participantIds: [3, 310] }, { sides: [30, 31] }));
    assert.ok(passes({ matchIds: [5], participantIds: [30] }, { match: 5, sides: [30, 31] }));
    assert.ok(!passes({ matchIds: [5], participantIds: [30] }, { match: 6, sides: [30, 31] }), 'another match');
    assert.ok(!passes({ matchIds: [5], participantIds: [30] }, { match: 5, sides: [1, 2] }), 'other participants');
    assert.ok(!passes({ sports: ['tennis'], matchIds: [5] }, { match: 5 }), 'another sport');
    assert.ok(!passes({ eventTypes: ['match.card'], participantIds: [30] }, { sides: [30, 31] }), 'another type');
  });

  it('finds an event’s participants, whatever names and payload the event contains', () => {
    const nasty = fc.constantFrom(
      '"match":{"home":{"id":9',
      '\\"home\\":{\\"id\\":9',
      '"away":{"id":9}',
      '{"id":9',
      '\\',
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 1 }),
        fc.oneof(fc.string({ unit: 'binary' }), nasty),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('home')), fc.constant({ id: 9 })),
        (home, away, name, previous) => {
          assert.deepEqual(readParticipants(event({ sides: [home, away], name, previous }).envelope), [home, away]);
        },
      ),
    );
    assert.deepEqual(readParticipants('{"id":"evt_0_1","type":"webhook.test","data":{"subscription_id":1}}'), []);
  });

  it('refuses invalid ids, and more than 1,000 ids, by field name', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    checkSettings({ matchIds: ids(1_000), participantIds: ids(1_000) });
    for (const [field, settings] of [
      ['match_ids', { matchIds: ids(1_001) }],
      ['participant_ids', { participantIds: ids(1_001) }],
      ['match_ids', { matchIds: [0] }],
      ['match_ids', { matchIds: [1.5] }],
      ['participant_ids', { participantIds: [2 ** 53] }],
      ['participant_ids', { participantIds: [-1] }],
    ] as const) {
      assert.throws(
        () => checkSettings(settings),
        (error) => error instanceof Problem && error.options.errors?.[0]?.parameter === field,
      );
    }
  });
});
