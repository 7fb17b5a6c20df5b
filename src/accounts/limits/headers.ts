/** RateLimit and RateLimit-Policy (IETF draft "RateLimit header fields for HTTP"), as structured fields. */
import type { HeaderList } from '../../http/headers.ts';
import type { AccountLimit } from './account-limit.ts';
import type { AddressUse } from './address-use.ts';

const BURST_SECONDS = 1;

/**
 * Renders the limits of an account and what is left of each; every name is a token that needs no escapes.
 * @param address limits of the client address; null if only the account's limits apply
 */
export function limitHeaders(limit: AccountLimit, now: number, address: AddressUse | null): HeaderList {
  let policy = '';
  let state = '';
  const { burst } = limit;
  if (burst !== null) {
    policy = `"burst";q=${burst.quota};w=${BURST_SECONDS}`;
    state = `"burst";r=${Math.max(0, Math.floor(burst.level(now)))};t=${burst.secondsUntilFull(now)}`;
  }
  for (const period of limit.periods) {
    const { seconds, endsAt } = period.at(now);
    const separator = policy === '' ? '' : ', ';
    policy += `${separator}"${period.name}";q=${period.quota};w=${seconds}`;
    state += `${separator}"${period.name}";r=${period.left};t=${Math.ceil((endsAt - now) / 1_000)}`;
  }
  for (const { name, quota, seconds, left, resetSeconds } of address?.state(now, limit.pods) ?? []) {
    const separator = policy === '' ? '' : ', ';
    policy += `${separator}"${name}";q=${quota};w=${seconds}`;
    state += `${separator}"${name}";r=${left};t=${resetSeconds}`;
  }
  return [
    ['RateLimit-Policy', policy],
    ['RateLimit', state],
  ];
}
