import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type EventFilter, passes } from '../../src/events/filter.ts';
import { RingEntry } from '../../src/events/ring.ts';
import { createGroups, type Group } from '../../src/stream/filter-groups.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { webSocketEncoder } from '../../src/stream/websocket-frames.ts';
import { record } from '../support/events.ts';

const NO_BYTES = Buffer.alloc(0);
const entry = (cursor: number, over: object = {}) => new RingEntry(record(cursor, over), 0, NO_BYTES, 0);

const filters: fc.Arbitrary<EventFilter> = fc.record({
  sports: fc.subarray(['football', 'tennis']),
  leagues: fc.subarray([1, 2, 3]),
  types: fc.subarray(['match.goal', 'match.card', 'match.']),
});
const entries = fc
  .array(
    fc.tuple(
      fc.constantFrom('football', 'tennis', 'darts'),
      fc.constantFrom(1, 2, 3, 4),
      fc.constantFrom('match.goal', 'match.card', 'webhook.ping'),
    ),
    {
      maxLength: 12,
    },
  )
  .map((list) => list.map(([sport, tournamentId, type], index) => entry(index + 1, { sport, tournamentId, type })));

describe('filter groups', () => {
  it('connections with equal filters and the same protocol share a group', () => {
    const groups = createGroups<string>();
    const filter = { sports: ['football'], leagues: [], types: [] };
    const first = groups.join('a', filter, sseEncoder);
    assert.equal(groups.join('b', { ...filter }, sseEncoder), first);
    assert.notEqual(groups.join('c', filter, webSocketEncoder), first);
    assert.deepEqual([...first.members], ['a', 'b']);
  });

  it('a group is freed when its last member leaves, and a member that leaves twice does no harm', () => {
    const groups = createGroups<string>();
    const filter = { sports: [], leagues: [7], types: [] };
    const old = groups.join('a', filter, sseEncoder);
    groups.leave('a', old);
    assert.equal(groups.size(), 0);
    const young = groups.join('b', filter, sseEncoder);
    groups.leave('a', old);
    assert.equal(groups.join('c', filter, sseEncoder), young);
    groups.leave('b', young);
    groups.leave('b', young);
    assert.deepEqual([...groups.wanting([entry(1)]).keys()], [young]);
    groups.leave('c', young);
    assert.equal(groups.size(), 0);
  });

  it('a group gets exactly the events that pass the filter, each once and in order', () => {
    fc.assert(
      fc.property(fc.array(filters, { maxLength: 10 }), entries, (wanted, all) => {
        const groups = createGroups<number>();
        const joined = new Map<Group<number>, EventFilter>();
        for (const [index, filter] of wanted.entries()) joined.set(groups.join(index, filter, sseEncoder), filter);
        const given = groups.wanting(all);
        for (const [group, filter] of joined) {
          assert.deepEqual(
            given.get(group) ?? [],
            all.filter((one) => passes(filter, one)),
          );
        }
        assert.ok([...given.keys()].every((group) => joined.has(group)));
      }),
    );
  });

  it('a group is removed with its last member, in whatever order members join and leave', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(filters, fc.nat(3)), { maxLength: 20 }), fc.array(fc.nat(19)), (list, leaving) => {
        const groups = createGroups<number>();
        const memberships = list.map(([filter], member) => ({
          member,
          group: groups.join(member, filter, sseEncoder),
          hasLeft: false,
        }));
        for (const index of leaving) {
          const membership = memberships[index];
          if (membership === undefined) continue;
          groups.leave(membership.member, membership.group);
          membership.hasLeft = true;
        }
        const present = new Set(memberships.filter(({ hasLeft }) => !hasLeft).map(({ group }) => group));
        const all = ['football', 'tennis'].flatMap((sport) =>
          [1, 2, 3].map((tournamentId) => entry(1, { sport, tournamentId })),
        );
        for (const group of groups.wanting(all).keys()) assert.ok(present.has(group));
        for (const { member, group } of memberships) groups.leave(member, group);
        assert.equal(groups.size(), 0);
      }),
    );
  });
});
