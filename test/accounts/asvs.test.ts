import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { CONTEXT_WORDS } from '../../src/accounts/members/password-rules.ts';
import { allRoutes } from '../../src/all-roles.ts';
import { type AccountApp, PASSWORD, startAccountApp } from '../support/account-app.ts';
import { createTestDatabase } from '../support/database.ts';

const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
const limits = readFileSync(new URL('../../src/accounts/members/sign-in-limits.ts', import.meta.url), 'utf8');

interface Item {
  id: string;
  claim: string;
  test: string;
}
const items: Item[] = [...text.matchAll(/^\| ([678]\.[\d. to]+) \| [^|]+ \| ([^|]+) \| ([^|]*)\|$/gm)].map(
  ([, id, claim, test]) => ({ id: id!, claim: claim!.trim(), test: test!.trim() }),
);

const TEST_ROOT = new URL('..', import.meta.url);
const titles = new Set(
  readdirSync(TEST_ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, TEST_ROOT), 'utf8').matchAll(/\bit\(\s*(['"`])(.+?)\1,/g)])
    .map(([, , title]) => title!),
);

/** Tests the items in docs/security.md that no other test covers, and checks the table itself. */
describe('sign-in, sessions and access by ASVS 5.0', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());

  it('each claimed item names an existing test', () => {
    assert.ok(items.length > 60, String(items.length));
    for (const { id, claim, test } of items) {
      const isClaimed = /^(yes|partly)/.test(claim);
      assert.equal(test !== '', isClaimed, `${id}: ${claim}`);
      if (isClaimed) assert.ok(titles.has(test), `${id}: there is no test "${test}"`);
    }
  });

  it('the documented limits on guessing are the limits in the code', () => {
    const [, table = ''] = /## Bounds of guessing\n\n([\s\S]+?)\n\n/.exec(text)!;
    const perWindow = [...limits.matchAll(/requests: (\d+), seconds: (\w+)/g)].map(([, requests]) => Number(requests));
    const documented = table
      .split('\n')
      .flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/\d+/g)])
      .map(Number);
    for (const requests of perWindow) assert.ok(documented.includes(requests), `${requests} is not in the table`);
  });

  it('the documented list of context words is the list in the code', () => {
    assert.ok(text.includes(`${CONTEXT_WORDS.join(', ')}.`));
  });

  it('every route says who may use it', () => {
    const ways = new Set(allRoutes.map(({ access }) => access));
    assert.deepEqual([...ways].sort(), ['account', 'feed', 'key', 'member', 'operator', 'public', 'visitor']);
  });

  it('password fields are masked, and browsers may fill them in', async () => {
    const { visitor } = await accounts.verified('fields@example.com');
    for (const page of ['/account/sign-in', '/account/sign-up', '/account/security']) {
      const { text: shown } = await (page.endsWith('security') ? visitor : accounts.visitor()).get(page);
      const fields = [...shown.matchAll(/<input [^>]*name="(\w*password|current)"[^>]*>/g)];
      assert.ok(fields.length > 0, page);
      for (const [field] of fields) {
        assert.match(field, /type="password"/);
        assert.match(field, /autocomplete="(new|current)-password"/);
        assert.doesNotMatch(field, /onpaste|maxlength/);
      }
      assert.doesNotMatch(shown, /hint for your password|security question/i);
    }
  });

  it('a password is compared exactly as typed, without trimming, case folding or truncation', async () => {
    const password = ` Zebra lamp osmosis ${'granite '.repeat(8)}`;
    const visitor = accounts.visitor();
    await visitor.post('/account/sign-up', { email: 'exact@example.com', password });
    const enter = async (typed: string) =>
      (await accounts.visitor().post('/account/sign-in', { email: 'exact@example.com', password: typed })).status;
    assert.equal(await enter(password), 303);
    for (const typed of [password.trim(), password.toLowerCase(), password.slice(0, 72), `${password}x`])
      assert.equal(await enter(typed), 401, typed);
  });

  it('a password does not expire', async () => {
    await accounts.signedUp('old@example.com');
    accounts.clock.advance(3 * 365 * 86_400_000);
    const entered = await accounts.visitor().post('/account/sign-in', { email: 'old@example.com', password: PASSWORD });
    assert.equal(entered.location, '/account');
  });

  it('a new installation has no accounts', async () => {
    const fresh = await createTestDatabase();
    try {
      const { rows } = await fresh.pool.query(
        "SELECT email FROM account UNION ALL SELECT email FROM member UNION ALL SELECT 'a key' FROM api_key",
      );
      assert.deepEqual(rows, []);
    } finally {
      await fresh.drop();
    }
  });

  it('recovery codes have at least 112 bits', async () => {
    const { renewRecoveryCodes } = await import('../../src/accounts/credentials/second-factor.ts');
    await accounts.signedUp('codes@example.com');
    const { rows } = await accounts.pool.query("SELECT id FROM member WHERE email = 'codes@example.com'");
    const codes = [
      ...(await renewRecoveryCodes(accounts.pool, rows[0].id)),
      ...(await renewRecoveryCodes(accounts.pool, rows[0].id)),
    ];
    assert.equal(new Set(codes).size, 20);
    const alphabet = new Set('23456789ABCDEFGHJKMNPQRSTUVWXYZ');
    for (const code of codes) {
      const letters = [...code.replaceAll('-', '')];
      assert.ok(letters.every((letter) => alphabet.has(letter)));
      assert.ok(letters.length * Math.log2(alphabet.size) >= 112);
    }
  });

  it('session tokens have 172 bits and are stored as hashes', async () => {
    const { visitor } = await accounts.signedUp('token@example.com');
    const token = visitor.cookies.get('touchline_member')!;
    assert.match(token, /^ms_live_[0-9A-Za-z]{29}[0-9A-Za-z]{6}$/);
    assert.ok(29 * Math.log2(62) > 172);
    const { rows } = await accounts.pool.query('SELECT row_to_json(s)::text AS row FROM member_session s');
    assert.ok(rows.length > 0 && !rows.some(({ row }) => row.includes(token)));
  });

  it('every account page has a sign-out button', async () => {
    const { visitor } = await accounts.verified('out@example.com');
    for (const page of ['', '/keys', '/webhooks', '/plan', '/audit', '/security']) {
      const { status, text: shown } = await visitor.get(`/account${page}`);
      assert.equal(status, 200, page);
      assert.match(shown, /action="[^"]*\/account\/sign-out"/, page);
    }
  });
});
