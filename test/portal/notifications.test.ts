import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { reencryptSecrets } from '../../src/webhooks/subscriptions/secret-reencryption.ts';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';

const PATH = '/account/notifications';

interface Sent {
  endpoint: string;
  p256dh: string;
  auth: string;
}

describe('the browsers that notify a member', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let serial = 0;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());

  const subscription = (host = 'https://fcm.googleapis.com'): Sent => ({
    endpoint: `${host}/fcm/send/${randomBytes(16).toString('hex')}`,
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  });
  async function signedUp() {
    serial += 1;
    return (await accounts.signedUp(`push-${serial}@example.com`, `192.0.2.${serial}`)).visitor;
  }
  const add = (visitor: Visitor, sent: object) => visitor.post(`${PATH}/browsers`, sent as Record<string, string>);
  const count = async () => (await accounts.pool.query('SELECT FROM push_browser')).rowCount;
  const isListed = async (visitor: Visitor, { endpoint }: Sent) =>
    (JSON.parse((await visitor.post(`${PATH}/renew`, { endpoint })).text) as { listed: boolean }).listed;
  const shown = async (visitor: Visitor) => (await visitor.get(PATH)).text.match(/notifications\/\d+\/remove/g) ?? [];

  it('are added, listed without their addresses, and removed', async () => {
    const visitor = await signedUp();
    const one = subscription();
    const { status, text } = await visitor.post(
      `${PATH}/browsers`,
      { ...one, lang: 'ru' },
      {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    );
    assert.equal(status, 200, text);
    const page = await visitor.get(PATH);
    assert.match(page.text, /Firefox/);
    assert.ok(!page.text.includes(one.endpoint.slice(-32)) && !page.text.includes(one.auth));
    const { rows } = await accounts.pool.query('SELECT * FROM push_browser');
    assert.deepEqual([rows[0].service, rows[0].lang], ['google', 'ru']);
    assert.match(rows[0].secret, /^v1\./);
    assert.ok(!JSON.stringify(rows).includes(one.endpoint.slice(-32)));
    assert.ok(!accounts.logged().includes(one.endpoint.slice(-32)));
    const [path] = await shown(visitor);
    assert.equal((await visitor.post(`/account/${path}`, {})).location, `${PATH}?done=removed`);
    assert.deepEqual(await shown(visitor), []);
    assert.equal((await visitor.post(`/account/${path}`, {})).status, 404);
    const { rows: audited } = await accounts.pool.query(
      'SELECT action, details FROM audit_entry ORDER BY id DESC LIMIT 2',
    );
    assert.deepEqual(audited, [
      { action: 'member.browser_removed', details: {} },
      { action: 'member.browser_added', details: {} },
    ]);
  });

  it('have the address of a listed push service, and keys of the right form', async () => {
    const visitor = await signedUp();
    const before = await count();
    for (const host of [
      'https://example.com',
      'https://fcm.googleapis.com.example.com',
      'https://evilfcm.googleapis.com',
      'https://127.0.0.1',
      'https://[::1]',
      'https://10.0.0.1',
      'http://fcm.googleapis.com',
      'https://fcm.googleapis.com:8443',
      'https://push.apple.com',
      'https://user:word@fcm.googleapis.com',
      'ftp://fcm.googleapis.com',
      '',
    ]) {
      const { status, text } = await add(visitor, subscription(host));
      assert.equal(status, 422, host);
      assert.ok(!text.includes('word@'), text);
    }
    for (const [name, values] of Object.entries({
      p256dh: ['', 'AAAA', Buffer.alloc(65, 4).toString('base64url'), randomBytes(64).toString('base64url')],
      auth: ['', randomBytes(15).toString('base64url'), randomBytes(17).toString('base64url')],
      endpoint: [`https://fcm.googleapis.com/${'x'.repeat(1_024)}`, 'https://fcm.googleapis.com/ x'],
    }))
      for (const value of values)
        assert.equal((await add(visitor, { ...subscription(), [name]: value })).status, 422, value);
    assert.equal(await count(), before);
    for (const host of [
      'https://updates.push.services.mozilla.com',
      'https://web.push.apple.com',
      'https://wns2-par02p.notify.windows.com',
      'http://127.0.0.1:9',
    ])
      assert.equal((await add(visitor, subscription(host))).status, 200, host);
    const { rows } = await accounts.pool.query('SELECT service FROM push_browser ORDER BY id DESC LIMIT 4');
    assert.deepEqual(rows.map(({ service }) => service).sort(), ['apple', 'microsoft', 'mozilla', 'other']);
  });

  it('are at most 20 for each member, also if 30 are added at once', async () => {
    const visitor = await signedUp();
    const made = Array.from({ length: 30 }, () => subscription());
    const replies = await Promise.all(made.map((one) => add(visitor, one)));
    assert.deepEqual(
      [replies.filter(({ status }) => status === 200).length, replies.filter(({ status }) => status === 409).length],
      [20, 10],
    );
    assert.equal((await shown(visitor)).length, 20);
    const known = made.find((_, at) => replies[at]!.status === 200)!;
    assert.equal((await add(visitor, known)).status, 200, 'a browser of the list may be added again');
    assert.equal((await shown(visitor)).length, 20);
  });

  it('belong to the member who added them last', async () => {
    const [first, second] = [await signedUp(), await signedUp()];
    const one = subscription();
    await add(first, one);
    await add(second, one);
    assert.deepEqual([(await shown(first)).length, (await shown(second)).length], [0, 1]);
    assert.equal((await first.post(`${PATH}/forget`, { endpoint: one.endpoint })).status, 200);
    assert.equal((await shown(second)).length, 1, 'nobody removes the browser of somebody else');
    const [path] = await shown(second);
    assert.equal((await first.post(`/account/${path}`, {})).status, 404);
    assert.deepEqual([await isListed(first, one), await isListed(second, one)], [false, true]);
    await second.post(`${PATH}/forget`, { endpoint: one.endpoint });
    assert.deepEqual(await shown(second), []);
  });

  it('end with the session that added them, but not with a new sign-in of the same member', async () => {
    const email = `push-${serial + 1}@example.com`;
    const visitor = await signedUp();
    await add(visitor, subscription());
    const password = 'correct horse battery';
    await visitor.post('/account/sign-in', { email, password });
    assert.equal((await shown(visitor)).length, 1);
    await visitor.post('/account/sign-out', {});
    await visitor.post('/account/sign-in', { email, password });
    assert.deepEqual(await shown(visitor), []);
    await add(visitor, subscription());
    const other = `push-${serial + 1}@example.com`;
    await signedUp();
    await visitor.post('/account/sign-in', { email: other, password });
    await visitor.post('/account/sign-in', { email, password });
    assert.deepEqual(await shown(visitor), [], 'somebody else has signed in in between');
  });

  it('can be changed only by a signed-in member on a page of the service', async () => {
    const visitor = await signedUp();
    const one = subscription();
    const before = await count();
    const headers = { Origin: 'https://evil.example' };
    for (const [path, form] of [
      [`${PATH}/browsers`, one],
      [`${PATH}/forget`, { endpoint: one.endpoint }],
      [`${PATH}/renew`, { endpoint: one.endpoint }],
    ] as const) {
      assert.equal((await visitor.post(path, form as Record<string, string>, headers)).status, 403, path);
      assert.equal((await accounts.visitor().post(path, form as Record<string, string>)).status, 401, path);
    }
    assert.equal((await accounts.visitor().get(`${PATH}/key`)).status, 401);
    assert.equal((await add(visitor, { ...one, member: '1000000' })).status, 409);
    assert.equal(await count(), before);
  });

  it('move to a new address that a push service gives', async () => {
    const visitor = await signedUp();
    const [former, fresh] = [subscription(), subscription()];
    await add(visitor, former);
    await add(visitor, { ...fresh, former: former.endpoint });
    assert.equal((await shown(visitor)).length, 1);
    assert.deepEqual([await isListed(visitor, former), await isListed(visitor, fresh)], [false, true]);
  });

  it('share one key pair, which is generated once and encrypted again with a new SECRET_KEY', async () => {
    const visitor = await signedUp();
    const keys = await Promise.all(Array.from({ length: 10 }, () => visitor.json('GET', `${PATH}/key`)));
    const [{ key }] = keys.map(({ json }) => json);
    assert.equal(Buffer.from(key, 'base64url').length, 65);
    assert.ok(keys.every(({ json }) => json.key === key));
    await add(visitor, subscription());
    const stored = async () =>
      (
        await accounts.pool.query(
          'SELECT private_key AS secret FROM push_keys UNION ALL SELECT secret FROM push_browser ORDER BY 1',
        )
      ).rows.map(({ secret }) => secret.split('.')[1]);
    const before = await stored();
    assert.equal(new Set(before).size, 1);
    await reencryptSecrets(accounts.pool, ['a-new-secret-key-of-the-tests', ...accounts.deps.config.secretKeys]);
    const after = await stored();
    assert.equal(new Set(after).size, 1);
    assert.notEqual(after[0], before[0]);
    await reencryptSecrets(accounts.pool, [...accounts.deps.config.secretKeys, 'a-new-secret-key-of-the-tests']);
    assert.equal((await visitor.json('GET', `${PATH}/key`)).json.key, key);
  });
});
