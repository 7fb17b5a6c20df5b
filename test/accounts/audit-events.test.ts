import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../../src/accounts/audit.ts';
import { readAuditEvents } from '../../src/accounts/audit-events.ts';
import { transaction } from '../../src/db/postgres.ts';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';

interface Page {
  events: { cursor: number; action: string; target: string | null; actor: string; details: Record<string, unknown> }[];
  next_cursor: number;
  has_more: boolean;
}

describe('audit events', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let visitor: Visitor;
  let key: string;
  let accountId: number;
  let people = 0;
  before(async () => {
    accounts = await startAccountApp();
  });
  beforeEach(async () => {
    people += 1;
    ({ visitor, key } = await accounts.signedUp(`audit${people}@example.com`, `10.0.${people}.1`));
    accountId = (await accounts.app.ask<{ id: number }>('/v1/account', { key })).json.id;
  });
  after(() => accounts.close());

  const read = async (query = '') => (await accounts.app.ask<Page>(`/v1/account/events?${query}`, { key })).json;
  const write = (db: Parameters<typeof audit>[0], target: string) =>
    audit(db, accounts.clock, { accountId, actor: { name: 'tester', address: null }, action: 'key.changed', target });

  it('come oldest first, page by page, and a reader who goes on gets each new one once', async () => {
    for (const name of ['one', 'two', 'three']) await visitor.json('POST', '/v1/account/keys', { name });
    const first = await read('limit=2');
    assert.deepEqual(
      first.events.map(({ cursor, action }) => [cursor, action]),
      [
        [1, 'account.created'],
        [2, 'key.created'],
      ],
    );
    assert.deepEqual([first.next_cursor, first.has_more], [2, true]);
    const second = await read(`cursor=${first.next_cursor}`);
    assert.deepEqual(
      second.events.map(({ cursor, details }) => [cursor, details.name]),
      [
        [3, 'one'],
        [4, 'two'],
        [5, 'three'],
      ],
    );
    const none = await read('cursor=5');
    assert.deepEqual([none.events, none.next_cursor, none.has_more], [[], 5, false]);
    await visitor.json('POST', '/v1/account/keys', { name: 'four' });
    assert.deepEqual(
      (await read('cursor=5')).events.map(({ cursor, details }) => [cursor, details.name]),
      [[6, 'four']],
    );
    assert.deepEqual((await read('cursor=9000')).events, []);
  });

  it('do not miss an entry whose transaction ends after a later one has been read', async () => {
    const begun = await accounts.pool.connect();
    try {
      await begun.query('BEGIN');
      await write(begun, 'slow');
      await write(accounts.pool, 'fast');
      const { events, next_cursor } = await read();
      assert.equal(events.at(-1)!.target, 'fast');
      await begun.query('COMMIT');
      assert.deepEqual(
        (await read(`cursor=${next_cursor}`)).events.map(({ target }) => target),
        ['slow'],
      );
    } finally {
      begun.release();
    }
  });

  it('come to each of several readers once and in one order while many write', async () => {
    let isWriting = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; i < 25; i += 1)
        await transaction(accounts.pool, async (db) => {
          await write(db, `${writer}-${i}`);
          await sleep((writer * 7 + i * 3) % 11);
        });
    });
    const readers = Array.from({ length: 3 }, async () => {
      const seen: [number, string | null][] = [];
      for (let cursor = 0, isLast = false; !isLast; ) {
        isLast = !isWriting;
        const { events } = await readAuditEvents(accounts.pool, accountId, cursor, 500);
        for (const event of events) seen.push([event.cursor, event.target]);
        cursor = seen.at(-1)?.[0] ?? 0;
        await sleep(2);
      }
      return seen;
    });
    await Promise.all(writers);
    isWriting = false;
    const [first, ...others] = await Promise.all(readers);
    assert.equal(new Set(first!.map(([, target]) => target)).size, first!.length);
    assert.equal(first!.filter(([, target]) => target?.includes('-')).length, 100);
    for (const other of others) assert.deepEqual(other, first);
  });

  it('are exported whole as CSV and as NDJSON, to the account’s members and secret keys only', async () => {
    await accounts.pool.query(
      `INSERT INTO audit_entry (account_id, at, actor, by_operator, action, target, details)
       SELECT $1, now(), '=1+1', false, 'key.changed', n::text, '{"name": "a,\\"b\\""}' FROM generate_series(1, 2500) n`,
      [accountId],
    );
    const stranger = await accounts.signedUp(`stranger${people}@example.com`, `10.2.${people}.1`);
    const lines = await visitor.get('/v1/account/events/export');
    assert.match(lines.headers.get('content-type')!, /^application\/x-ndjson/);
    const rows = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(rows.length, 2_502);
    assert.deepEqual(
      rows.map(({ cursor }) => cursor),
      Array.from({ length: 2_502 }, (_, i) => i + 1),
    );
    assert.equal(rows.at(-1).target, '2500');
    const { text, headers } = await visitor.get('/v1/account/events/export?format=csv');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="audit-log.csv"');
    const [head, ...records] = text.trimEnd().split('\r\n');
    assert.equal(head, 'cursor,id,at,actor,address,by_operator,action,target,details');
    assert.equal(records.length, 2_502);
    assert.match(records.at(-1)!, /,'=1\+1,,false,key\.changed,2500,"\{""name"":""a,\\""b\\""""\}"$/);
    const theirs = await stranger.visitor.get('/v1/account/events/export');
    assert.equal(theirs.text.trimEnd().split('\n').length, 2);
    assert.equal((await accounts.visitor().get('/v1/account/events/export')).status, 401);
    assert.match((await visitor.get('/account/audit')).text, /href="[^"]*v1\/account\/events\/export\?format=csv"/);
  });

  it('refuse a cursor, a limit or a format that cannot be', async () => {
    for (const query of [
      'events?cursor=-1',
      'events?cursor=x',
      'events?limit=0',
      'events?limit=501',
      'events/export?format=xml',
    ])
      assert.equal((await accounts.app.ask(`/v1/account/${query}`, { key })).status, 422, query);
  });
});
