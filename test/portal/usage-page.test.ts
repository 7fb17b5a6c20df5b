import assert from 'node:assert/strict';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';

describe('the usage page', () => {
  let accounts: AccountApp;
  let ann: Visitor;
  before(async () => {
    accounts = await startAccountApp();
    ({ visitor: ann } = await accounts.signedUp('ann@example.com'));
  });
  after(() => accounts.close());

  const read = async (language: string) => (await ann.get('/account/usage', { 'Accept-Language': language })).text;

  it('says that nothing was requested, instead of a chart and tables without rows', async () => {
    const text = await read('en');
    assert.match(text, /No requests from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)\./);
    assert.doesNotMatch(text, /class="days"|By endpoint|By key/);
    assert.match(await read('ru'), /запросов не было/);
  });

  it('shows a chart, and the requests by endpoint and by key', async () => {
    await accounts.pool.query(
      `INSERT INTO account_usage (account_id, key_id, day, endpoint, status, requests, billable)
       SELECT k.account_id, k.id, $1, '/v1/event/{id}', 200, 1234, 1234 FROM api_key k JOIN account a ON a.id = k.account_id
       WHERE a.email = 'ann@example.com'`,
      [new Date(accounts.clock.now()).toISOString().slice(0, 10)],
    );
    const text = await read('en');
    assert.match(text, /class="days"/);
    assert.match(text, /<code>\/v1\/event\/\{id\}<\/code> 200<\/th>\s*<td class="number">1,234</);
    assert.match(text, /By key<\/h2>[\s\S]*First key<\/a><\/th>\s*<td class="number">1,234</);
    assert.doesNotMatch(text, /No requests from/);
  });
});
