/**
 * Domains of email addresses that organisations have proved to be theirs, by a TXT record in DNS. A domain belongs to one
 * organisation. The record has to stay: it is read again at most daily, when somebody of the domain signs in.
 */
import { Resolver } from 'node:dns/promises';
import { domainToASCII } from 'node:url';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, Problem } from '../../http/index.ts';
import { readErrorCode } from '../../runtime/unknown-values.ts';
import { DAY_MS, HOUR_MS } from '../../wire/time.ts';
import { type Actor, audit } from '../audit.ts';
import type { MemberDeps } from '../members/members.ts';
import { MAIL_PROVIDERS } from './mail-providers.ts';

export const MAX_DOMAINS = 20;
const RECORD = 'touchline-verification=';
/** After this time, the record of a verified domain is read again. */
const CHECK_EVERY_MS = DAY_MS;
/** After an answer that says nothing, such as a timeout, the record is read again after this time. */
const RETRY_MS = HOUR_MS;
/** Postgres: a unique index refuses the row. */
const UNIQUE_VIOLATION = '23505';
const DNS_TIMEOUT_MS = 2_500;
const DNS_TRIES = 2;
const NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Reads the TXT records of a name. Rejects as `node:dns` does. */
export type ReadTxt = (name: string) => Promise<string[][]>;

/** Asks the system's name servers. */
export function systemTxt(): ReadTxt {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return (name) => resolver.resolveTxt(name);
}

/** The DNS record that proves a domain. */
export const txtRecord = (proof: string): string => RECORD + proof;

/** The domain of an email address, as it is stored. Null for a text without one. */
export function readDomain(email: string): string | null {
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).toLowerCase();
  return email.includes('@') && NAME.test(domain) ? domain : null;
}

/** @returns the domain in its stored form. @throws {Problem} invalid_parameter */
export function parseDomain(text: string, parameter = 'domains'): string {
  const domain = domainToASCII(text.trim().replace(/^@/, '')).toLowerCase();
  if (!NAME.test(domain)) throw invalidParameter(parameter, 'invalid_domain', 'is not a domain like example.com');
  if (MAIL_PROVIDERS.has(domain))
    throw invalidParameter(parameter, 'mail_provider', `${domain} gives addresses to everybody`);
  return domain;
}

type Outcome = 'present' | 'missing' | 'unknown';

/** Answers that say for certain that there is no record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

async function readRecord(readTxt: ReadTxt, domain: string, proof: string): Promise<Outcome> {
  try {
    const records = await readTxt(domain);
    return records.some((parts) => parts.join('').trim() === txtRecord(proof)) ? 'present' : 'missing';
  } catch (error) {
    return ABSENT.has(readErrorCode(error) ?? '') ? 'missing' : 'unknown';
  }
}

export interface DomainDeps extends Pick<MemberDeps, 'pool' | 'clock'> {
  readTxt: ReadTxt;
}

interface DomainRow {
  account_id: number;
  domain: string;
  proof: string;
  checked_at: Date | null;
}

/** Takes a domain from its organisation, whose record has vanished. */
async function loseDomain(db: Queryable, clock: DomainDeps['clock'], { account_id, domain }: DomainRow): Promise<void> {
  const { rowCount } = await db.query(
    'UPDATE single_sign_on_domain SET verified_at = NULL WHERE account_id = $1 AND domain = $2 AND verified_at IS NOT NULL',
    [account_id, domain],
  );
  if (rowCount === 0) return;
  await audit(db, clock, {
    accountId: account_id,
    actor: { name: 'system', address: null },
    action: 'single_sign_on.domain_lost',
    details: { domain },
  });
}

/**
 * Verifies a domain of an organisation. If another organisation has it, its record is read first: a domain that was sold moves.
 * @throws {Problem} invalid_parameter; conflict if another organisation has the domain, or the record is not there; unavailable
 */
export async function verifyDomain(
  { pool, clock, readTxt }: DomainDeps,
  { accountId, actor }: { accountId: number; actor: Actor },
  text: string,
): Promise<void> {
  const domain = parseDomain(text, 'domain');
  const { rows } = await pool.query<DomainRow>(
    'SELECT account_id, domain, proof, checked_at FROM single_sign_on_domain WHERE account_id = $1 AND domain = $2',
    [accountId, domain],
  );
  const own = rows[0];
  if (own === undefined) throw unknownDomain();
  const outcome = await readRecord(readTxt, domain, own.proof);
  if (outcome === 'unknown')
    throw new Problem('unavailable', 'The name servers of the domain do not answer. Try again later.');
  if (outcome === 'missing')
    throw new Problem(
      'conflict',
      `The domain ${domain} has no TXT record ${txtRecord(own.proof)}. A new record can take an hour to be seen.`,
    );
  await freeDomain({ pool, clock, readTxt }, accountId, domain);
  const isVerified = await transaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE single_sign_on_domain SET verified_at = coalesce(verified_at, $3), checked_at = $3
       WHERE account_id = $1 AND domain = $2 AND proof = $4`,
      [accountId, domain, new Date(clock.now()), own.proof],
    );
    if (rowCount === 0) return false;
    await audit(db, clock, { accountId, actor, action: 'single_sign_on.domain_verified', details: { domain } });
    return true;
  }).catch((error: unknown) => {
    // Another organisation has verified the domain at the same moment.
    if (readErrorCode(error) === UNIQUE_VIOLATION) throw taken(domain);
    throw error;
  });
  if (!isVerified) throw unknownDomain();
}

const unknownDomain = () => invalidParameter('domain', 'unknown_domain', 'is not in the settings');
const taken = (domain: string) => new Problem('conflict', `A different organisation has the domain ${domain}.`);

/** Takes a domain from its present organisation if the record has vanished. */
async function freeDomain({ pool, clock, readTxt }: DomainDeps, accountId: number, domain: string): Promise<void> {
  const { rows } = await pool.query<DomainRow>(
    `SELECT account_id, domain, proof, checked_at FROM single_sign_on_domain
     WHERE domain = $1 AND verified_at IS NOT NULL AND account_id <> $2`,
    [domain, accountId],
  );
  const other = rows[0];
  if (other === undefined) return;
  if ((await readRecord(readTxt, domain, other.proof)) !== 'missing') throw taken(domain);
  await loseDomain(pool, clock, other);
}

/**
 * Returns the organisation that has verified the domain of an address. Reads the domain's record again if that is due; one of
 * several processes does so.
 */
export async function findOrganisation(
  { pool, clock, readTxt }: DomainDeps,
  email: string,
): Promise<{ accountId: number; domain: string } | null> {
  const domain = readDomain(email);
  if (domain === null) return null;
  const { rows } = await pool.query<DomainRow>(
    'SELECT account_id, domain, proof, checked_at FROM single_sign_on_domain WHERE domain = $1 AND verified_at IS NOT NULL',
    [domain],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const found = { accountId: row.account_id, domain };
  const now = clock.now();
  if (now - (row.checked_at?.getTime() ?? 0) < CHECK_EVERY_MS) return found;
  const { rowCount } = await pool.query(
    'UPDATE single_sign_on_domain SET checked_at = $3 WHERE account_id = $1 AND domain = $2 AND checked_at IS NOT DISTINCT FROM $4',
    [row.account_id, domain, new Date(now), row.checked_at],
  );
  if (rowCount === 0) return found;
  const outcome = await readRecord(readTxt, domain, row.proof);
  if (outcome === 'missing') {
    await loseDomain(pool, clock, row);
    return null;
  }
  if (outcome === 'unknown')
    await pool.query('UPDATE single_sign_on_domain SET checked_at = $3 WHERE account_id = $1 AND domain = $2', [
      row.account_id,
      domain,
      new Date(now - CHECK_EVERY_MS + RETRY_MS),
    ]);
  return found;
}
