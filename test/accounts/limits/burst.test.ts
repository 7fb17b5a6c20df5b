import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Burst } from '../../../src/accounts/limits/burst.ts';

/** A model of the bucket that is stored in the database. */
class Bucket {
  tokens: number;
  at = 0;
  demands = new Map<number, { demand: number; at: number }>();
  readonly quota: number;

  constructor(quota: number) {
    this.quota = quota;
    this.tokens = quota;
  }

  exchange(pod: number, burst: Burst, now: number, random: () => number): void {
    const { spent, demand } = burst.report(now);
    this.tokens = Math.min(this.quota, this.tokens + ((now - this.at) / 1_000) * this.quota) - spent;
    this.at = now;
    this.demands.set(pod, { demand, at: now });
    let othersDemand = 0;
    for (const [other, known] of this.demands)
      if (other !== pod && now - known.at < 1_000) othersDemand += known.demand;
    burst.settle({ tokens: this.tokens, othersDemand }, now, random);
  }
}

interface Load {
  quota: number;
  /** Requests per second that each process receives, by second. */
  rates: readonly (readonly number[])[];
  /** The second in which the last process is killed. */
  killedAt?: number;
}

/** Returns the number of accepted requests by second. Processes exchange counts every 200 ms, at different times. */
function play({ quota, rates, killedAt = Number.POSITIVE_INFINITY }: Load): number[] {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const bucket = new Bucket(quota);
  const pods = rates.map(() => new Burst(quota, 0));
  const owed = rates.map(() => 0);
  const accepted: number[] = [];
  const STEP_MS = 10;
  for (let now = 0; now < rates[0]!.length * 1_000; now += STEP_MS) {
    const second = Math.floor(now / 1_000);
    for (const [pod, burst] of pods.entries()) {
      if (pod === pods.length - 1 && second >= killedAt) continue;
      if (now % 200 === (pod * 70) % 200) bucket.exchange(pod, burst, now, random);
      owed[pod] = owed[pod]! + (rates[pod]![second]! * STEP_MS) / 1_000;
      for (; owed[pod]! >= 1; owed[pod] = owed[pod]! - 1) {
        burst.asked();
        if (burst.level(now) < 1) continue;
        burst.spend(1);
        accepted[second] = (accepted[second] ?? 0) + 1;
      }
    }
  }
  return accepted;
}

const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);

describe('the burst limit over several processes', () => {
  it('is, in one process, a token bucket that allows a burst up to its size and then the rate', () => {
    const burst = new Burst(20, 0);
    let taken = 0;
    for (; burst.level(0) >= 1; taken += 1) burst.spend(1);
    assert.equal(taken, 20);
    assert.equal(burst.secondsUntil(1, 0), 1);
    assert.equal(burst.level(500), 10);
    assert.equal(burst.level(5_000), 20);
    // Setting the clock back neither adds nor removes tokens.
    assert.equal(burst.level(1_000), 20);
  });

  for (const quota of [2, 5, 20, 100]) {
    it(`accepts exactly ${quota}/s over 3 processes at five times that load, whether the load is even, all at one process, or moving`, () => {
      const seconds = 30;
      const constant = (share: number) => Array.from({ length: seconds }, () => 5 * quota * share);
      const moving = [0, 1, 2].map((pod) =>
        Array.from({ length: seconds }, (_, second) => (Math.floor(second / 4) % 3 === pod ? 5 * quota : 0)),
      );
      for (const rates of [
        [1, 1, 1].map((one) => constant(one / 3)),
        [1, 0, 0].map(constant),
        [0.8, 0.15, 0.05].map(constant),
        moving,
      ]) {
        const total = sum(play({ quota, rates }));
        assert.ok(total <= 1.15 * quota * seconds + quota && total >= 0.9 * quota * seconds, `${quota}: ${total}`);
      }
      const killed = sum(play({ quota, rates: [1, 1, 1].map((one) => constant(one / 3)), killedAt: 15 }));
      assert.ok(
        killed <= 1.15 * quota * seconds + quota && killed >= 0.9 * quota * seconds,
        `killed, ${quota}: ${killed}`,
      );
    });
  }

  it('never refuses a client that stays within the limit and moves from process to process', () => {
    for (const quota of [2, 5, 20]) {
      const pods = [0, 1, 2].map(() => new Burst(quota, 0));
      const bucket = new Bucket(quota);
      const gap = Math.ceil(1_000 / quota / 10) * 10;
      for (let now = 0, n = 0; now < 20_000; now += 10) {
        for (const [pod, burst] of pods.entries())
          if (now % 200 === pod * 60) bucket.exchange(pod, burst, now, () => 0.999);
        if (now % gap !== 0) continue;
        const burst = pods[n++ % 3]!;
        burst.asked();
        assert.ok(burst.level(now) >= 1, `refused at ${now} ms of ${quota}/s`);
        burst.spend(1);
      }
    }
  });

  it('accepts at most the limit plus one burst for each process, under any random load', () => {
    const second = fc.nat(60);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc
          .integer({ min: 1, max: 5 })
          .chain((pods) =>
            fc.array(fc.array(second, { minLength: 12, maxLength: 12 }), { minLength: pods, maxLength: pods }),
          ),
        (quota, rates) => {
          const accepted = play({ quota, rates });
          for (let from = 0; from < 12; from += 1) {
            const total = sum(accepted.slice(from).map((one) => one ?? 0));
            const limit = quota * (12 - from) + rates.length * quota;
            assert.ok(total <= limit, `${total} of ${limit} from second ${from}`);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
