import assert from 'node:assert/strict';
import pg from 'pg';
import { type Changed, type MatchChanges, openMatchChanges } from '../../src/db/notices.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openPostgresProxy } from '../support/postgres-proxy.ts';
import { until } from '../support/until.ts';

const quiet = { warn: () => {} };

describe('notices', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  const opened: MatchChanges[] = [];
  const open = async (url = db.url, logger: Parameters<typeof openMatchChanges>[1] = quiet) => {
    const changes = await openMatchChanges(url, logger);
    opened.push(changes);
    return changes;
  };
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((changes) => changes.close()));
    for (const one of undo.splice(0)) await one();
  });

  it('about changed matches reach the same process at once, and all other processes soon', async () => {
    const [one, two] = [await open(), await open()];
    const got: { one: Changed[]; two: Changed[] } = { one: [], two: [] };
    one.subscribe((changed) => got.one.push(changed));
    const stop = two.subscribe((changed) => got.two.push(changed));
    one.publish([1, 2]);
    assert.deepEqual(got.one, [[1, 2]]);
    await until('the other has it', () => got.two.length === 1);
    assert.deepEqual(got.two, [[1, 2]]);
    stop();
    one.publish(Array.from({ length: 500 }, (_, id) => id));
    two.subscribe((changed) => got.two.push(changed));
    await until('the other has it', () => got.two.length === 2);
    assert.equal(got.two[1], 'all');
    assert.equal(got.one.length, 2);
  });

  it('about replaced connections reach every other process once', async () => {
    const [one, two] = [await open(), await open()];
    const got: { one: string[]; two: string[] } = { one: [], two: [] };
    const changed: Changed[] = [];
    one.onReplaced((name) => got.one.push(name));
    const stop = two.onReplaced((name) => got.two.push(name));
    two.subscribe((ids) => changed.push(ids));
    one.publishReplaced([]);
    one.publishReplaced(['a-1 x', 'a-2 y']);
    one.publish([3]);
    await until('the other has both', () => got.two.length === 2 && changed.length === 1);
    assert.deepEqual([got, changed], [{ one: [], two: ['a-1 x', 'a-2 y'] }, [[3]]]);
    stop();
    one.publishReplaced(['a-3 z']);
    one.publish([4]);
    await until('the other has the next', () => changed.length === 2);
    assert.equal(got.two.length, 2);
  });

  it('about merged participants reach the same process at once and the rest soon', async () => {
    const [one, two] = [await open(), await open()];
    const got = { one: 0, two: 0 };
    const changed: Changed[] = [];
    one.onJoined(() => {
      got.one += 1;
    });
    const stop = two.onJoined(() => {
      got.two += 1;
    });
    two.subscribe((ids) => changed.push(ids));
    one.publishJoined();
    assert.equal(got.one, 1);
    await until('the other has it', () => got.two === 1);
    stop();
    one.publishJoined();
    one.publish([5]);
    await until('the other has the next', () => changed.length === 1);
    assert.deepEqual([got, changed], [{ one: 2, two: 1 }, [[5]]]);
  });

  it('with sample events reach the same process at once and the rest soon, with any text that is not too long', async () => {
    const [one, two] = [await open(), await open()];
    const got: { one: [number, string][]; two: [number, string][] } = { one: [], two: [] };
    const changed: Changed[] = [];
    one.onSample((...sample) => got.one.push(sample));
    const stop = two.onSample((...sample) => got.two.push(sample));
    two.subscribe((ids) => changed.push(ids));
    const texts = ['{"a":"b:c"}', "it's :: events", 'ü'.repeat(3_500)];
    for (const text of texts) one.publishSample(12, text);
    const all = texts.map((text): [number, string] => [12, text]);
    assert.deepEqual(got.one, all);
    await until('the other has them', () => got.two.length === texts.length);
    assert.deepEqual(got.two, all);
    assert.throws(() => one.publishSample(12, 'x'.repeat(7_001)), RangeError);
    stop();
    one.publishSample(12, 'x');
    one.publish([6]);
    await until('the other has the next', () => changed.length === 1);
    assert.deepEqual([got.two.length, changed], [3, [[6]]]);
  });

  it('say whether the change also has events', async () => {
    const [one, two] = [await open(), await open()];
    const got: { one: boolean[]; two: boolean[] } = { one: [], two: [] };
    const changed: Changed[] = [];
    one.subscribe((_ids, { events }) => got.one.push(events));
    two.subscribe((ids, { events }) => {
      changed.push(ids);
      got.two.push(events);
    });
    one.publish([1], { events: true });
    await until('the other has it', () => changed.length === 1);
    one.publish([2]);
    await until('the other has the second', () => changed.length === 2);
    // Two changes at the same moment share a notice.
    one.publish([3]);
    one.publish([4], { events: true });
    await until('the other has both', () => changed.flat().includes(4));
    one.publish(
      Array.from({ length: 500 }, (_, id) => id),
      { events: true },
    );
    await until('the other has many', () => changed.at(-1) === 'all');
    assert.deepEqual(got.one, [true, false, false, true, true]);
    assert.deepEqual(
      [got.two.slice(0, 2), got.two.slice(-2)],
      [
        [true, false],
        [true, true],
      ],
    );
  });

  it('about new log entries reach the other processes with their text, and are not taken for match changes', async () => {
    const [one, two] = [await open(), await open()];
    const got: { one: unknown[]; two: unknown[] } = { one: [], two: [] };
    const changed: Changed[] = [];
    const append = (text: string) =>
      db.pool.query('SELECT pg_notify($1, $2 || $3)', [one.appendNotice.channel, one.appendNotice.payload, text]);
    one.onAppend((text) => got.one.push(text));
    const stop = two.onAppend((text) => got.two.push(text));
    two.subscribe((ids) => changed.push(ids));
    await append('12');
    await until('the other has it', () => got.two.length === 1);
    one.publish([3]);
    await append('13:{"a":1}');
    await until('the other has both', () => got.two.length === 2 && changed.length === 1);
    // The notice that earlier releases send.
    await db.pool.query('SELECT pg_notify($1, $2)', [one.appendNotice.channel, 'another:log']);
    await until('the other has that, too', () => got.two.length === 3);
    stop();
    await append('14');
    one.publish([4]);
    await until('the other has what was sent after it', () => changed.length === 2);
    assert.deepEqual([got, changed], [{ one: [undefined], two: ['12', '13:{"a":1}', undefined] }, [[3], [4]]]);
  });

  it('arrive again after an outage, on one new connection', async () => {
    const proxy = await openPostgresProxy(db.url);
    undo.push(() => proxy.close());
    let lost = 0;
    const changes = await open(proxy.url, { warn: () => (lost += 1) });
    const got: Changed[] = [];
    let appends = 0;
    changes.subscribe((changed) => got.push(changed));
    changes.onAppend(() => (appends += 1));
    let attempts = 0;
    const { connect } = pg.Client.prototype;
    pg.Client.prototype.connect = function counted(this: pg.Client) {
      attempts += 1;
      return (connect as unknown as () => Promise<void>).call(this);
    } as unknown as typeof connect;
    try {
      await proxy.down();
      await until('it has tried to connect three times', () => attempts >= 3);
    } finally {
      pg.Client.prototype.connect = connect;
    }
    await proxy.up();
    await until('it is notified that it may have missed some', () => got.length > 0);
    const other = await open();
    other.publish([7]);
    await until('it is notified again', () => got.length > 1);
    assert.deepEqual([lost, got], [1, ['all', [7]]]);
    assert.equal(appends, 1, 'the log may have grown meanwhile');
  });
});
