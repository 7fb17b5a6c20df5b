import assert from 'node:assert/strict';
import { type AccountApp, startAccountApp, type Visit } from '../../support/account-app.ts';
import { storePair } from '../../support/live-match.ts';
import { type OperatorSession, startOperator } from '../../support/operator-session.ts';

const PATH = '/operator/pairs';

describe('the pairs page', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let operator: OperatorSession;
  let id: number;
  before(async () => {
    accounts = await startAccountApp();
    operator = await startOperator(accounts, 'operator@example.com');
    assert.match((await operator.visitor.get(PATH)).text, /No pair is open[\s\S]*No pair was decided/);
    id = await storePair(accounts);
  });
  after(() => accounts.close());

  const isShown = ({ status, text }: Visit, pattern: RegExp, expected = 200) => {
    assert.equal(status, expected, text);
    assert.match(text, pattern);
  };
  const others = async () => {
    const { rows } = await accounts.pool.query(
      'SELECT count(*)::int AS count FROM participant WHERE person_id IS NOT NULL',
    );
    return rows[0].count;
  };

  it('shows the evidence, records decisions, and takes them back, and the audit log has each', async () => {
    isShown(
      await operator.visitor.get(PATH),
      /Sportfreunde &lt;Lotte&gt; – Sportfr\. Lotte[\s\S]*Sources<\/th><td>openfootball<\/td><td>live<\/td>[\s\S]*<td>1, \d{4}-\d\d-\d\d<\/td>[\s\S]*No match in common/,
    );
    const decide = (decision: string) => operator.visitor.post(`${PATH}/${id}`, { decision, reason: '<i>one club' });
    isShown(await decide('perhaps'), /the same or different/, 400);
    assert.equal((await decide('same')).location, `${PATH}?done=same`);
    assert.equal(await others(), 1);
    isShown(
      await operator.visitor.get(`${PATH}?done=same`),
      /Both are one now[\s\S]*No pair is open[\s\S]*&lt;i&gt;one club/,
    );
    isShown(await decide('different'), /is already decided: same, by operator@example\.com/, 409);
    assert.equal((await operator.visitor.post(`${PATH}/${id}/reopen`, {})).location, `${PATH}?done=reopened`);
    assert.equal(await others(), 0);
    isShown(await operator.visitor.post(`${PATH}/${id}/reopen`, {}), /is already open/, 409);
    assert.equal((await decide('different')).location, `${PATH}?done=different`);
    isShown(await operator.visitor.get('/operator/audit'), /pair decided[\s\S]*pair reopened[\s\S]*pair decided/);
    isShown(await operator.visitor.post(`${PATH}/999999`, { decision: 'same' }), /There is no pair 999999/, 404);
  });

  it('lets only operators decide', async () => {
    const { visitor } = await accounts.verified('member@example.com', '203.0.113.81');
    assert.equal((await visitor.get(PATH)).status, 404);
    assert.equal((await visitor.post(`${PATH}/${id}/reopen`, {})).status, 404);
  });
});
