import assert from 'node:assert/strict';
import { type AccountApp, startAccountApp } from '../support/account-app.ts';

/** Number of concurrent requests. */
const AT_ONCE = 50;

describe('the account pages’ request window', () => {
  let service: AccountApp;
  before(async () => {
    service = await startAccountApp();
  });
  after(() => service.close());

  /** Returns the number of answers by status, and the last refused answer. */
  async function flood(times: number, ask: () => Promise<{ status: number; headers: Headers; text: string }>) {
    const statuses: Record<number, number> = {};
    let refusal: { headers: Headers; text: string } | null = null;
    for (let n = 0; n < times; n += AT_ONCE)
      for (const answer of await Promise.all(Array.from({ length: Math.min(AT_ONCE, times - n) }, ask))) {
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status === 429) refusal = answer;
      }
    return { statuses, refusal };
  }

  it('allows 600 of 2,000 audit-log reads with a key, does not affect another account, and is full again after a minute', async () => {
    const mine = await service.signedUp('flood@example.com', '192.0.2.10');
    const other = await service.signedUp('other@example.com', '192.0.2.11');
    const ask = (key: string) => () => service.app.ask('/v1/account/audit?limit=500', { key });
    service.clock.advance(60_000);
    const { statuses, refusal } = await flood(2_000, ask(mine.key));
    assert.deepEqual(statuses, { 200: 600, 429: 1_400 });
    assert.equal(refusal!.headers.get('retry-after'), '1');
    assert.equal(JSON.parse(refusal!.text).code, 'rate_limited');
    assert.deepEqual(JSON.parse(refusal!.text)['violated-policies'], ['account']);
    assert.equal((await ask(other.key)()).status, 200);
    // A member can revoke a stolen key during a flood of requests with it.
    assert.equal((await mine.visitor.get('/account/keys')).status, 200);
    service.clock.advance(60_000);
    assert.equal((await ask(mine.key)()).status, 200);
  });

  it('shows a member who has used up the window a page that explains the limit, and changes no data', async () => {
    const { visitor } = await service.signedUp('writes@example.com', '192.0.2.12');
    service.clock.advance(60_000);
    const { statuses, refusal } = await flood(610, () => visitor.get('/account'));
    assert.deepEqual(statuses, { 200: 600, 429: 10 });
    assert.match(refusal!.headers.get('content-type')!, /^text\/html/);
    assert.match(refusal!.text, /At most 600 requests in 60 s about one account/);
    assert.equal(refusal!.headers.get('retry-after'), '1');
    assert.equal((await visitor.json('GET', '/v1/account/keys')).status, 429);
    const created = await visitor.json('POST', '/v1/account/keys', { name: 'One more' });
    assert.equal(created.status, 429);
    const { rows } = await service.pool.query("SELECT FROM api_key WHERE name = 'One more'");
    assert.equal(rows.length, 0);
  });

  it('allows 300 of 400 page requests by a stranger, and another address is still served', async () => {
    const stranger = service.visitor('192.0.2.13');
    const { statuses, refusal } = await flood(400, () => stranger.get('/account/sign-in'));
    assert.deepEqual(statuses, { 200: 300, 429: 100 });
    assert.match(refusal!.headers.get('content-type')!, /^text\/html/);
    assert.equal((await stranger.post('/account/sign-in', { email: 'a@example.com', password: 'x' })).status, 429);
    assert.equal((await service.visitor('192.0.2.14').get('/account/sign-in')).status, 200);
  });
});
