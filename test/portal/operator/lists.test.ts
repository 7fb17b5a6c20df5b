import assert from 'node:assert/strict';
import { audit } from '../../../src/accounts/audit.ts';
import { type AccountApp, startAccountApp } from '../../support/account-app.ts';
import { type OperatorSession, startOperator } from '../../support/operator-session.ts';

describe("operators' lists", function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let operator: OperatorSession;
  before(async () => {
    accounts = await startAccountApp();
    operator = await startOperator(accounts, 'operator@example.com');
    await accounts.signedUp('ann@example.com', '192.0.2.60');
    await accounts.signedUp('bob@example.com', '192.0.2.61');
  });
  after(() => accounts.close());

  const get = async (path: string) => {
    const { status, text } = await operator.visitor.get(path);
    assert.equal(status, 200, text);
    return text;
  };
  const older = (text: string) => /href="([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  const countRows = (text: string) => [...text.matchAll(/<td><time[\s\S]*?<\/tr>/g)].length;

  it('have an audit log that is filtered by account, actor and action, in pages', async () => {
    const { rows } = await accounts.pool.query<{ id: number }>(
      "SELECT id FROM account WHERE email = 'ann@example.com'",
    );
    const accountId = rows[0]!.id;
    for (let i = 0; i < 60; i += 1)
      await audit(accounts.pool, accounts.clock, {
        accountId,
        actor: { name: 'key 7', address: null },
        action: 'webhook.paused',
        target: `webhook ${i}`,
      });
    const all = await get('/operator/audit');
    assert.equal(countRows(all), 50);
    assert.ok(!all.includes('webhook 9<') && all.includes('webhook 10<'));
    assert.match(await get(older(all)!), /webhook 9<[\s\S]*bob@example\.com[\s\S]*ann@example\.com/);
    const page = await get('/operator/audit?action=webhook.paused&account=ANN@example.com&actor=KEY+7');
    assert.equal(countRows(page), 50);
    assert.equal(countRows(await get(older(page)!)), 10);
    assert.equal(older(await get(older(page)!)), undefined);
    assert.equal(countRows(await get('/operator/audit?action=webhook+paused')), 50, 'as it is shown');
    assert.equal(countRows(await get('/operator/audit?account=bob@example.com')), 2);
    assert.equal(countRows(await get('/operator/audit?actor=bob@example.com&action=key.created')), 1);
    for (const none of ['account=nobody', 'actor=%25', 'action=webhook', 'account=bob@example.com&actor=key+7'])
      assert.match(await get(`/operator/audit?${none}`), /There are no such entries/, none);
    assert.equal((await operator.visitor.get('/operator/audit?before=x')).status, 422);
  });

  it('list all accounts’ sessions in pages, and can be searched', async () => {
    const { rows } = await accounts.pool.query<{ id: number }>("SELECT id FROM member WHERE email = 'bob@example.com'");
    await accounts.pool.query(
      `INSERT INTO member_session (hash, member_id, awaits_code, created_at, seen_at, expires_at, address, agent)
       SELECT sha256(n::text::bytea), $1, false, $2, $2, $2::timestamptz + interval '1 day', '10.0.0.' || n, '' FROM generate_series(1, 60) n`,
      [rows[0]!.id, new Date(accounts.clock.now())],
    );
    const first = await get('/operator/sessions?email=BOB');
    const ends = (text: string) => new Set([...text.matchAll(/sessions\/(\d+)\/end"/g)].map(([, id]) => id));
    assert.equal(ends(first).size, 50);
    const second = await get(older(first)!);
    assert.equal(ends(second).size, 11);
    assert.ok([...ends(second)].every((id) => !ends(first).has(id)));
    assert.ok(
      !second.includes('ann@example.com') && (await get('/operator/sessions?email=ann')).includes('ann@example.com'),
    );
    await accounts.pool.query("UPDATE account SET suspended_at = now() WHERE email = 'bob@example.com'");
    assert.equal(ends(await get('/operator/sessions?email=bob')).size, 0);
    await accounts.pool.query("UPDATE account SET suspended_at = NULL WHERE email = 'bob@example.com'");
  });

  it('have the plans with the number of accounts on each, including former plans', async () => {
    await accounts.pool.query("UPDATE account SET plan = 'gold' WHERE email = 'bob@example.com'");
    const text = await get('/operator/plans');
    assert.match(
      text,
      /Trial <span class="note">\(of new accounts\)[\s\S]*?1,000 requests a day[\s\S]*?plan=trial">2</,
    );
    assert.match(text, /Business<\/th>[\s\S]*?plan=business">0</);
    assert.match(text, /plan=gold">1<\/a> on the plan gold, which is not offered any more/);
    assert.match(await get('/operator?plan=gold'), /bob@example\.com/);
  });
});
