import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addAccountCommands } from '../../src/accounts/command.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
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

  it('grants the operator role to a member, and revokes it', async () => {
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
    assert.equal(
      await account('operator', EMAIL, '--revoke'),
      `${EMAIL}: no longer an operator\nthere is no operator now`,
    );
    assert.doesNotMatch(await account('show', EMAIL), /operator/);
  });

  it('allows actions on an operator that the pages refuse', async () => {
    await account('operator', EMAIL);
    assert.equal(await account('suspend', EMAIL), `${EMAIL}: suspended`);
    assert.equal(await account('suspend', EMAIL, '--lift'), `${EMAIL}: no longer suspended`);
    assert.match(await account('reset', EMAIL), /^\/account\/reset\?token=[\w-]{43}$/);
    await account('create', 'second@example.com');
    assert.equal(await account('delete', EMAIL, '--yes'), `${EMAIL}: deleted`);
  });

  it('approves a waiting account, and lifting a suspension approves no account', async () => {
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
