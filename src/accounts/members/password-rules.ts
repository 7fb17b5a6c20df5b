/**
 * Password rules. What counts is a password's strength, not which kinds of characters it has (NIST SP 800-63B, ASVS 5.0
 * V6.2).
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalidParameter } from '../../http/index.ts';

/** NIST SP 800-63B requires 8. Two more cost a member little. */
const MIN_LENGTH = 10;
const MAX_LENGTH = 200;
/**
 * Only this many characters of a longer password are judged, since the time for the estimate grows with the square of
 * the length.
 */
const JUDGED_LENGTH = 64;
/** The zxcvbn scale goes from 0 to 4, and 3 takes more than 100 million guesses. */
const MIN_SCORE = 3;
/**
 * Words that an attacker tries first on this service, in addition to the user's email address; docs/security.md lists
 * them.
 */
export const CONTEXT_WORDS: readonly string[] = [
  'touchline',
  'scores',
  'livescore',
  'sportsdata',
  'webhook',
  'apikey',
  'operator',
  'пароль',
  'футбол',
  'йцукен',
];

let estimator: Promise<ZxcvbnFactory> | null = null;

/**
 * Returns the strength estimator, which knows common and leaked passwords, words, adjacent keys, dates and repetitions.
 * It is loaded when the first password is checked.
 */
function openEstimator(): Promise<ZxcvbnFactory> {
  estimator ??= (async () => {
    const [core, language] = [await import('@zxcvbn-ts/core'), await import('@zxcvbn-ts/language-common')];
    const { dictionary, adjacencyGraphs: graphs } = language;
    return new core.ZxcvbnFactory({ dictionary, graphs, maxLength: JUDGED_LENGTH });
  })();
  return estimator;
}

/** Returns the address, its parts, and its parts without separators. */
function addressWords(email: string): string[] {
  const parts = email.split(/[^\p{L}\p{N}]+/u);
  const joined = email.split('@').map((side) => side.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  return [email, ...parts, ...joined].filter((word) => word.length > 2);
}

/**
 * @param email the account's email; empty if not known yet
 * @param parameter the field name in an error
 * @throws {Problem} invalid_parameter
 */
export async function checkNewPassword(password: string, email: string, parameter = 'password'): Promise<void> {
  const { length } = [...password];
  if (length < MIN_LENGTH || length > MAX_LENGTH || password.includes('\0'))
    throw invalidParameter(parameter, 'invalid_password', `must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`);
  const judged = [...password].slice(0, JUDGED_LENGTH).join('');
  if ((await openEstimator()).check(judged, [...CONTEXT_WORDS, ...addressWords(email)]).score < MIN_SCORE)
    throw invalidParameter(
      parameter,
      'weak_password',
      'is too easy to guess; a few words that do not belong together are hard to guess',
    );
}
