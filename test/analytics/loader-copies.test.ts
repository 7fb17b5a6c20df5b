import assert from 'node:assert/strict';
import { storedEras } from '../../src/analytics/loader/history.ts';
import { ClickHouseUnavailable } from '../../src/db/clickhouse.ts';
import { requestCopy } from '../../src/db/loader-copy.ts';
import { restampSince } from '../../src/relay/restore-repair.ts';
import { type Analytics, dropTables, emptyTables, type Match, startAnalytics } from '../support/analytics.ts';
import { until } from '../support/until.ts';
import { assertLoaded } from './stored-history.ts';

const LEAGUE = { name: 'First League', country: 'GB-ENG' };
const side = (name: string) => ({ name, country: 'GB-ENG' });
const played = (id: string, over: Partial<Match> = {}): Match => ({
  id,
  sport: 'football',
  tournament: LEAGUE,
  season: { label: '2023/24' },
  home: side(`Home ${id}`),
  away: side(`Away ${id}`),
  scheduled_start: '2024-05-01T14:00:00Z',
  status: 'finished',
  score: { home: 2, away: 1 },
  ...over,
});

describe('the copy loader', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  beforeEach(() => service.clear());

  const count = () => assertLoaded(service);
  const sql = (text: string, values: unknown[] = []) => service.db.pool.query(text, values);

  describe('with a replaced ClickHouse or Postgres', () => {
    it('rows that another database has loaded are replaced, even if their removal is interrupted', async () => {
      await service.matches(played('a'), played('b'));
      await service.settle();
      for (const table of ['', 'loader_position', 'match_key', 'side_match']) {
        // The database is a copy with the same ids, which lacks one match that the original had.
        await sql('UPDATE analytics_loader SET database_id = gen_random_uuid(), loaded_cursor = 0');
        await sql('DELETE FROM match WHERE id = (SELECT max(id) FROM match)');
        await sql('DELETE FROM match_change c WHERE NOT EXISTS (SELECT FROM match m WHERE m.id = c.match_id)');
        await service.matches(played(`c${table}`));
        await service.assignCursors();
        service.killLoader();
        if (table !== '') {
          service.faults.after = ({ text }) => {
            if (text.startsWith(`ALTER TABLE ${table} DROP`)) throw new ClickHouseUnavailable('killed');
          };
          await assert.rejects(service.load(), /killed/);
          service.faults.after = undefined;
        }
        await service.load();
        assert.equal(await count(), 2, table);
      }
    });

    for (const [name, lose] of [
      ['emptied', emptyTables],
      ['new', dropTables],
    ] as const)
      it(`a ClickHouse that is ${name} is loaded again, even if no match changes`, async () => {
        await service.matches(played('a'), played('b'));
        const running = await service.run();
        try {
          await service.loaded();
          await lose(service.clickhouse);
          await until(
            'all is there again',
            async () => {
              const tables = await service.rows(
                "SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = 'loader_position'",
              );
              if (tables.length === 0) return false;
              return (await service.rows('SELECT 1 FROM loader_position FINAL')).length > 0;
            },
            15_000,
          );
          assert.equal(await count(), 2);
        } finally {
          await running.stop();
        }
      });

    it('the current copy answers requests until the rebuilt copy replaces it', async () => {
      const [id] = await service.matches(
        played('next', {
          status: 'scheduled',
          score: null,
          home: side('Home a'),
          scheduled_start: '2024-05-30T14:00:00Z',
        }),
        played('a'),
        played('b'),
      );
      await service.settle();
      /**
       * Returns the number of matches in a sample. Each sample is requested only once, since an unchanged one is not
       * computed again.
       */
      const matches = async (sample: string) => {
        const { status, json } = await service.app.ask<{ home: { form: { overall: { matches: number } } } }>(
          `/v1/event/${id}/analytics?sample=${sample}`,
        );
        return [status, json.home?.form.overall.matches];
      };
      assert.deepEqual(await matches('season'), [200, 1]);
      // Puts wrong rows into the current copy. The next copy must not contain them.
      await service.clickhouse.command(
        'INSERT INTO played_match SELECT * REPLACE (match_id + 1000 AS match_id) FROM played_match FINAL',
      );
      assert.deepEqual(await matches('window'), [200, 2]);
      assert.equal(await requestCopy(service.db.pool, 'rebuild'), 2);
      const seen: unknown[] = [];
      service.faults.before = async ({ kind, text }) => {
        if (kind !== 'insert' || text !== 'loader_position') return;
        service.faults.before = undefined;
        seen.push(await matches('all'));
      };
      await service.load();
      assert.deepEqual(seen, [[200, 2]], 'answered while it is built');
      service.deps.changes.publish([id!]);
      for (const sample of ['season', 'window', 'all']) assert.deepEqual(await matches(sample), [200, 1]);
      assert.equal(await count(), 2);
      // Until now, replies were read from the former copy.
      assert.deepEqual((await storedEras(service.clickhouse, 1)).sort(), [1, 2]);
      // A new loader removes the former copy at once, since it does not have to wait for earlier requests.
      service.killLoader();
      await service.load();
      assert.deepEqual(await storedEras(service.clickhouse, 1), [2]);
      assert.equal(await count(), 2);
      await service.matches(played('c'));
      await service.settle();
      assert.equal(await count(), 3);
    });

    it('an installation touches only its own copies in a shared ClickHouse', async () => {
      const other = 7 * 65_536 + 1;
      await service.matches(played('a'));
      await service.settle();
      const copy = (table: string) =>
        service.clickhouse.command(
          `INSERT INTO ${table} SELECT * REPLACE (${other} AS era) FROM (SELECT * FROM ${table} WHERE era = 1)`,
        );
      for (const table of ['played_match', 'match_key', 'loader_position']) await copy(table);
      const rows = async () =>
        (
          await service.clickhouse.query<{ n: number }>(
            `SELECT (SELECT count() FROM played_match WHERE era = ${other}) + (SELECT count() FROM side_match WHERE era = ${other}) AS n`,
          )
        )[0]!.n;
      assert.equal(await rows(), 3);
      assert.equal(await requestCopy(service.db.pool, 'rebuild'), 2);
      await service.load();
      service.killLoader();
      await service.load();
      assert.deepEqual(await storedEras(service.clickhouse, 1), [2]);
      assert.deepEqual(await storedEras(service.clickhouse, other), [other]);
      assert.equal(await rows(), 3);
      await service.clickhouse.command(`ALTER TABLE played_match DROP PARTITION ${other}`);
      await service.clickhouse.command(`ALTER TABLE side_match DROP PARTITION ${other}`);
      await service.clickhouse.command(`ALTER TABLE match_key DROP PARTITION ${other}`);
      await service.clickhouse.command(`ALTER TABLE loader_position DROP PARTITION ${other}`);
    });

    it('changed counting rules rebuild the history once', async () => {
      await service.matches(played('a'), played('b'));
      await service.settle();
      await sql('UPDATE analytics_loader SET counting = 1');
      service.killLoader();
      await service.load();
      const state = async () => (await sql('SELECT era, next_era, counting FROM analytics_loader')).rows[0];
      assert.deepEqual(await state(), { era: 2, next_era: null, counting: 3 });
      assert.equal(await count(), 2);
      service.killLoader();
      await service.load();
      assert.deepEqual(await state(), { era: 2, next_era: null, counting: 3 });
    });

    it('a new installation takes era numbers that depend on its database id', async () => {
      const firstEra = async (databaseId: string) => {
        await service.clear();
        await sql('UPDATE analytics_loader SET counting = 1, database_id = $1', [databaseId]);
        await service.matches(played('a'));
        await service.settle();
        assert.equal(await count(), 1);
        const { era } = (await sql('SELECT era FROM analytics_loader')).rows[0] as { era: number };
        for (const stored of await storedEras(service.clickhouse, era)) assert.equal(stored, era);
        await service.clickhouse.command(`ALTER TABLE loader_position DROP PARTITION ${era}`);
        return era;
      };
      const id = (start: string) => `${start}-0000-4000-8000-000000000000`;
      assert.equal(await firstEra(id('00000000')), 65_536 + 1);
      assert.equal(await firstEra(id('00010000')), 2 * 65_536 + 1);
      assert.equal(await firstEra(id('7ffe0000')), 32_767 * 65_536 + 1);
      assert.equal(await firstEra(id('ffff0000')), 2 * 65_536 + 1);
    });

    it('an interrupted rebuild continues, and a new rebuild request starts it again', async () => {
      await service.matches(played('a'), played('b'));
      await service.settle();
      for (const [table, era] of [
        ['played_match', 2],
        ['loader_position', 3],
      ] as const) {
        assert.equal(await requestCopy(service.db.pool, 'rebuild'), era);
        service.faults.after = ({ text }) => {
          if (text === table) throw new ClickHouseUnavailable('killed');
        };
        await assert.rejects(service.load(), /killed/);
        service.faults.after = undefined;
        if (era === 2) assert.equal((await sql('SELECT era FROM analytics_loader')).rows[0].era, 1);
      }
      await service.load();
      assert.equal((await sql('SELECT era FROM analytics_loader')).rows[0].era, 3);
      assert.equal(await count(), 2);
      service.killLoader();
      await service.load();
      assert.deepEqual(await storedEras(service.clickhouse, 1), [3]);
    });

    /** The tables in a backup, each copied into a second table. */
    const TABLES = ['match', 'match_change', 'match_tombstone', 'match_touch', 'relay', 'analytics_loader'];
    const backUp = async () => {
      for (const table of TABLES) await sql(`CREATE TABLE backup_${table} AS TABLE ${table}`);
    };
    const restore = async () => {
      await sql('TRUNCATE match CASCADE');
      for (const table of TABLES) {
        await sql(`DELETE FROM ${table}`);
        await sql(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM backup_${table}`);
        await sql(`DROP TABLE backup_${table}`);
      }
    };

    it('a Postgres that is older than the loaded data is detected', async () => {
      const ids = await service.matches(played('a'), played('b'));
      await service.settle();
      await backUp();
      await service.matches(played('a', { score: { home: 9, away: 0 } }), played('lost'), played('lost too'));
      await service.settle();
      assert.equal(await count(), 4);
      service.killLoader();
      await restore();
      await service.load();
      assert.equal(await count(), 2);
      const { rows } = await sql('SELECT era, next_era FROM analytics_loader');
      assert.deepEqual(rows, [{ era: 2, next_era: null }]);
      // After the restore, cursors are assigned to different changes than before.
      await service.matches(played('b', { score: { home: 3, away: 3 } }));
      await service.touch(...ids);
      await service.settle();
      assert.equal(await count(), 2);
    });

    it('`restored` reloads all matches, even if the restored database has gained as many changes as it lost', async () => {
      await service.matches(played('a'), played('b'));
      await service.settle();
      await backUp();
      await service.matches(played('a', { score: { home: 9, away: 0 } }), played('lost'));
      await service.settle();
      service.killLoader();
      await restore();
      const { rows } = await sql(
        'SELECT change_seq, (SELECT loaded_cursor FROM analytics_loader) AS loaded FROM relay',
      );
      await service.matches(
        played('b', { scheduled_start: '2024-05-07T14:00:00Z' }),
        played('other'),
        played('another'),
      );
      await service.assignCursors();
      assert.ok(rows[0].loaded <= rows[0].change_seq);
      const price = async () => {
        const { rows } = await sql("SELECT nextval(pg_get_serial_sequence('odds_change', 'id')) AS next");
        return rows[0].next as number;
      };
      const before = await price();
      assert.ok((await restampSince(service.db.pool, '2024-01-01T00:00:00Z')) >= 3);
      assert.ok((await price()) > before + 1_000_000, 'prices get ids that were given to others');
      await service.settle();
      assert.equal(await count(), 4);
      const lag = await sql('SELECT change_seq - loaded_cursor AS lag FROM relay, analytics_loader');
      assert.equal(lag.rows[0].lag, 0);
    });
  });
});
