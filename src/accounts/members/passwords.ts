/** Passwords: their rules, and argon2id. */
import { hash, verify } from '@node-rs/argon2';
import { invalidParameter, unavailable } from '../../http/errors.ts';

/** RFC 9106 and the OWASP cheat sheet on password storage: argon2id (the library's default), 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** NIST SP 800-63B: at least 8; more, since a guess costs an attacker little here. */
const MIN_LENGTH = 10;
const MAX_LENGTH = 200;
/** Each takes a thread of libuv and 19 MiB for some 30 ms; compression and files need threads as well. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 100;

/** @param parameter the name of the field in an error. @throws {Problem} invalid_parameter */
export function checkNewPassword(password: string, email: string, parameter = 'password'): void {
  const { length } = [...password];
  const [local = ''] = email.toLowerCase().split('@');
  if (length < MIN_LENGTH || length > MAX_LENGTH || password.includes('\0'))
    throw invalidParameter(parameter, 'invalid_password', `must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`);
  const lower = password.toLowerCase();
  if (new Set(lower).size < 4 || lower === email.toLowerCase() || lower === local.padEnd(MIN_LENGTH, local))
    throw invalidParameter(parameter, 'weak_password', 'is too easy to guess');
}

let running = 0;
const waiting: (() => void)[] = [];

/** @throws {Problem} unavailable where too many wait */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw unavailable('Too many people sign in at the moment.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** @returns `$argon2id$…`, with its parameters and salt */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, COST));

let nobodys: Promise<string> | undefined;

/**
 * Takes the same time whether there is a stored password or not.
 * @param stored null: nobody has this password
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  nobodys ??= hashPassword('the password of nobody');
  const compared = stored ?? (await nobodys);
  const isRight = await inTurn(() => verify(compared, password));
  return isRight && stored !== null;
}
