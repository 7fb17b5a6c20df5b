import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  createSecret,
  isSecret,
  SECRET_PREFIXES,
  SECRETS,
  type SecretName,
  secretPattern,
  withoutSecrets,
} from '../../src/wire/secret-formats.ts';

const NAMES = Object.keys(SECRETS) as SecretName[];
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Checks a secret as docs/security.md describes for tools that scan code. */
function hasChecksum(secret: string): boolean {
  let rest = crc32(secret.slice(0, -6));
  let digits = '';
  for (let i = 0; i < 6; i += 1) {
    digits = DIGITS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return secret.endsWith(digits);
}

describe('this service’s secrets', () => {
  it('have prefixes, none of which begins with another', () => {
    for (const one of SECRET_PREFIXES)
      assert.deepEqual(
        SECRET_PREFIXES.filter((other) => other.startsWith(one)),
        [one],
      );
  });

  for (const name of NAMES)
    it(`include a ${name}, which fits the pattern for scanners, has a checksum, and is hidden in a text`, () => {
      const secret = createSecret(name);
      const { prefix, letters } = SECRETS[name];
      assert.match(secret, new RegExp(`^${secretPattern(name)}$`));
      assert.ok(isSecret(name, secret));
      assert.notEqual(createSecret(name), secret);
      if (letters !== null) {
        assert.ok(hasChecksum(secret));
        const last = secret.at(-1) === 'a' ? 'b' : 'a';
        assert.ok(!isSecret(name, secret.slice(0, -1) + last));
      }
      for (const [before, after] of [
        ['', ''],
        ['{"q":"', '"}'],
        ['a,', '.'],
        ['https://x/?a=1&b=', '&c=2'],
      ]) {
        assert.equal(withoutSecrets(before + secret + after), `${before}${prefix}***${after}`);
        const escaped = encodeURIComponent(secret);
        assert.equal(withoutSecrets(before + escaped + after), `${before}${prefix}***${after}`);
        assert.equal(withoutSecrets(withoutSecrets(before + secret + after)), `${before}${prefix}***${after}`);
      }
    });

  it('are all in the table for scanners', () => {
    const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
    for (const name of NAMES) assert.ok(text.includes(`\`${secretPattern(name)}\``), name);
  });

  it('are hidden in a text, but text that only resembles a secret stays unchanged', () => {
    const text = 'desk_live, whsec, sk_test_1, live_';
    assert.equal(withoutSecrets(text), text);
  });
});
