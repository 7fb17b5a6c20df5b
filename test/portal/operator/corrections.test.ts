import assert from 'node:assert/strict';
import { type AccountApp, startAccountApp, type Visit } from '../../support/account-app.ts';
import { storeMatch } from '../../support/live-match.ts';
import { type OperatorSession, startOperator } from '../../support/operator-session.ts';

const PATH = '/operator/corrections';

describe('the correction pages', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let operator: OperatorSession;
  let id: number;
  before(async () => {
    accounts = await startAccountApp();
    operator = await startOperator(accounts, 'operator@example.com');
    id = await storeMatch(accounts);
  });
  after(() => accounts.close());

  const isShown = ({ status, text }: Visit, pattern: RegExp, expected = 200) => {
    assert.equal(status, expected, text);
    assert.match(text, pattern);
  };
  const score = async () => {
    const { rows } = await accounts.pool.query<{ score: string }>(
      "SELECT home_score || ':' || away_score AS score FROM match WHERE id = $1",
      [id],
    );
    return rows[0]!.score;
  };

  it('find the match to correct by id and by page address', async () => {
    isShown(await operator.visitor.get(PATH), /No match was corrected/);
    assert.equal((await operator.visitor.get(`${PATH}?match=${id}`)).location, `${PATH}/${id}`);
    const address = encodeURIComponent(`https://scores.example/match/${id}/reds-blues`);
    assert.equal((await operator.visitor.get(`${PATH}?match=${address}`)).location, `${PATH}/${id}`);
    isShown(await operator.visitor.get(`${PATH}?match=reds`), /must be an id/);
    isShown(await operator.visitor.get(`${PATH}/${id}`), /Reds &amp; Co – Blues[\s\S]*12&#39; home Ana|12' home Ana/);
    isShown(await operator.visitor.get(`${PATH}/999999`), /There is no match 999999/, 404);
  });

  it('let an operator correct a match and withdraw the correction, and the audit log has both', async () => {
    const made = await operator.visitor.post(`${PATH}/${id}`, {
      score: '1:0',
      status: 'finished',
      reason: '<b>report',
    });
    assert.equal(made.location, `${PATH}/${id}?done=corrected`);
    assert.equal(await score(), '1:0');
    const page = await operator.visitor.get(`${PATH}/${id}?done=corrected`);
    isShown(page, /The match is corrected\.[\s\S]*score 1:0, status finished[\s\S]*&lt;b&gt;report/);
    assert.match((await operator.visitor.get(PATH)).text, /Reds &amp; Co v Blues/);
    assert.equal(
      (await operator.visitor.post(`${PATH}/${id}`, { score: '1:0', reason: 'again' })).location,
      `${PATH}/${id}?done=unchanged`,
    );
    const withdraw = /action="([^"]+\/withdraw)"/.exec(page.text)![1]!;
    assert.equal((await operator.visitor.post(withdraw, {})).location, `${PATH}/${id}?done=withdrawn`);
    assert.equal(await score(), '2:0');
    isShown(await operator.visitor.post(withdraw, {}), /was withdrawn by operator@example\.com at/, 409);
    const log = await operator.visitor.get('/operator/audit');
    isShown(log, /correction withdrawn[\s\S]*correction made[\s\S]*reason: &lt;b&gt;report/);
  });

  it('show a fault above the form, which keeps what was typed', async () => {
    const wrong = await operator.visitor.post(`${PATH}/${id}`, { score: '"two"', venue: 'Nowhere', reason: 'r' });
    isShown(wrong, /Score: must be two numbers[\s\S]*value="&quot;two&quot;"/, 422);
    assert.match(wrong.text, /value="Nowhere"/);
    isShown(await operator.visitor.post(`${PATH}/${id}`, { score: '1:0' }), /Reason: is required/, 422);
    isShown(await operator.visitor.post(`${PATH}/${id}`, { reason: 'r' }), /name at least one value/, 422);
    isShown(await operator.visitor.post(`${PATH}/999999`, { score: '1:0', reason: 'r' }), /no match 999999/, 404);
    isShown(
      await operator.visitor.post(`${PATH}/${id}/entries/999999/withdraw`, {}),
      /There is no correction 999999/,
      404,
    );
    assert.equal(await score(), '2:0');
  });

  it('are open to operators only', async () => {
    const { visitor } = await accounts.verified('member@example.com', '203.0.113.80');
    assert.equal((await visitor.post(`${PATH}/${id}`, { score: '9:0', reason: 'r' })).status, 404);
    assert.equal((await visitor.get(`${PATH}/${id}`)).status, 404);
    assert.equal(await score(), '2:0');
  });
});
