import assert from 'node:assert/strict';
import type { Spec } from '../../../operators/webhook-subscription/crd.ts';
import { diffSpec, dispatcherGroup, secretName } from '../../../operators/webhook-subscription/desired-state.ts';
import type { Subscription } from '../../../src/webhooks/subscriptions/subscription-queries.ts';

const uid = '0f5c6f7e-6f0e-4f57-9a0b-6a3b2f0f7c11';
const spec = (over: Partial<Spec> = {}): Spec => ({
  url: 'https://example.com/hook',
  account: 'a@example.com',
  eventTypes: [],
  sports: [],
  leagues: [],
  matchIds: [],
  participantIds: [],
  conditions: [],
  headers: [],
  ordering: 'None',
  delay: 0,
  secretRef: { key: 'secret' },
  paused: false,
  isolation: 'Shared',
  ...over,
});
const row = (over: Partial<Subscription> = {}) =>
  ({
    url: 'https://example.com/hook',
    eventTypes: [],
    sports: [],
    leagues: [],
    matchIds: [],
    participantIds: [],
    conditions: [],
    ordering: 'none',
    maxPerSecond: null,
    maxInFlight: null,
    delay: 0,
    paused: false,
    ...over,
  }) as Subscription;
describe('a resource’s desired state', () => {
  it('has a Secret and a dispatcher group', () => {
    assert.equal(secretName({ metadata: { name: 'goals' }, spec: spec() }), 'goals-webhook');
    assert.equal(
      secretName({ metadata: { name: 'goals' }, spec: spec({ secretRef: { name: 'mine', key: 'k' } }) }),
      'mine',
    );
    assert.equal(dispatcherGroup({ metadata: { uid }, spec: spec() }), 'shared');
    assert.equal(dispatcherGroup({ metadata: { uid }, spec: spec({ isolation: 'Dedicated' }) }), `whs-${uid}`);
  });

  it('leads to changes wherever the row differs, regardless of order and spelling', () => {
    const changes = (wanted: Partial<Spec>, there: Partial<Subscription>, isNew = true) =>
      diffSpec(spec(wanted), row(there), { isNew });
    assert.deepEqual(changes({}, {}), {});
    assert.deepEqual(changes({ url: 'https://EXAMPLE.com:443/hook' }, {}), {});
    assert.deepEqual(changes({ url: 'https://example.com/other' }, {}), { url: 'https://example.com/other' });
    assert.deepEqual(
      changes({ eventTypes: ['match.goal', 'match.card'] }, { eventTypes: ['match.card', 'match.goal'] }),
      {},
    );
    assert.deepEqual(changes({ leagues: [2, 10] }, { leagues: [10, 2] }), {});
    assert.deepEqual(changes({ sports: ['tennis'], leagues: [1] }, { sports: ['football'] }), {
      sports: ['tennis'],
      leagues: [1],
    });
    assert.deepEqual(changes({ matchIds: [5], participantIds: [3, 4] }, { participantIds: [4, 3] }), { matchIds: [5] });
    assert.deepEqual(changes({}, { matchIds: [5], participantIds: [3] }), { matchIds: [], participantIds: [] });
    assert.deepEqual(changes({ eventTypes: [] }, { eventTypes: ['match.goal'] }), { eventTypes: [] });
    assert.deepEqual(changes({ delay: undefined as never }, {}), {});
    const paced = {
      ordering: 'Match',
      maxPerSecond: 5,
      maxInFlight: 1,
      delay: 9,
      conditions: ['data exists'],
    } as const;
    const there = {
      ordering: 'match',
      maxPerSecond: 5,
      maxInFlight: 1,
      delay: 9,
      conditions: ['data exists'],
    } as const;
    assert.deepEqual(changes({ ...paced, conditions: ['data exists'] }, { ...there, conditions: ['data exists'] }), {});
    assert.deepEqual(changes({ ...paced, conditions: ['data exists'] }, {}), there);
    assert.deepEqual(changes({}, { ...there, conditions: ['data exists'] }), {
      ...{ ordering: 'none', maxPerSecond: null, maxInFlight: null, delay: 0, conditions: [] },
    });
  });

  it('keeps a pause that was set or lifted elsewhere until the spec changes', () => {
    assert.deepEqual(diffSpec(spec({ paused: true }), row(), { isNew: true }), { paused: true });
    assert.deepEqual(diffSpec(spec({ paused: false }), row({ paused: true }), { isNew: false }), {});
    assert.deepEqual(diffSpec(spec({ paused: true }), row({ paused: false }), { isNew: false }), {});
  });
});
