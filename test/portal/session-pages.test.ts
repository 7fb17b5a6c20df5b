import assert from 'node:assert/strict';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

describe('the security page', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());

  async function signedIn(email: string, headers: Record<string, string> = {}): Promise<Visitor> {
    const visitor = accounts.visitor('198.51.100.9');
    await visitor.post('/account/sign-in', { email, password: PASSWORD }, headers);
    return visitor;
  }
  const isOpen = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;
  const page = async (visitor: Visitor) => (await visitor.get('/account/security')).text;
  /** Returns the table's rows as text. */
  const rows = (text: string) => [...text.matchAll(/<tr>\s*<th scope="row"[\s\S]*?<\/tr>/g)].map(([row]) => row!);
  const endPath = (row: string) => /action="([^"]+\/end)"/.exec(row)![1]!;

  it('shows each session’s device, address and times, marks the session in use, and has a button to end each session', async () => {
    const { visitor } = await accounts.signedUp('page@example.com');
    const other = await signedIn('page@example.com', { 'User-Agent': FIREFOX });
    const listed = rows(await page(visitor));
    assert.equal(listed.length, 2);
    const row = listed.find((one) => one.includes('Firefox 128 on Linux'))!;
    assert.match(row, /198\.51\.100\.9[\s\S]*2026-03-01 12:00[\s\S]*>End<\/button>/);
    assert.doesNotMatch(row, /this one/);
    const own = listed.find((one) => one !== row)!;
    assert.match(own, /this one/);

    const path = endPath(row);
    const { visitor: stranger } = await accounts.signedUp('elsewhere@example.com');
    assert.equal((await stranger.post(path, {})).status, 404);
    assert.equal((await visitor.post(path, {}, { Origin: 'https://evil.example.com' })).status, 403);
    assert.match((await accounts.visitor().post(path, {})).location!, /^\/account\/sign-in/);
    assert.ok(await isOpen(other));
    assert.equal((await visitor.post(path, {})).location, '/account/security?done=session-ended');
    assert.deepEqual([await isOpen(other), await isOpen(visitor)], [false, true]);
    assert.match((await visitor.get('/account/security?done=session-ended')).text, /The session has ended\./);
    assert.match((await visitor.get('/account/audit')).text, /member session ended[\s\S]*Firefox 128 on Linux/);

    const ended = await visitor.post(endPath(own), {});
    assert.equal(ended.location, '/account/sign-in?done=signed-out');
    assert.equal(visitor.cookies.has('touchline_member'), false);
    assert.equal(await isOpen(visitor), false);
  });

  it('ends all sessions at once, with or without the session in use', async () => {
    const { visitor } = await accounts.signedUp('others@example.com');
    const others = [await signedIn('others@example.com'), await signedIn('others@example.com')];
    assert.equal(
      (await visitor.post('/account/security/sessions/end-others', {})).location,
      '/account/security?done=others-ended',
    );
    assert.deepEqual([await isOpen(others[0]!), await isOpen(others[1]!), await isOpen(visitor)], [false, false, true]);
    const again = await signedIn('others@example.com');
    assert.equal(
      (await visitor.post('/account/security/sign-out', {})).location,
      '/account/sign-in?done=signed-out-everywhere',
    );
    assert.deepEqual([await isOpen(again), await isOpen(visitor)], [false, false]);
    const { rows: entries } = await accounts.pool.query(
      "SELECT e.action, e.details FROM audit_entry e JOIN account a ON a.id = e.account_id WHERE a.email = 'others@example.com' AND action LIKE 'member.%out%' OR action LIKE 'member.other%' ORDER BY e.id",
    );
    assert.deepEqual(
      entries.map(({ action, details }) => [action, details.sessions]),
      [
        ['member.other_sessions_ended', 2],
        ['member.signed_out_everywhere', 2],
      ],
    );
  });
});
