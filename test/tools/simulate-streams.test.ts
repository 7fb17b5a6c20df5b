/** Tests the simulation behind docs/scaling.md: its sums, its limits, and that the same seed gives the same figures. */
import assert from 'node:assert/strict';
import { type Scenario, simulate } from '../../tools/simulate-streams.ts';

const SMALL: Partial<Scenario> = { pods: 20, clientsPerPod: 1_000, events: 100, matches: 50, seconds: 5 };

describe('the stream process simulation', () => {
  it('gives the same figures for the same seed, and different ones for a new seed', () => {
    assert.deepEqual(simulate({ ...SMALL, seed: 3 }), simulate({ ...SMALL, seed: 3 }));
    assert.notDeepEqual(simulate({ ...SMALL, seed: 3 }), simulate({ ...SMALL, seed: 4 }));
  });

  it('delivers each event to the clients that want it', () => {
    // A client either wants everything, or the events of one of 50 matches.
    const expected = 100 * 20_000 * (0.01 + 0.99 / 50);
    const { deliveriesPerSecond, clients } = simulate({ ...SMALL, lost: 0, seconds: 20 });
    assert.equal(clients, 20_000);
    assert.ok(Math.abs(deliveriesPerSecond / expected - 1) < 0.1, `${deliveriesPerSecond} of ${expected}`);
  });

  it('counts the bytes sent to clients, on average and in the busiest second', () => {
    const { deliveriesPerSecond, bitsOut, peakBitsOut } = simulate({ ...SMALL, lost: 0, seconds: 20 });
    // Each event has 40 more bytes for the fields of server-sent events.
    assert.equal(Math.round(bitsOut), Math.round(deliveriesPerSecond * 740 * 8));
    assert.ok(peakBitsOut > bitsOut && peakBitsOut < 2 * bitsOut, `${peakBitsOut} of ${bitsOut}`);
    const twice = simulate({ ...SMALL, lost: 0, seconds: 20, eventBytes: 1_440 });
    assert.ok(Math.abs(twice.bitsOut / bitsOut - 2) < 0.01, `${twice.bitsOut}`);
  });

  it('shows more work for processes and for the load balancer while all clients return', () => {
    const calm = simulate({ ...SMALL, clientsPerPod: 5_000, lost: 0, seconds: 30 });
    const all = simulate({ ...SMALL, clientsPerPod: 5_000, lost: 0, seconds: 30, returning: 1 });
    // There are 100,000 handshakes in 20 s, which take 0.6 ms each.
    const handshakes = (100_000 / 20) * 0.6e-3;
    assert.ok(all.entryCores > calm.entryCores + handshakes, `${all.entryCores} of ${calm.entryCores}`);
    assert.ok(all.peakCpu > calm.peakCpu + 0.2 && all.peakBitsOut > calm.peakBitsOut, `${all.peakCpu}`);
    assert.equal(all.entryGb, calm.entryGb);
  });

  it('falls behind when the leader’s network link is full, but not when processes fetch a tenth of the log', () => {
    // 100 events a second with 700 bytes each, sent to 20 processes, are 11.2 Mbit a second.
    const full = simulate({ ...SMALL, linkBits: 10e6 });
    const part = simulate({ ...SMALL, linkBits: 10e6, fetched: 0.1 });
    assert.ok(full.link > 1 && full.worstMs > 300, JSON.stringify(full));
    assert.ok(part.link < 0.2 && part.worstMs < 100, JSON.stringify(part));
  });

  it('falls behind when clients request more than a processor core can write', () => {
    const { meanCpu, worstMs } = simulate({ ...SMALL, everything: 1, clientsPerPod: 5_000 });
    assert.ok(meanCpu > 1 && worstMs > 1_000, `${meanCpu}, ${worstMs} ms`);
  });

  it('shows more work for the remaining processes after some have ended', () => {
    const without = simulate({ ...SMALL, lost: 0 });
    const { peakCpu } = simulate({ ...SMALL, lost: 0.2 });
    assert.ok(peakCpu > without.peakCpu, `${peakCpu} after ${without.peakCpu}`);
  });

  for (const [name, value] of [
    ['pods', 0],
    ['pods', Number.NaN],
    ['events', -1],
    ['linkBits', 0],
    ['seconds', Number.POSITIVE_INFINITY],
  ] as const)
    it(`refuses ${value} as ${name}`, () =>
      assert.throws(() => simulate({ ...SMALL, [name]: value }), new RegExp(`^RangeError: ${name}: `)));
});
