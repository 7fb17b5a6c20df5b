/** An operator who has signed in with the second factor, for tests of the operator pages. */
import { TOTP } from 'otpauth';
import { setOperator } from '../../src/accounts/members/operators.ts';
import { type AccountApp, PASSWORD, type Visitor } from './account-app.ts';

const STEP_MS = 30_000;

export interface OperatorSession {
  visitor: Visitor;
  email: string;
  /** Advances the clock by a time step, and returns a code that has not been used. */
  code(): string;
  /** Signs the same operator in from a different browser. */
  signIn(address?: string): Promise<Visitor>;
}

/**
 * Turns on the second factor.
 * @returns a function that returns unused codes
 */
export async function turnOnSecondFactor(accounts: AccountApp, visitor: Visitor): Promise<() => string> {
  const page = await visitor.post('/account/security/second-factor', { confirm_password: PASSWORD });
  const secret = /class="value">([A-Z2-7 ]+)</.exec(page.text)![1]!.replaceAll(' ', '');
  const totp = new TOTP({ secret });
  const code = () => {
    accounts.clock.advance(STEP_MS);
    return totp.generate({ timestamp: accounts.clock.now() });
  };
  const done = await visitor.post('/account/security/second-factor/confirm', { code: code() });
  if (done.status !== 200) throw new Error(done.text);
  return code;
}

export async function startOperator(accounts: AccountApp, email: string): Promise<OperatorSession> {
  const { visitor } = await accounts.verified(email, '203.0.113.200');
  await setOperator(accounts.pool, accounts.clock, email, true);
  const code = await turnOnSecondFactor(accounts, visitor);
  return {
    visitor,
    email,
    code,
    async signIn(address = '203.0.113.201') {
      const other = accounts.visitor(address);
      await other.post('/account/sign-in', { email, password: PASSWORD });
      const entered = await other.post('/account/code', { code: code() });
      if (entered.status !== 303) throw new Error(entered.text);
      return other;
    },
  };
}
