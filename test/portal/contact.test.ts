import assert from 'node:assert/strict';
import { accountVariables } from '../../src/accounts/config.ts';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variable.ts';
import { startAccountApp } from '../support/account-app.ts';

const ENV = { DATABASE_URL: 'postgres://localhost/touchline', SECRET_KEY: 'a-secret-key-of-the-tests' };
const readContact = (CONTACT_URL: string) => readConfig({ ...ENV, CONTACT_URL }, accountVariables).contactUrl;

async function planPage(contact: string): Promise<string> {
  const accounts = await startAccountApp({ CONTACT_URL: contact });
  try {
    const { visitor } = await accounts.signedUp('ann@example.com');
    return (await visitor.get('/account/plan')).text;
  } finally {
    await accounts.close();
  }
}

describe('the operator’s contact', function () {
  this.timeout(30_000);

  it('must be an https or a mailto address', () => {
    for (const url of [
      'https://example.com/contact?from=touchline',
      'mailto:sales@example.com',
      'mailto:a@b.c?subject=Plan',
    ])
      assert.equal(readContact(url), url);
    assert.equal(readContact(''), undefined);
    for (const url of [
      'javascript:alert(1)',
      'http://example.com',
      'sales@example.com',
      'mailto:sales',
      'https://',
      'https://exa mple.com',
      ' javascript:alert(1)//https://example.com',
      'data:text/html,x',
      'mailto:a@b.c,d@e.f',
    ])
      assert.throws(
        () => readContact(url),
        (error) => error instanceof ConfigError && /^CONTACT_URL: must be https:/.test(error.faults[0]!),
        url,
      );
  });

  it('is a link on the plans page, which shows no contact if none is configured', async () => {
    assert.match(
      await planPage('mailto:sales@example.com?subject=Plan'),
      /operator of this service: <a href="mailto:sales@example.com\?subject=Plan">sales@example.com<\/a>\./,
    );
    assert.match(await planPage('https://example.com/"><i>'), /<a href="https:\/\/example.com\/&quot;&gt;&lt;i&gt;">/);
    assert.match(await planPage(''), /ask the operator of this service\. It takes effect/);
  });
});
