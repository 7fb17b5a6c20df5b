/**
 * Tests how streams are balanced: in a simulation of processes behind a load balancer, and in two processes on one
 * database.
 */
import assert from 'node:assert/strict';
import { Balance, excessStreams, startBalancer } from '../../src/stream/balance.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

/** Sums up the streams in other processes. */
const loads = (...connections: number[]) => ({
  processes: connections.length,
  connections: connections.reduce((sum, count) => sum + count, 0),
  fewest: connections.length === 0 ? 0 : Math.min(...connections),
  isDraining: false,
});
/** A random generator with a seed, so that a run can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('streams above the mean', () => {
  it('are counted only if another process is below the mean by more than a tenth and more than two streams', () => {
    assert.equal(excessStreams(1_000, loads()), 0);
    assert.equal(excessStreams(1_000, loads(1_000, 0, 0)), 500);
    assert.equal(excessStreams(112, loads(88)), 0);
    assert.equal(excessStreams(114, loads(86)), 14);
    assert.equal(excessStreams(2, loads(0)), 0);
    assert.equal(excessStreams(0, loads(1_000)), 0);
    // The other processes are only slightly above the mean.
    assert.equal(excessStreams(110, loads(...Array.from({ length: 8 }, () => 110), 20)), 9);
  });

  it('are counted as zero while another process drains', () => {
    assert.equal(excessStreams(1_000, { ...loads(1_000, 0, 500), isDraining: true }), 0);
  });
});

/**
 * Simulates processes that report every 5 s, and clients that reconnect to a process that the load balancer chooses.
 * @param pick returns the process for a client that reconnects
 * @returns the number of streams in each process at the end, and the number of moves
 */
function simulate(counts: number[], seconds: number, pick: (from: number, counts: readonly number[]) => number) {
  let now = 0;
  const balances = counts.map(() => new Balance(() => now));
  let moves = 0;
  for (; now < seconds * 1_000; now += 5_000) {
    const reported = [...counts];
    for (const [index, balance] of balances.entries()) {
      const others = loads(...reported.filter((_, other) => other !== index));
      const count = balance.toMove(reported[index]!, others);
      balance.moved(count);
      for (let moved = 0; moved < count; moved += 1) {
        const target = pick(index, counts);
        counts[index]! -= 1;
        counts[target]! += 1;
        moves += 1;
      }
    }
  }
  return { counts, moves };
}

describe('stream balancing', () => {
  it('brings new processes within 20 % of the mean in five minutes, with 2,000 streams and a random load balancer', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const next = random(seed);
      const { counts, moves } = simulate([1_000, 1_000, 0, 0], 300, (_, { length }) => Math.floor(next() * length));
      for (const count of counts) assert.ok(count > 400 && count < 600, `seed ${seed}: ${counts.join()}`);
      assert.ok(moves < 2_400, `seed ${seed}: ${moves} moves`);
    }
  });

  it('also reaches the mean with a load balancer that picks processes in turn, or picks the least busy process', () => {
    let turn = 0;
    const inTurn = simulate([1_000, 1_000, 0, 0], 300, () => {
      turn += 1;
      return turn % 4;
    });
    const least = simulate([1_000, 1_000, 0, 0], 300, (_, counts) => counts.indexOf(Math.min(...counts)));
    for (const { counts } of [inTurn, least])
      for (const count of counts) assert.ok(count > 400 && count < 600, counts.join());
    assert.ok(least.moves <= 1_200, `${least.moves} moves`);
  });

  it('brings one new process among nine old ones within 20 % of the mean in five minutes', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const next = random(seed);
      const before = [...Array.from({ length: 9 }, () => 220), 0];
      const { counts, moves } = simulate(before, 300, (_, { length }) => Math.floor(next() * length));
      for (const count of counts) assert.ok(count > 158 && count < 238, `seed ${seed}: ${counts.join()}`);
      assert.ok(moves < 2_400, `seed ${seed}: ${moves} moves`);
    }
  });

  it('moves no stream once the processes are balanced', () => {
    const next = random(7);
    assert.equal(simulate([500, 520, 480, 500], 3_600, (_, { length }) => Math.floor(next() * length)).moves, 0);
  });

  it('pauses for a quarter of an hour if a sticky load balancer sends the clients back', () => {
    const { counts, moves } = simulate([1_000, 0], 3_600, (from) => from);
    assert.deepEqual(counts, [1_000, 0]);
    // That is 100 to 150 moves in each quarter of an hour.
    assert.ok(moves >= 400 && moves <= 600, `${moves} moves`);
  });
});

describe('two processes with streams', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  class Hub {
    moved: number[] = [];
    count: number;
    constructor(count: number) {
      this.count = count;
    }
    connections = () => this.count;
    moveOldest = (count: number, leastAgeMs: number) => {
      assert.equal(leastAgeMs, 60_000);
      this.moved.push(count);
      return count;
    };
  }
  const rows = async () => {
    const { rows } = await db.pool.query<{ connections: number; is_draining: boolean }>(
      'SELECT connections, is_draining FROM stream_load ORDER BY connections',
    );
    return rows.map(({ connections, is_draining }) => `${connections}${is_draining ? ' draining' : ''}`);
  };

  it('know the mean, and the process above the mean moves its oldest streams, a few each second', async () => {
    const [full, empty] = [new Hub(200), new Hub(0)];
    const second = startBalancer({ pool: db.pool, hub: empty });
    await until('the empty one has reported', async () => (await rows()).length === 1);
    const first = startBalancer({ pool: db.pool, hub: full });
    await until('streams are moved', () => full.moved.length > 0);
    // A hundredth of 200 streams moves in a second.
    assert.equal(full.moved[0], 2);
    assert.deepEqual(empty.moved, []);
    assert.deepEqual(await rows(), ['0', '200']);
    first.drain();
    await until('it reports that it drains', async () => (await rows()).includes('200 draining'));
    const { length } = full.moved;
    await first.stop();
    assert.equal(full.moved.length, length, 'the streams that end with the process are not moved');
    assert.deepEqual(await rows(), ['0']);
    await second.stop();
    assert.deepEqual(await rows(), []);
  });
});
