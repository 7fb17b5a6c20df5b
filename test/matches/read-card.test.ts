/** Tests that cards which are read with one statement equal cards that are read one by one. */
import assert from 'node:assert/strict';
import type { Queryable } from '../../src/db/postgres.ts';
import { readCard } from '../../src/matches/read-card.ts';
import type { BlockName } from '../../src/wire/match.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';

const UNKNOWN = 999_999_999;
const statistic = (value: number) => ({
  period: 'ALL',
  group_name: null,
  stat_name: 'Corners',
  home_value: value,
  away_value: 1,
  home_text: `${value}`,
  away_text: '1',
});

describe('reading cards', () => {
  let bench: FeedBench;
  let ids: number[];
  before(async () => {
    bench = await openFeedBench();
    ids = [];
    for (let n = 0; n < 40; n += 1) {
      bench.nextMatch();
      const lineups = [
        { side: 'home' as const, player: { name: `Игрок ${n}` }, shirt_number: '1', is_substitute: false },
      ];
      ids.push(await bench.accept({ lineups, statistics: [statistic(n)] }));
    }
  });
  after(() => bench.db.drop());

  /** Returns a database that counts statements. */
  function counting(): { db: Queryable; statements(): number } {
    let statements = 0;
    const query = (...parameters: unknown[]) => {
      statements += 1;
      return (bench.db.pool.query as (...all: unknown[]) => unknown)(...parameters);
    };
    return { db: { query } as unknown as Queryable, statements: () => statements };
  }

  it('reads 16 cards at a time if they are requested together, each as if it were read alone', async () => {
    const wishes: { id: number; blocks: BlockName[] | null; cachedVersion?: number }[] = [];
    const alone = [];
    for (const [index, id] of ids.entries()) {
      const { version } = (await readCard(bench.db.pool, id, null))!;
      const blocks: BlockName[] | null = [null, ['lineups' as const], [], ['statistics' as const, 'lineups' as const]][
        index % 4
      ]!;
      const wish = { id, blocks, ...(index % 3 === 0 && { cachedVersion: version - (index % 2) }) };
      wishes.push(wish);
      alone.push(await readCard(bench.db.pool, id, blocks, wish.cachedVersion));
    }
    const { db, statements } = counting();
    const together = await Promise.all(
      wishes.map(({ id, blocks, cachedVersion }) => readCard(db, id, blocks, cachedVersion)),
    );
    assert.deepEqual(together, alone);
    assert.equal(statements(), 3);
    assert.equal(alone.filter((one) => one!.card === null).length, 7);
    assert.deepEqual(Object.keys(JSON.parse(String(alone[1]!.card))).includes('statistics'), false);
    assert.match(String(alone[3]!.card), /"lineups":.*Игрок 3.*"statistics":/s);
  });

  it('returns a card for every request, and null for an unknown match', async () => {
    const { db, statements } = counting();
    const id = ids[0]!;
    const [one, unknown, known, other] = await Promise.all([
      readCard(db, id, null),
      readCard(db, UNKNOWN, null),
      readCard(db, id, null, (await readCard(bench.db.pool, id, null))!.version),
      readCard(db, id, []),
    ]);
    assert.equal(unknown, null);
    assert.equal(known!.card, null);
    assert.ok(one!.card!.length > other!.card!.length);
    assert.equal(statements(), 2);
  });

  it('fails only for a card that cannot be read, not for the rest', async () => {
    const [broken, ...others] = ids.slice(20, 26);
    // Breaks the JSON and removes the source. Postgres sorts line-ups without a source, which are from earlier releases.
    const ruin = `UPDATE match_block SET json = '[{"position":"', source = NULL WHERE match_id = $1 AND block = 'lineups'`;
    await bench.db.pool.query(ruin, [broken]);
    const reads = await Promise.allSettled([broken!, ...others].map((id) => readCard(bench.db.pool, id, null)));
    assert.deepEqual(
      reads.map(({ status }) => status),
      ['rejected', ...others.map(() => 'fulfilled')],
    );
    assert.match(String((reads[0] as PromiseRejectedResult).reason), /json/);
  });

  it('fails for all cards if the database fails, without reading them again', async () => {
    let statements = 0;
    const db = {
      query() {
        statements += 1;
        return Promise.reject(Object.assign(new Error('too slow'), { code: '57014' }));
      },
    } as unknown as Queryable;
    const reads = await Promise.allSettled(ids.slice(0, 5).map((id) => readCard(db, id, null)));
    assert.ok(reads.every(({ status }) => status === 'rejected'));
    assert.equal(statements, 1);
  });
});
