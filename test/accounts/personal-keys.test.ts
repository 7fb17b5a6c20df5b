import assert from 'node:assert/strict';
import type { Role } from '../../src/http/index.ts';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';

const SECOND = 1_000;

describe('personal keys', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let owner: Visitor;
  let accountId: number;
  let people = 0;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());
  beforeEach(async () => {
    people += 1;
    const made = await accounts.signedUp(`owner${people}@example.com`, `10.3.${people}.1`);
    owner = made.visitor;
    accountId = (await accounts.app.ask<{ id: number }>('/v1/account', { key: made.key })).json.id;
  });

  /** Signs somebody up who also belongs to the organisation, and acts for it. */
  async function join(role: Role) {
    const email = `${role}${people}@example.com`;
    const { visitor } = await accounts.signedUp(email, `10.4.${people}.${role.length}`);
    const { rows } = await accounts.pool.query<{ id: number }>('SELECT id FROM member WHERE email = $1', [email]);
    const memberId = rows[0]!.id;
    await accounts.pool.query(
      'INSERT INTO membership (account_id, member_id, role, created_at) VALUES ($1, $2, $3, now())',
      [accountId, memberId, role],
    );
    await accounts.pool.query('UPDATE member_session SET account_id = $1 WHERE member_id = $2', [accountId, memberId]);
    return { visitor, memberId, email };
  }
  const setRole = (memberId: number, role: Role) =>
    accounts.pool.query('UPDATE membership SET role = $3 WHERE account_id = $1 AND member_id = $2', [
      accountId,
      memberId,
      role,
    ]);
  const create = (visitor: Visitor, body: object = {}) => visitor.json('POST', '/v1/account/keys', body);
  /** Waits until a change must have taken effect. */
  const ask = async (key: string, path: string) => {
    accounts.clock.advance(5 * SECOND);
    const { status, json } = await accounts.app.ask(path, { key });
    return status === 200 ? 200 : json.code;
  };

  it('belong to a developer by default, who gets no key of the organisation', async () => {
    const { visitor, email } = await join('developer');
    const made = (await create(visitor, { name: 'Mine' })).json;
    assert.equal(made.member, email);
    assert.equal((await create(visitor, { personal: true })).json.member, email);
    const refused = await create(visitor, { personal: false });
    assert.deepEqual([refused.status, refused.json.code], [403, 'role_not_permitted']);
    assert.equal((await create(owner)).json.member, null);
    assert.equal((await create(owner, { personal: true })).json.member, `owner${people}@example.com`);
  });

  it('permit only what the role of the person permits, at the time of the request', async () => {
    const { visitor, memberId } = await join('developer');
    const { key } = (await create(visitor)).json;
    assert.equal(await ask(key, '/v1/account'), 200);
    assert.equal(await ask(key, '/v1/account/audit'), 'role_not_permitted');
    await setRole(memberId, 'admin');
    assert.equal(await ask(key, '/v1/account/audit'), 200);
    for (const role of ['viewer', 'billing'] as const) {
      await setRole(memberId, role);
      assert.equal(await ask(key, '/v1/account'), 'key_not_permitted', role);
    }
    await setRole(memberId, 'developer');
    assert.equal(await ask(key, '/v1/account'), 200);
  });

  it('are revoked for good when the person leaves, even if the person comes back', async () => {
    const { visitor, memberId } = await join('developer');
    const { key, id } = (await create(visitor)).json;
    const shared = (await create(owner)).json.key;
    assert.equal((await owner.json('DELETE', `/v1/account/members/${memberId}`)).status, 204);
    assert.equal(await ask(key, '/v1/account'), 'key_revoked');
    const { entries } = (await owner.json('GET', '/v1/account/audit?limit=2')).json;
    assert.deepEqual(
      entries.map((entry: { action: string }) => entry.action),
      ['member.removed', 'key.revoked'],
    );
    await accounts.pool.query(
      "INSERT INTO membership (account_id, member_id, role, created_at) VALUES ($1, $2, 'owner', now())",
      [accountId, memberId],
    );
    assert.equal(await ask(key, '/v1/account'), 'key_revoked');
    assert.equal((await owner.json('GET', `/v1/account/keys/${id}`)).json.state, 'revoked');
    assert.equal(await ask(shared, '/v1/account'), 200);
  });

  it('are changed and rotated by their person alone, and revoked also by an admin', async () => {
    const [{ visitor: developer }, { visitor: admin }] = [await join('developer'), await join('admin')];
    const mine = (await create(developer, { name: 'Mine' })).json;
    const shared = (await create(owner, { name: 'Shared' })).json;
    const theirs = (await create(admin, { personal: true })).json;
    const act = async (visitor: Visitor, method: string, path: string, body?: object) => {
      const { status, json } = await visitor.json(method, `/v1/account/keys/${path}`, body);
      return status >= 400 ? json.code : status;
    };
    for (const [visitor, id] of [
      [owner, mine.id],
      [admin, mine.id],
      [developer, shared.id],
      [developer, theirs.id],
    ] as const) {
      assert.equal(await act(visitor, 'PATCH', `${id}`, { name: 'x' }), 'role_not_permitted');
      assert.equal(await act(visitor, 'POST', `${id}/rotate`, {}), 'role_not_permitted');
    }
    for (const id of [shared.id, theirs.id])
      assert.equal(await act(developer, 'DELETE', `${id}`), 'role_not_permitted');
    assert.equal(await act(developer, 'PATCH', `${mine.id}`, { name: 'Still mine' }), 200);
    const rotated = await developer.json('POST', `/v1/account/keys/${mine.id}/rotate`, { overlap_seconds: 0 });
    assert.equal(rotated.json.member, mine.member);
    assert.equal(await act(admin, 'DELETE', `${rotated.json.id}`), 204);
    assert.equal(await ask(rotated.json.key, '/v1/account'), 'key_revoked');
    assert.equal(await act(admin, 'PATCH', `${shared.id}`, { name: 'Of all' }), 200);
  });

  it('are shown with their person, and the pages offer only what the member may do', async () => {
    const { visitor: developer, email } = await join('developer');
    // Somebody who belongs to several organisations sends the one for which the page was.
    const meant = { organisation: String(accountId) };
    await developer.post('/account/keys', { ...meant, name: 'Laptop', kind: 'sk' });
    const shared = (await create(owner, { name: 'Shared' })).json;
    const { text } = await owner.get('/account/keys');
    assert.match(text, new RegExp(`Laptop[\\s\\S]*?${email}`));
    assert.match(text, /name="owner" value="me"/);
    assert.doesNotMatch((await developer.get('/account/keys')).text, /name="owner"/);
    const id = (await developer.json('GET', '/v1/account/keys')).json.keys.find(
      (one: { name: string }) => one.name === 'Laptop',
    ).id;
    const forms = async (visitor: Visitor, path: number) =>
      [...(await visitor.get(`/account/keys/${path}`)).text.matchAll(/action="[^"]*\/keys\/\d+([^"]*)"/g)].map(
        ([, end]) => end,
      );
    assert.deepEqual(await forms(developer, id), ['', '/rotate', '/revoke']);
    assert.deepEqual(await forms(owner, id), ['/revoke']);
    assert.deepEqual(await forms(developer, shared.id), []);
    const forged = await developer.post('/account/keys', { ...meant, name: 'All', kind: 'sk', owner: 'organisation' });
    assert.equal(forged.status, 403);
    assert.equal((await developer.post(`/account/keys/${shared.id}/revoke`, meant)).status, 403);
  });
});
