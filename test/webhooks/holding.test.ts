import assert from 'node:assert/strict';
import { createRing } from '../../src/events/ring.ts';
import { Holding, MAX_PENDING, moment, PROBE_MS, type Work } from '../../src/webhooks/holding.ts';
import type { HeldRow } from '../../src/webhooks/lease-queries.ts';
import { generateSecret, sealSecret } from '../../src/webhooks/secret.ts';
import { record } from '../support/events.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const KEYS = ['a-secret-key-of-the-tests'];
const ROW: HeldRow = {
  id: 7,
  generation: 1,
  version: 1,
  plan: 'pro',
  url: 'https://example.com/',
  eventTypes: [],
  sports: [],
  leagues: [],
  secret: sealSecret(generateSecret(), KEYS),
  previousSecret: null,
  rotatedAt: null,
  position: 0,
  gap: null,
  lastSentAt: NOW,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailure: null,
  failingSince: null,
  failures: 0,
};

describe('A subscription that a dispatcher holds', () => {
  const hold = (over: Partial<HeldRow> = {}) => new Holding({ ...ROW, ...over }, moment(), KEYS);
  const records = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => record(from + i));
  const cursorOf = (work: Work | null) => (work?.kind === 'event' ? work.record.cursor : null);
  const all = (holding: Holding, ring: Parameters<Holding['next']>[0]) => {
    const cursors: number[] = [];
    for (let work = holding.next(ring, NOW); work !== null; work = holding.next(ring, NOW))
      cursors.push(cursorOf(work)!);
    return cursors;
  };

  it('sends once what it has read from the log before it came into the ring', () => {
    const ring = createRing(5);
    const holding = hold({ position: 3 });
    assert.ok(holding.wantsLog(ring, NOW));
    holding.examine(records(4, 9));
    assert.deepEqual(all(holding, ring), [4, 5, 6, 7, 8, 9]);
    ring.append(records(6, 12));
    assert.deepEqual(all(holding, ring), [10, 11, 12]);
  });

  it('reads the log again when the ring has gone on without it', () => {
    const ring = createRing(0, 4);
    const holding = hold();
    ring.append(records(1, 2));
    assert.deepEqual(all(holding, ring), [1, 2]);
    ring.append(records(3, 9));
    assert.equal(holding.next(ring, NOW), null);
    assert.ok(holding.wantsLog(ring, NOW));
    holding.examine(records(3, 6));
    assert.deepEqual(all(holding, ring), [3, 4, 5, 6, 7, 8, 9]);
  });

  it('stands before the first event that is under way, else after the last it has looked at', () => {
    const ring = createRing(0);
    const holding = hold({ sports: ['tennis'] });
    ring.append([record(1), record(2, { sport: 'tennis' }), record(3), record(4, { sport: 'tennis' }), record(5)]);
    assert.deepEqual(all(holding, ring), [2, 4]);
    assert.equal(holding.position(), 1);
    holding.open.delete(4);
    assert.equal(holding.position(), 1);
    holding.open.delete(2);
    assert.equal(holding.position(), 5);
  });

  it('does not begin anew what waits for a repeat', () => {
    const ring = createRing(0);
    const holding = hold();
    ring.append(records(1, 3));
    holding.wait('dlv_7_1_2', 1, NOW + 5_000);
    assert.deepEqual(all(holding, ring), [1, 3]);
    assert.deepEqual(holding.next(ring, NOW + 5_000), { kind: 'retry', id: 'dlv_7_1_2', attempts: 1 });
  });

  it('begins nothing new while too much waits, and one event a minute while it is failing', () => {
    const ring = createRing(0);
    ring.append(records(1, 3));
    const full = hold();
    for (let i = 0; i < MAX_PENDING; i += 1) full.wait(`dlv_7_9_${i}`, 1, NOW + 5_000);
    assert.equal(full.next(ring, NOW), null);
    full.pending.delete('dlv_7_9_0');
    assert.equal(cursorOf(full.next(ring, NOW)), 1);
    const failing = hold({ failures: 5 });
    assert.equal(failing.next(ring, NOW + PROBE_MS - 1), null);
    assert.equal(cursorOf(failing.next(ring, NOW + PROBE_MS)), 1);
  });
});
