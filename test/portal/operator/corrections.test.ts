import assert from 'node:assert/strict';
import pg from 'pg';
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
      score_home: '1',
      score_away: '0',
      status: 'ended',
      reason: '<b>report',
    });
    assert.equal(made.location, `${PATH}/${id}?done=corrected`);
    assert.equal(await score(), '1:0');
    const page = await operator.visitor.get(`${PATH}/${id}?done=corrected`);
    isShown(page, /The match is corrected\.[\s\S]*score 1:0, status finished \(ended\)[\s\S]*&lt;b&gt;report/);
    assert.match((await operator.visitor.get(PATH)).text, /Reds &amp; Co v Blues/);
    assert.equal(
      (await operator.visitor.post(`${PATH}/${id}`, { score_home: '1', score_away: '0', reason: 'again' })).location,
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
    const wrong = await operator.visitor.post(`${PATH}/${id}`, {
      score_home: '"two"',
      other_venue: 'Nowhere',
      reason: 'r',
    });
    isShown(wrong, /Score: must be two numbers[\s\S]*value="&quot;two&quot;"/, 422);
    assert.match(wrong.text, /value="Nowhere"/);
    isShown(
      await operator.visitor.post(`${PATH}/${id}`, { score_home: '1', score_away: '0' }),
      /Reason: is required/,
      422,
    );
    isShown(await operator.visitor.post(`${PATH}/${id}`, { reason: 'r' }), /name at least one value/, 422);
    isShown(
      await operator.visitor.post(`${PATH}/999999`, { score_home: '1', score_away: '0', reason: 'r' }),
      /no match 999999/,
      404,
    );
    isShown(
      await operator.visitor.post(`${PATH}/${id}/entries/999999/withdraw`, {}),
      /There is no correction 999999/,
      404,
    );
    assert.equal(await score(), '2:0');
  });

  it('offer choices for status, venue and scorer, and fields for scores, periods and the start', async () => {
    const { text } = await operator.visitor.get(`${PATH}/${id}`);
    assert.match(
      text,
      /<select id="status"[\s\S]*<option value="after_penalties">finished: after a shoot-out<\/option>/,
    );
    assert.match(text, /<select id="venue"[\s\S]*<option value="none">no venue<\/option>/);
    assert.match(text, /<select id="goal" name="goal">[\s\S]*12&#39; home Ana/);
    for (const name of ['score_home', 'score_away', 'new_period_0', 'new_period_1_away', 'day', 'time', 'other_scorer'])
      assert.ok(text.includes(` name="${name}"`), name);
    const made = await operator.visitor.post(`${PATH}/${id}`, {
      new_period_0: '1H',
      new_period_0_home: '2',
      new_period_0_away: '0',
      day: '2026-02-01',
      time: '15:30',
      reason: 'periods',
    });
    assert.equal(made.location, `${PATH}/${id}?done=corrected`);
    const { rows } = await accounts.pool.query<{ period_scores: unknown; start: string }>(
      `SELECT period_scores, to_char(scheduled_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS start FROM match WHERE id = $1`,
      [id],
    );
    assert.deepEqual(rows, [{ period_scores: [{ period: '1H', home: 2, away: 0 }], start: '2026-02-01 15:30' }]);
    await accounts.pool.query(
      `INSERT INTO match (tournament_id, season_id, sport, home_id, away_id, scheduled_start, updated_at, period_scores)
       SELECT tournament_id, season_id, sport, home_id, away_id, scheduled_start + interval '7 days', updated_at,
         '[{"period": "1H", "home": 0, "away": 0}, {"period": "2H", "home": 1, "away": 0}, {"period": "ET", "home": 0, "away": 0}]'
       FROM match WHERE id = $1`,
      [id],
    );
    const page = (await operator.visitor.get(`${PATH}/${id}`)).text;
    const offered = /<datalist id="further-periods">([\s\S]*?)<\/datalist>/.exec(page)![1]!;
    assert.equal(
      offered,
      '<option value="2H"><option value="ET">',
      'periods of other matches, without those that it has',
    );
    assert.ok(page.includes(' name="period_1H_home"'), 'the corrected period has fields of its own');
    const second = { new_period_0: '2H', new_period_0_home: '0', new_period_0_away: '1', reason: 'more' };
    assert.equal((await operator.visitor.post(`${PATH}/${id}`, second)).location, `${PATH}/${id}?done=corrected`);
    assert.match((await operator.visitor.get(`${PATH}/${id}`)).text, /1H 2:0 2H 0:1/);
    for (const [given, fault] of [
      [{ score_home: '1' }, /must be two numbers/],
      [{ time: '15:30' }, /must be a time with its zone/],
      [{ new_period_0_home: '1', new_period_0_away: '0' }, /must be the periods/],
      [{ period_1H_home: '1' }, /must be the periods/],
    ] as const)
      isShown(await operator.visitor.post(`${PATH}/${id}`, { ...given, reason: 'r' }), fault, 422);
  });

  it('are open to operators only', async () => {
    const { visitor } = await accounts.verified('member@example.com', '203.0.113.80');
    assert.equal((await visitor.post(`${PATH}/${id}`, { score_home: '9', score_away: '0', reason: 'r' })).status, 404);
    assert.equal((await visitor.get(`${PATH}/${id}`)).status, 404);
    assert.equal(await score(), '2:0');
  });

  it('say what is missing if the user in DATABASE_URL may not change matches', async () => {
    const { deps, db, pool } = accounts;
    const role = `reads_${new URL(db.url).pathname.slice(1)}`;
    await pool.query(`CREATE ROLE ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const { matchPool } = deps;
    deps.matchPool = new pg.Pool({ connectionString: db.url, options: `-c role=${role}`, max: 1 });
    try {
      for (const [language, expected] of [
        ['en', /may not change matches on pages: DATABASE_CORRECTIONS_URL is missing/],
        ['ru', /нельзя менять матчи на страницах: не задан DATABASE_CORRECTIONS_URL/],
      ] as const) {
        const correction = { score_home: '7', score_away: '0', reason: 'x' };
        const reply = await operator.visitor.post(`${PATH}/${id}`, correction, { 'Accept-Language': language });
        isShown(reply, expected, 409);
        assert.match(reply.text, /value="7"/);
      }
      assert.notEqual(await score(), '7:0');
    } finally {
      await deps.matchPool.end();
      deps.matchPool = matchPool;
      await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});
