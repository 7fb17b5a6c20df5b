/** People and organisations for tests, over real HTTP. Everybody has an address and a network that nobody else has. */
import assert from 'node:assert/strict';
import { type AccountApp, PASSWORD, type Visitor } from './account-app.ts';

export interface Owner {
  email: string;
  visitor: Visitor;
  accountId: number;
}

/** @returns the outcome of a request, with the problem's code if there is one */
export const outcome = ({ status, json }: Awaited<ReturnType<Visitor['json']>>) => [status, json.code];

export const invite = (by: Visitor, email: string, role: string) =>
  by.json('POST', '/v1/account/member-invitations', { email, role });

export function createPeople(accounts: AccountApp) {
  let people = 0;
  const idOf = async (email: string): Promise<number> =>
    (await accounts.pool.query<{ id: number }>('SELECT id FROM member WHERE email = $1', [email])).rows[0]!.id;
  return {
    idOf,
    /** Returns a person with an organisation of their own. */
    async owner(name: string): Promise<Owner> {
      people += 1;
      const email = `${name}${people}@example.com`;
      const { visitor } = await accounts.verified(email, `198.51.${people}.1`);
      const { json } = await visitor.json('GET', '/v1/account');
      return { email, visitor, accountId: json.id as number };
    },
    /** Invites a new person, who joins. */
    async joined(to: Pick<Owner, 'visitor'>, role: string, name: string = role) {
      people += 1;
      const email = `${name}${people}@example.com`;
      assert.equal((await invite(to.visitor, email, role)).status, 201);
      const visitor = accounts.visitor(`198.51.${people}.1`);
      const { location } = await visitor.post('/account/join', { token: accounts.tokenFor(email), password: PASSWORD });
      assert.equal(location, '/account');
      return { email, visitor, id: await idOf(email) };
    },
    /** Invites somebody who can sign in already, and who then acts for this organisation. */
    async joins(guest: Owner, to: Owner, role: string): Promise<void> {
      assert.equal((await invite(to.visitor, guest.email, role)).status, 201);
      const { location } = await guest.visitor.post('/account/join', { token: accounts.tokenFor(guest.email) });
      assert.equal(location, '/account');
    },
    /** Returns the roles in an organisation, in alphabetical order. */
    async rolesIn(accountId: number): Promise<string[]> {
      const { rows } = await accounts.pool.query<{ role: string }>(
        'SELECT role FROM membership WHERE account_id = $1 ORDER BY role',
        [accountId],
      );
      return rows.map(({ role }) => role);
    },
  };
}
