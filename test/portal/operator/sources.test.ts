import assert from 'node:assert/strict';
import { saveReport } from '../../../src/sources/queries.ts';
import { type AccountApp, startAccountApp } from '../../support/account-app.ts';
import { type OperatorSession, startOperator } from '../../support/operator-session.ts';

describe("the operators' sources page", () => {
  let accounts: AccountApp;
  let operator: OperatorSession;
  before(async () => {
    accounts = await startAccountApp();
    operator = await startOperator(accounts, 'operator@example.com');
  });
  after(() => accounts.close());
  const shown = async () => {
    const { status, text } = await operator.visitor.get('/operator/sources');
    assert.equal(status, 200);
    return text;
  };

  it('explains how to poll a source if none is polled', async () => {
    assert.match(await shown(), /No source is polled\. <code>PROVIDERS<\/code>/);
  });

  it('has a line for each source, with the fault and the values that the service did not understand', async () => {
    const now = accounts.clock.now();
    const report = { dailyRequests: 5_000, changes: 12, notUnderstood: [] };
    await saveReport(accounts.pool, 'openligadb', { ...report, answeredAt: now, fault: null, faultSince: null });
    await saveReport(accounts.pool, 'nhl', {
      ...report,
      answeredAt: null,
      fault: '/v1/schedule/now: status 503 <script>',
      faultSince: now,
      notUnderstood: [{ path: '/v1/score [3].gameState', value: '"NEW"', at: new Date(now).toISOString() }],
    });
    await accounts.pool.query("INSERT INTO source_budget (source, day, requests) VALUES ('openligadb', $1, 40)", [
      new Date(now),
    ]);
    const text = await shown();
    assert.match(text, /openligadb<\/th><td>Answers<\/td>/);
    assert.match(text, /4960 of 5000<\/td><td>12<\/td>/);
    assert.match(text, /Fails<\/span> since .*\/v1\/schedule\/now: status 503 &lt;script&gt;/s);
    assert.match(text, /gameState<\/code><\/td><td><code>&quot;NEW&quot;/);
  });

  it('is open to operators only', async () => {
    const { visitor } = await accounts.verified('user@example.com', '10.9.0.1');
    assert.equal((await visitor.get('/operator/sources')).status, 404);
  });
});
