import assert from 'node:assert/strict';
import { suspendAccount } from '../../src/accounts/accounts.ts';
import { deviceName } from '../../src/accounts/members/user-agent.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

interface Session {
  id: number;
  device: string;
  user_agent: string;
  address: string;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

describe('member sessions', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());

  async function signedIn(email: string, agent = FIREFOX, address = '192.0.2.7'): Promise<Visitor> {
    const visitor = accounts.visitor(address);
    const form = { email, password: PASSWORD };
    assert.equal((await visitor.post('/account/sign-in', form, { 'User-Agent': agent })).status, 303);
    return visitor;
  }
  const isOpen = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;
  const listSessions = async (visitor: Visitor): Promise<Session[]> =>
    (await visitor.json('GET', '/v1/account/sessions')).json.sessions;
  const audited = async (email: string) => {
    const { rows } = await accounts.pool.query(
      'SELECT e.action, e.actor, e.target, e.details FROM audit_entry e JOIN account a ON a.id = e.account_id WHERE a.email = $1 ORDER BY e.id',
      [email],
    );
    return rows;
  };

  it('end when the account is suspended, and stay ended after the suspension is lifted', async () => {
    const { visitor } = await accounts.signedUp('suspended@example.com');
    const other = await signedIn('suspended@example.com');
    const { visitor: bystander } = await accounts.signedUp('bystander@example.com');
    await suspendAccount(accounts.pool, accounts.clock, 'suspended@example.com', true);
    await suspendAccount(accounts.pool, accounts.clock, 'suspended@example.com', false);
    assert.deepEqual([await isOpen(visitor), await isOpen(other), await isOpen(bystander)], [false, false, true]);
    assert.ok(await isOpen(await signedIn('suspended@example.com')), 'the account itself is as before');
    const entry = (await audited('suspended@example.com')).find(({ action }) => action === 'account.suspended');
    assert.deepEqual(entry.details, { sessions_ended: 2 });
  });

  it('that began during a suspension end when it is lifted, and lifting has no effect on an account that was not suspended', async () => {
    const { visitor } = await accounts.signedUp('racing@example.com');
    await suspendAccount(accounts.pool, accounts.clock, 'racing@example.com', false);
    assert.ok(await isOpen(visitor));
    const { rows } = await accounts.pool.query(
      'SELECT s.* FROM member_session s JOIN member m ON m.id = s.member_id WHERE m.email = $1',
      ['racing@example.com'],
    );
    await suspendAccount(accounts.pool, accounts.clock, 'racing@example.com', true);
    const { member_id, created_at, seen_at, expires_at, address, agent, hash } = rows[0];
    await accounts.pool.query(
      'INSERT INTO member_session (hash, member_id, awaits_code, created_at, seen_at, expires_at, address, agent) VALUES ($1, $2, false, $3, $4, $5, $6, $7)',
      [hash, member_id, created_at, seen_at, expires_at, address, agent],
    );
    await suspendAccount(accounts.pool, accounts.clock, 'racing@example.com', false);
    assert.equal(await isOpen(visitor), false);
  });

  it('are listed over REST with device, address and times', async () => {
    await accounts.signedUp('list@example.com');
    const phone = await signedIn('list@example.com', SAFARI, '198.51.100.4');
    accounts.clock.advance(60_000);
    const desk = await signedIn('list@example.com', FIREFOX, '192.0.2.9');
    const { status, json } = await desk.json('GET', '/v1/account/sessions');
    assert.equal(status, 200);
    const [first, second] = json.sessions as Session[];
    assert.equal(json.sessions.length, 3);
    assert.deepEqual(Object.keys(first!), [
      'id',
      'device',
      'user_agent',
      'address',
      'created_at',
      'last_seen_at',
      'current',
    ]);
    assert.deepEqual([first!.device, first!.address, first!.current], ['Firefox 128 on Windows', '192.0.2.9', true]);
    assert.equal(first!.user_agent, FIREFOX);
    assert.ok(
      [second, json.sessions[2]].some(
        ({ device, address }) => device === 'Safari 17 on iOS' && address === '198.51.100.4',
      ),
    );
    assert.deepEqual((await listSessions(phone)).map(({ current, device }) => current && device).filter(Boolean), [
      'Safari 17 on iOS',
    ]);
    const { rows } = await accounts.pool.query('SELECT encode(hash, $1) AS hex FROM member_session', ['hex']);
    const text = JSON.stringify(json);
    assert.ok(!rows.some(({ hex }) => text.includes(hex)) && !text.includes([...desk.cookies.values()][0]!));
  });

  it('can be ended over REST only by the same member, and only from a page on this service', async () => {
    const { key } = await accounts.signedUp('one@example.com');
    const { visitor: stranger } = await accounts.signedUp('stranger@example.com');
    const [lost, own] = [await signedIn('one@example.com', SAFARI), await signedIn('one@example.com')];
    const { id } = (await listSessions(own)).find(({ device }) => device.startsWith('Safari'))!;
    const path = `/v1/account/sessions/${id}`;
    assert.equal((await stranger.json('DELETE', path)).status, 404);
    const ask = (method: string, headers = {}) => accounts.app.ask(path, { method, key, headers });
    assert.deepEqual([(await ask('DELETE')).status, (await ask('DELETE')).json.code], [403, 'key_not_permitted']);
    assert.equal((await accounts.app.ask('/v1/account/sessions', { key })).json.code, 'key_not_permitted');
    const forged = await own.json('DELETE', path, undefined, { Origin: 'https://evil.example.com' });
    assert.deepEqual([forged.status, forged.json.code], [403, 'csrf_failed']);
    assert.equal((await accounts.visitor().json('DELETE', path)).status, 401);
    for (const wrong of ['0', '-1', 'x', '99999999999999999999'])
      assert.equal((await own.json('DELETE', `/v1/account/sessions/${wrong}`)).status, 422, wrong);
    assert.ok(await isOpen(lost));

    assert.equal((await own.json('DELETE', path)).status, 204);
    assert.deepEqual([await isOpen(lost), await isOpen(own)], [false, true]);
    assert.equal((await own.json('DELETE', path)).status, 404, 'ended before');
    const { action, actor, target, details } = (await audited('one@example.com')).at(-1);
    assert.deepEqual(
      [action, actor, target, details],
      [
        'member.session_ended',
        'one@example.com',
        `session ${id}`,
        { device: 'Safari 17 on iOS', address: '192.0.2.7' },
      ],
    );
    const self = (await listSessions(own)).find(({ current }) => current)!;
    assert.equal((await own.json('DELETE', `/v1/account/sessions/${self.id}`)).status, 204);
    assert.equal(await isOpen(own), false);
  });

  it('cannot be listed or ended by another member of the account', async () => {
    const { visitor: first } = await accounts.signedUp('first@example.com');
    await accounts.pool.query(
      "INSERT INTO member (account_id, email, password, created_at) SELECT account_id, 'second@example.com', password, created_at FROM member WHERE email = 'first@example.com'",
    );
    const second = await signedIn('second@example.com');
    const [{ id }] = (await listSessions(first)) as [Session];
    assert.ok((await listSessions(second)).every((session) => session.id !== id));
    assert.equal((await second.json('DELETE', `/v1/account/sessions/${id}`)).status, 404);
    assert.equal((await second.post(`/account/security/sessions/${id}/end`, {})).status, 404);
    await second.post('/account/security/sessions/end-others', {});
    await second.post('/account/security/sign-out', {});
    assert.ok(await isOpen(first));
  });

  it('can be ended if an earlier version stored them without ids, and are not listed until the second-factor code is entered', async () => {
    const { visitor } = await accounts.signedUp('older@example.com');
    const other = await signedIn('older@example.com');
    await accounts.pool.query('UPDATE member_session SET id = NULL');
    const listed = await listSessions(visitor);
    assert.equal(new Set(listed.map(({ id }) => id)).size, 2);
    const { id } = listed.find(({ current }) => !current)!;
    assert.deepEqual(await listSessions(visitor), listed, 'ids stay');
    assert.equal((await visitor.json('DELETE', `/v1/account/sessions/${id}`)).status, 204);
    assert.equal(await isOpen(other), false);
    await accounts.pool.query('UPDATE member_session SET awaits_code = true WHERE id <> $1', [
      listed.find(({ current }) => current)!.id,
    ]);
    assert.equal((await listSessions(visitor)).length, 1);
  });

  it('show a device by browser and system, or by user agent if these are unknown', () => {
    for (const [agent, name] of [
      [FIREFOX, 'Firefox 128 on Windows'],
      [SAFARI, 'Safari 17 on iOS'],
      ['curl/8.1', 'curl/8.1'],
      ['<script>alert(1)</script>', '<script>alert(1)</script>'],
      [' ', 'unknown'],
      ['', 'unknown'],
    ] as const)
      assert.equal(deviceName(agent), name);
  });
});
