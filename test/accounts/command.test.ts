import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addAccountCommands } from '../../src/accounts/command.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { BUILT_IN_PLANS, createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const EMAIL = 'boss@example.com';

describe('the command touchline account', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  /** Returns the printed lines. */
  async function account(...args: string[]): Promise<string> {
    const lines: string[] = [];
    const program = new Command().exitOverride();
    addAccountCommands(
      program,
      (work) => work(db.pool, BUILT_IN_PLANS),
      (line) => lines.push(line),
    );
    await program.parseAsync(['account', ...args], { from: 'user' });
    return lines.join('\n');
  }

  it('grants a member the operator role, and revokes it', async () => {
    await account('create', EMAIL);
    await assert.rejects(account('operator', EMAIL), /^Problem: nobody can sign in as boss@example\.com yet: /);
    await assert.rejects(account('operator', 'nobody@example.com'), /there is no account nobody@example\.com/);
    await db.pool.query(
      'INSERT INTO member (account_id, email, created_at) SELECT id, email, now() FROM account WHERE email = $1',
      [EMAIL],
    );
    assert.equal(await account('operator', EMAIL), `${EMAIL}: operator`);
    assert.match(await account('list'), /^\d+ boss@example\.com trial, 0 keys, since \S+Z, operator$/);
    assert.match(await account('show', EMAIL), /, operator$/);
    assert.equal(await account('operator', EMAIL, '--revoke'), `${EMAIL}: no longer an operator\nno operator is left`);
    assert.doesNotMatch(await account('show', EMAIL), /operator/);
  });

  it('can suspend, reset and delete an operator’s account, which the pages refuse', async () => {
    await account('operator', EMAIL);
    assert.equal(await account('suspend', EMAIL), `${EMAIL}: suspended`);
    assert.equal(await account('suspend', EMAIL, '--lift'), `${EMAIL}: no longer suspended`);
    assert.match(await account('reset', EMAIL), /^\/account\/reset\?token=[\w-]{43}$/);
    await account('create', 'second@example.com');
    assert.equal(await account('delete', EMAIL, '--yes'), `${EMAIL}: deleted`);
  });

  it('lists on a reset the keys and second factor that stay valid, and has options that remove them', async () => {
    const email = 'occupied@example.com';
    await account('create', email);
    const { pool } = db;
    const key = await createKey(pool, systemClock, { email });
    await createKey(pool, systemClock, { email });
    await pool.query(
      `INSERT INTO member (account_id, email, created_at, password, totp_secret) VALUES ($1, $2, now(), 'hash', 'secret')`,
      [key.accountId, email],
    );
    const state = async () => {
      const { rows } = await pool.query(
        `SELECT password, totp_secret, (SELECT count(*)::int FROM api_key WHERE account_id = $1 AND revoked_at IS NULL) AS keys
         FROM member WHERE account_id = $1`,
        [key.accountId],
      );
      return rows[0];
    };
    const lines = (await account('reset', email)).split('\n');
    assert.match(lines[0]!, /^\/account\/reset\?token=rl_live_\w{35}$/);
    assert.match(lines[1]!, /^The account has a second factor and 2 keys, which a new password does not remove\. /);
    assert.match(lines[2]!, /^--second-factor /);
    assert.match(lines[3]!, /^--revoke-keys /);
    assert.equal(lines.length, 4);
    assert.deepEqual(await state(), { password: 'hash', totp_secret: 'secret', keys: 2 });

    const without = (await account('reset', email, '--second-factor')).split('\n');
    assert.match(without[1]!, /^The account has 2 keys, which/);
    assert.doesNotMatch(without.slice(1).join(' '), /second factor/);
    assert.deepEqual(await state(), { password: null, totp_secret: null, keys: 2 });

    const all = await account('reset', email, '--revoke-keys');
    assert.match(all, /^\/account\/reset\?token=rl_live_\w{35}$/);
    assert.deepEqual(await state(), { password: null, totp_secret: null, keys: 0 });
  });

  it('approves an account that waits for approval, but refuses to do so by lifting a suspension', async () => {
    await account('create', EMAIL);
    await assert.rejects(account('approve', EMAIL), /does not wait for approval/);
    await db.pool.query('UPDATE account SET awaits_approval = true, suspended_at = now() WHERE email = $1', [EMAIL]);
    assert.match(await account('show', EMAIL), /, waits for approval$/);
    await assert.rejects(account('suspend', EMAIL, '--lift'), /waits for approval/);
    await assert.rejects(account('suspend', EMAIL), /waits for approval/);
    assert.equal(await account('approve', EMAIL), `${EMAIL}: approved`);
    assert.doesNotMatch(await account('show', EMAIL), /waits|suspended/);
    const { rows } = await db.pool.query(
      "SELECT e.actor, e.by_operator FROM audit_entry e WHERE e.action = 'account.approved'",
    );
    assert.deepEqual(rows, [{ actor: 'operator', by_operator: true }]);
  });
});
