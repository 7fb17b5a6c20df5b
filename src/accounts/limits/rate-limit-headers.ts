/** RateLimit and RateLimit-Policy (IETF draft "RateLimit header fields for HTTP"), as structured fields. */
import type { HeaderList } from '../../http/index.ts';
import type { AccountLimit } from './account-limit.ts';
import type { AddressUse } from './address-use.ts';

const BURST_SECONDS = 1;

interface KnownPolicy {
  windows: AccountLimit['windows'];
  /** The cached value is valid from `since` to `until`, the end of a day, both in ms. */
  since: number;
  until: number;
  text: string;
}
const known = new WeakMap<AccountLimit, KnownPolicy>();

/** Returns the policy for an account. It changes with the plan and at the start of a month. */
function accountPolicy(limit: AccountLimit, now: number): string {
  const before = known.get(limit);
  if (before?.windows === limit.windows && now >= before.since && now < before.until) return before.text;
  const { burst, periods, windows } = limit;
  const ends = periods.map((period) => period.at(now).endsAt);
  const text = [
    ...(burst === null ? [] : [`"burst";q=${burst.quota};w=${BURST_SECONDS}`]),
    ...periods.map((period) => `"${period.name}";q=${period.quota};w=${period.at(now).seconds}`),
  ].join(', ');
  known.set(limit, { windows, since: now, until: Math.min(...ends), text });
  return text;
}

/**
 * Renders an account's limits, and what is left of them. Window names need no escapes.
 * @param address the client address's limits; null if only the account's limits apply
 */
export function limitHeaders(limit: AccountLimit, now: number, address: AddressUse | null): HeaderList {
  let policy = accountPolicy(limit, now);
  let state = '';
  const { burst } = limit;
  if (burst !== null) state = `"burst";r=${Math.max(0, Math.floor(burst.level(now)))};t=${burst.secondsUntilFull(now)}`;
  for (const period of limit.periods) {
    const { endsAt } = period.at(now);
    const separator = state === '' ? '' : ', ';
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
