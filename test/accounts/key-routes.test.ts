import assert from 'node:assert/strict';
import type { z } from 'zod';
import type { auditLog } from '../../src/accounts/api/schema.ts';
import { findKey } from '../../src/accounts/keys/key-store.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';

type Page = z.output<typeof auditLog>;

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

describe('account keys', function () {
  this.timeout(20_000);
  let accounts: AccountApp;
  let visitor: Visitor;
  let key: string;
  let people = 0;
  before(async () => {
    accounts = await startAccountApp();
  });
  beforeEach(async () => {
    people += 1;
    ({ visitor, key } = await accounts.signedUp(`keys${people}@example.com`, `10.0.${people}.1`));
  });
  after(() => accounts.close());

  const list = async () => (await visitor.json('GET', '/v1/account/keys')).json.keys as { id: number; state: string }[];
  const create = (body: object, headers: Record<string, string> = {}) =>
    visitor.json('POST', '/v1/account/keys', body, headers);
  /** Makes the visitor's sign-in recent. */
  const confirm = () => visitor.post('/account/confirm', { confirm_password: PASSWORD });
  /** Waits until a revocation must have taken effect. */
  const codeOf = async (secret: string, headers: Record<string, string> = {}) => {
    accounts.clock.advance(5 * SECOND);
    const { status, json } = await accounts.app.ask('/v1/account', { key: secret, headers });
    return status === 200 ? 200 : json.code;
  };

  it('a key is created, shown once, stored as a hash and listed', async () => {
    const made = await create({ name: 'Server', addresses: ['127.0.0.1', '10.0.0.0/8'] });
    assert.equal(made.status, 201);
    const { key: secret, ...item } = made.json;
    assert.equal(item.prefix, secret.slice(0, 12));
    assert.equal(item.last_four, secret.slice(-4));
    const { json } = await visitor.json('GET', `/v1/account/keys/${item.id}`);
    assert.deepEqual(json, item);
    assert.deepEqual(
      (await list()).map(({ state }) => state),
      ['active', 'active'],
    );
    assert.equal(await codeOf(secret), 200);
    const { rows } = await accounts.pool.query('SELECT k::text FROM api_key k');
    assert.ok(!rows.some((row) => row.k.includes(secret)));
    assert.ok(!accounts.logged().includes(secret));
  });

  it('invalid settings create no key, and the error names the field', async () => {
    for (const [body, parameter] of [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'line\nbreak' }, 'name'],
      [{ kind: 'admin' }, 'kind'],
      [{ origins: ['https://example.com'] }, 'origins'],
      [{ kind: 'pk', origins: ['example.com'] }, 'origins'],
      [{ kind: 'pk', origins: ['https://example.com/path'] }, 'origins'],
      [{ addresses: ['10.0.0.0/33'] }, 'addresses'],
      [{ addresses: ['somewhere'] }, 'addresses'],
      [{ addresses: Array(51).fill('10.0.0.1') }, 'addresses'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ expires_at: 'tomorrow' }, 'expires_at'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['admin'] }, 'scopes'],
      [{ scopes: 'read' }, 'scopes'],
      [{ scopes: Array(5).fill('read') }, 'scopes'],
      [{ kind: 'pk', scopes: ['read', 'account'] }, 'scopes'],
      [{ kind: 'pk', scopes: ['webhooks'] }, 'scopes'],
      [{ account_id: 1 }, 'account_id'],
      [{ plan: 'business' }, 'plan'],
    ] as const) {
      const { status, json } = await create(body);
      assert.equal(status, 422, JSON.stringify(body));
      assert.ok(
        json.errors.some((error: { parameter: string }) => error.parameter.startsWith(parameter)),
        JSON.stringify(json.errors),
      );
    }
    assert.equal((await list()).length, 1);
  });

  it('a repeated request creates no second key, and the reply does not show the key again', async () => {
    const headers = { 'Idempotency-Key': 'a7f3' };
    const [first, second] = await Promise.all([create({ name: 'Once' }, headers), create({ name: 'Once' }, headers)]);
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.deepEqual([first, second].filter(({ json }) => 'key' in json).length, 1);
    assert.deepEqual([first, second].filter((one) => one.headers.get('idempotency-replayed') === 'true').length, 1);
    assert.equal(first.json.id, second.json.id);
    assert.equal((await create({ name: 'Other' }, headers)).status, 422, 'another body');
    assert.equal((await list()).length, 2);
    assert.equal((await create({ name: '' }, { 'Idempotency-Key': 'b' })).status, 422);
    assert.equal(
      (await create({ name: 'Fine' }, { 'Idempotency-Key': 'b' })).status,
      201,
      'an error is not remembered',
    );
    assert.equal((await create({ name: 'x' }, { 'Idempotency-Key': 'with space' })).status, 422);
    assert.equal((await create({ name: 'x' }, { 'Idempotency-Key': 'x'.repeat(256) })).status, 422);
    accounts.clock.advance(DAY);
    await confirm();
    assert.ok((await create({ name: 'Other' }, headers)).json.key, 'forgotten after 24 h');
    const other = (await accounts.signedUp(`other${people}@example.com`, `10.1.${people}.1`)).visitor;
    assert.ok((await other.json('POST', '/v1/account/keys', { name: 'Mine' }, headers)).json.key, 'of another account');
  });

  it('a key with an address list works only from those addresses', async () => {
    const made = (await create({ addresses: ['203.0.113.0/24', '2001:db8::/32'] })).json.key;
    const from = (address: string) => codeOf(made, { 'X-Forwarded-For': address });
    assert.equal(await from('203.0.113.9'), 200);
    assert.equal(await from('2001:db8::1'), 200);
    assert.equal(await from('203.0.114.9'), 'key_not_permitted');
    assert.equal(await from('2001:db9::1'), 'key_not_permitted');
  });

  it('a key’s scopes can be narrowed and widened, and a rotation keeps them', async () => {
    const made = (await create({ scopes: ['stream', 'account', 'stream'] })).json;
    assert.deepEqual(made.scopes, ['stream', 'account']);
    assert.equal(await codeOf(made.key), 200);
    const change = async (scopes: unknown) => {
      const { status, json } = await visitor.json('PATCH', `/v1/account/keys/${made.id}`, { scopes });
      return status === 200 ? json.scopes : status;
    };
    assert.deepEqual(await change(['read']), ['read']);
    assert.equal(await codeOf(made.key), 'key_not_permitted');
    assert.deepEqual([await change([]), await change(['root'])], [422, 422]);
    const rotated = await visitor.json('POST', `/v1/account/keys/${made.id}/rotate`, { overlap_seconds: 0 });
    assert.deepEqual(rotated.json.scopes, ['read']);
    assert.equal(await codeOf(rotated.json.key), 'key_not_permitted');
    const widened = await visitor.json('PATCH', `/v1/account/keys/${rotated.json.id}`, { scopes: null });
    assert.equal(widened.json.scopes, null);
    assert.equal(await codeOf(rotated.json.key), 200);
    const all = await create({ scopes: ['account', 'webhooks', 'stream', 'read'] });
    assert.equal(all.json.scopes, null);
  });

  it('the pages create and change scopes, and a form without the field leaves them as they are', async () => {
    const { text } = await visitor.get('/account/keys');
    assert.equal(text.match(/name="scopes" value="(read|stream|webhooks|account)" checked/g)?.length, 4);
    const scopesOf = async (id: number) => (await visitor.json('GET', `/v1/account/keys/${id}`)).json.scopes;
    const newest = async () => (await list()).at(-1)!.id;
    await visitor.post('/account/keys', { name: 'Reader', kind: 'sk', scopes: ['', 'read'] });
    const id = await newest();
    assert.deepEqual(await scopesOf(id), ['read']);
    assert.match((await visitor.get(`/account/keys/${id}`)).text, /value="read" checked.*value="stream">/s);
    await visitor.post(`/account/keys/${id}`, { name: 'Renamed' });
    assert.deepEqual(await scopesOf(id), ['read']);
    const none = await visitor.post(`/account/keys/${id}`, { name: 'Renamed', scopes: '' });
    assert.equal(none.status, 422);
    assert.deepEqual(await scopesOf(id), ['read']);
    await visitor.post('/account/keys', { kind: 'pk', scopes: ['', 'read', 'stream', 'account'] });
    assert.equal(await scopesOf(await newest()), null, 'a publishable key never has the scope account');
  });

  it('a rotated key stays valid during the overlap, and can be rotated only once', async () => {
    const { id } = (await list())[0]!;
    const rotate = (body: object) => visitor.json('POST', `/v1/account/keys/${id}/rotate`, body);
    assert.equal((await rotate({ overlap_seconds: -1 })).status, 422);
    assert.equal((await rotate({ overlap_seconds: 1e9 })).status, 422);
    const made = await rotate({ overlap_seconds: 3_600 });
    assert.equal(made.status, 201);
    assert.equal(made.json.name, 'First key');
    assert.deepEqual([await codeOf(key), await codeOf(made.json.key)], [200, 200]);
    assert.equal((await rotate({})).status, 409);
    const { json } = await visitor.json('GET', `/v1/account/keys/${id}`);
    assert.equal(json.replaced_by, made.json.id);
    accounts.clock.advance(3_600 * SECOND);
    assert.deepEqual([await codeOf(key), await codeOf(made.json.key)], ['key_expired', 200]);
    await confirm();
    const { id: next } = made.json;
    const at = await visitor.json('POST', `/v1/account/keys/${next}/rotate`, { overlap_seconds: 0 });
    assert.deepEqual([await codeOf(made.json.key), await codeOf(at.json.key)], ['key_revoked', 200]);
  });

  it('a revoked key is refused within 5 s, stays in the list and cannot be changed', async () => {
    assert.equal(await codeOf(key), 200);
    const { id } = (await list())[0]!;
    assert.equal((await visitor.json('DELETE', `/v1/account/keys/${id}`)).status, 204);
    assert.equal((await visitor.json('DELETE', `/v1/account/keys/${id}`)).status, 204, 'again');
    assert.equal(await codeOf(key), 'key_revoked');
    assert.deepEqual(
      (await list()).map(({ state }) => state),
      ['revoked'],
    );
    assert.equal((await visitor.json('PATCH', `/v1/account/keys/${id}`, { name: 'x' })).status, 409);
    assert.equal((await visitor.json('POST', `/v1/account/keys/${id}/rotate`, {})).status, 409);
  });

  it("a key's name and lists can be changed, and null removes a list", async () => {
    const { id } = (await create({ kind: 'pk', origins: ['https://example.com'] })).json;
    const change = (body: object) => visitor.json('PATCH', `/v1/account/keys/${id}`, body);
    const changed = await change({ name: 'Site', addresses: ['10.0.0.1'], origins: null });
    assert.deepEqual([changed.json.name, changed.json.addresses, changed.json.origins], ['Site', ['10.0.0.1'], null]);
    assert.deepEqual((await change({ addresses: null })).json.addresses, null);
    assert.equal((await change({ kind: 'sk' })).status, 422);
    assert.equal((await change({ revoked_at: null })).status, 422);
  });

  it('an account has at most 50 usable keys, even if many are created concurrently', async () => {
    const made = await Promise.all(Array.from({ length: 55 }, () => create({})));
    assert.equal(made.filter(({ status }) => status === 201).length, 49);
    assert.ok(made.every(({ status }) => [201, 409].includes(status)));
  });

  it('a key cannot manage the account’s keys, and another account gets 404 for them', async () => {
    for (const path of ['/v1/account/keys', '/v1/account/keys/1']) {
      const { status, json } = await accounts.app.ask(path, { key });
      assert.deepEqual([status, json.code], [403, 'key_not_permitted'], path);
    }
    const { key: pk } = (await create({ kind: 'pk' })).json;
    assert.equal((await accounts.app.ask('/v1/account', { key: pk })).json.code, 'key_not_permitted');
    const other = (await accounts.signedUp(`stranger${people}@example.com`, `10.2.${people}.1`)).visitor;
    const { id } = (await list())[0]!;
    for (const [method, path, body] of [
      ['GET', `/v1/account/keys/${id}`, undefined],
      ['PATCH', `/v1/account/keys/${id}`, { name: 'mine now' }],
      ['DELETE', `/v1/account/keys/${id}`, undefined],
      ['POST', `/v1/account/keys/${id}/rotate`, {}],
    ] as const) {
      assert.equal((await other.json(method, path, body)).status, 404, `${method} ${path}`);
    }
    for (const path of [`/account/keys/${id}`, `/account/keys/${id}/revoke`, `/account/keys/${id}/rotate`]) {
      const form = { overlap: '24' };
      const { status, text } = await other.post(path, form);
      assert.equal(status, 404, path);
      assert.match(text, /href="\/assets\/account\.css"/);
    }
    assert.equal((await findKey(accounts.pool, key))?.revokedAt, null);
    assert.equal((await accounts.visitor().json('GET', '/v1/account/keys')).status, 401);
  });

  it('the audit log is paged, has each change’s actor, address and action, and never contains a secret', async () => {
    const made = (await create({ name: 'Audited' })).json;
    await visitor.json('PATCH', `/v1/account/keys/${made.id}`, { name: 'Renamed' });
    await visitor.json('DELETE', `/v1/account/keys/${made.id}`);
    const first = (await accounts.app.ask<Page>('/v1/account/audit?limit=2', { key })).json;
    assert.deepEqual(
      first.entries.map((entry) => [entry.action, entry.target, entry.actor, entry.address]),
      ['key.revoked', 'key.changed'].map((action) => [
        action,
        `key ${made.id}`,
        `keys${people}@example.com`,
        `10.0.${people}.1`,
      ]),
    );
    const rest = (await accounts.app.ask<Page>(`/v1/account/audit?cursor=${first.next_cursor}`, { key })).json;
    assert.deepEqual(
      rest.entries.map(({ action }) => action),
      ['key.created', 'key.created', 'account.created'],
    );
    assert.equal(rest.next_cursor, null);
    const { rows } = await accounts.pool.query('SELECT e::text FROM audit_entry e');
    assert.ok(!rows.some(({ e }) => e.includes(made.key)));
  });

  describe('the key page', () => {
    it('a key is created once even if the form is sent twice, and the key’s name is escaped', async () => {
      const page = await visitor.get('/account/keys');
      const once = /name="once" value="([^"]+)"/.exec(page.text)![1]!;
      const form = { once, name: '<script>alert(1)</script>', kind: 'sk', addresses: '10.0.0.0/8, 127.0.0.1' };
      const made = await visitor.post('/account/keys', form);
      const secret = /sk_live_\w{38}/.exec(made.text)![0];
      const again = await visitor.post('/account/keys', form);
      assert.ok(!again.text.includes(secret) && again.text.includes('cannot be shown again'));
      const listed = (await visitor.get('/account/keys')).text;
      assert.ok(listed.includes('&lt;script&gt;alert(1)&lt;/script&gt;') && !listed.includes('<script>alert'));
      assert.ok(!listed.includes(secret));
      for (const path of ['/account', '/account/audit', '/account/plan', '/account/security'])
        assert.ok(!(await visitor.get(path)).text.includes('<script>alert'), path);
    });

    it('the example request for a key bound to sites names the first site, even after a rotation', async () => {
      const page = await visitor.get('/account/keys');
      const once = /name="once" value="([^"]+)"/.exec(page.text)![1]!;
      const made = await visitor.post('/account/keys', {
        once,
        kind: 'pk',
        origins: 'https://fans.example.com, https://other.example.com',
      });
      const request = /curl -H 'X-API-Key: pk_live_\w+' -H 'Origin: https:\/\/fans\.example\.com' 'http/;
      assert.match(made.text, request);
      const { id } = (await list()).at(-1)!;
      assert.match((await visitor.post(`/account/keys/${id}/rotate`, { overlap: '0' })).text, request);
      assert.doesNotMatch(
        (await visitor.post('/account/keys', { once: `${once.slice(0, -1)}0`, kind: 'sk' })).text,
        /Origin:/,
      );
    });

    it('a key can be rotated and revoked, and the form shows input errors', async () => {
      const { id } = (await list())[0]!;
      const bad = await visitor.post(`/account/keys/${id}`, { name: 'x', addresses: 'nowhere' });
      assert.equal(bad.status, 422);
      assert.match(bad.text, /neither an IP address nor a network/);
      assert.equal((await visitor.post(`/account/keys/${id}`, { name: 'New name' })).status, 303);
      assert.equal((await visitor.post(`/account/keys/${id}/rotate`, { overlap: '99999' })).status, 422);
      const rotated = await visitor.post(`/account/keys/${id}/rotate`, { overlap: '0' });
      assert.match(rotated.text, /sk_live_\w{38}/);
      assert.equal(await codeOf(key), 'key_revoked');
      const next = (await list()).at(-1)!.id;
      assert.equal((await visitor.post(`/account/keys/${next}/revoke`, {})).location, '/account/keys?done=revoked');
      assert.deepEqual(
        (await list()).map(({ state }) => state),
        ['revoked', 'revoked'],
      );
    });
  });
});
