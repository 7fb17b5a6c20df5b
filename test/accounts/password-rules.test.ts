import assert from 'node:assert/strict';
import { checkNewPassword } from '../../src/accounts/members/password-rules.ts';
import type { Problem } from '../../src/http/errors.ts';

const fault = async (password: string, email = 'ann.smith@example.com'): Promise<string | null> => {
  try {
    await checkNewPassword(password, email);
    return null;
  } catch (error) {
    return (error as Problem).options.errors![0]!.code;
  }
};

describe('password rules', () => {
  it('common passwords and variations of them are refused', async () => {
    for (const password of [
      'password12',
      'Password123!',
      'P@ssw0rd123',
      'qwertyuiop',
      'qwertyuiop123',
      '1q2w3e4r5t',
      '1234567890',
      'abcdefghij',
      'aaaaaaaaaaaa',
      'iloveyou12',
      'letmein1234',
      'barcelona10',
      'abcabcabcabc',
      '19901231199',
    ])
      assert.equal(await fault(password), 'weak_password', password);
  });

  it('words from the service’s name and from the member’s address are refused', async () => {
    for (const password of [
      'touchline1',
      'Touchline2026!',
      'touchlinetouchline',
      'livescore99',
      'ann.smith@example.com',
      'annsmith2026',
      'example.com1',
    ])
      assert.equal(await fault(password), 'weak_password', password);
  });

  it('any other password is accepted, such as plain words, foreign scripts, outer spaces, or text without digits', async () => {
    for (const password of [
      'correct horse battery',
      'dkfjghtyru',
      'zebra-lamp-osmosis',
      'снег идёт третий день',
      '象は鼻が長いからたのしいよ',
      ' leading and trailing ',
      'x9#kQ!vB2m',
    ])
      assert.equal(await fault(password), null, password);
  });

  it('a password has 10 to 200 characters as a person would count them', async () => {
    assert.equal(await fault('x9#kQ!vB2'), 'invalid_password');
    assert.equal(await fault('x9#kQ!vB2m'), null);
    assert.equal(await fault(`${'correct horse '.repeat(15)}`.slice(0, 201)), 'invalid_password');
    const long = Array.from({ length: 200 }, (_, i) => String.fromCharCode(33 + ((i * 37) % 90))).join('');
    assert.equal(await fault(long), null);
    assert.equal(await fault('with a \0 in it, long enough'), 'invalid_password');
    assert.equal(await fault('😀'.repeat(9)), 'invalid_password');
  });
});
