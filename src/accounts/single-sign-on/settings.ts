/** An organisation's settings for single sign-on. The client secret is stored encrypted and never shown. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { type Queryable, transaction, wireTimeSql } from '../../db/postgres.ts';
import { invalidParameter, Problem, type Role } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Actor, audit } from '../audit.ts';
import { HAS_SECOND_FACTOR } from '../credentials/second-factor.ts';
import type { MemberDeps } from '../members/members.ts';
import { ROLES } from '../roles.ts';
import type { SecretColumn } from '../secret-reencryption.ts';
import { decryptSecret, encryptSecret } from '../stored-secret.ts';
import { MAX_DOMAINS, parseDomain, txtRecord } from './domains.ts';
import { type FailureCode, type Provider, ProviderFailed, type Providers } from './provider.ts';

const MAX_GROUP_ROLES = 50;
/** Text without control characters, which could not be shown or sent in a header. */
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'has control characters');

/** The roles that a provider may give. Only owners make owners. */
export const GIVEN_ROLES = ROLES.filter((role) => role !== 'owner') as Exclude<Role, 'owner'>[];
const givenRole = z.enum(GIVEN_ROLES);

export const groupRole = z.strictObject({ group: line(256), role: givenRole });
export type GroupRole = z.output<typeof groupRole>;

/** The settings to change. Settings that are absent stay as they are. */
export const settingsChange = z.strictObject({
  issuer: z.string().max(2_048).optional().meta({ description: "The provider's issuer, an `https` address" }),
  client_id: line(255).optional(),
  client_secret: line(1_024).optional().meta({
    description:
      'Never shown again. Required again if `issuer` or `client_id` changes, so that it is not sent to another provider',
  }),
  domains: z
    .array(z.string().max(260))
    .max(MAX_DOMAINS)
    .optional()
    .meta({ description: 'The domains of the addresses that may sign in. Each has to be verified' }),
  default_role: givenRole.optional().meta({ description: 'The role of people without a group in `group_roles`' }),
  groups_claim: z
    .string()
    .regex(/^[\w:/.-]{1,200}$/, 'may have letters, digits and _ : / . -')
    .optional()
    .meta({ description: "The claim that lists a person's groups" }),
  group_roles: z.array(groupRole).max(MAX_GROUP_ROLES).optional().meta({
    description: 'If it has entries, the role follows the groups at each sign-in. The role that permits most counts',
  }),
  required: z
    .boolean()
    .optional()
    .meta({ description: 'Whether people with an address in a verified domain may sign in only at the provider' }),
  emergency_owner: z
    .int()
    .positive()
    .nullish()
    .meta({ description: 'The id of an owner with a second factor, who may always sign in with a password' }),
});
export type SettingsChange = z.output<typeof settingsChange>;

export interface Domain {
  domain: string;
  /** The TXT record that verifies it. */
  record: string;
  verified_at: string | null;
  checked_at: string | null;
}

export interface Settings {
  issuer: string;
  client_id: string;
  groups_claim: string;
  default_role: Exclude<Role, 'owner'>;
  group_roles: GroupRole[];
  required: boolean;
  emergency_owner: number | null;
  domains: Domain[];
}

type StoredSettings = Omit<Settings, 'domains'> & { client_secret: string };

const COLUMNS = `issuer, client_id, client_secret, groups_claim, default_role, group_roles, required, emergency_member_id AS emergency_owner`;

async function readStored(db: Queryable, accountId: number, lock = ''): Promise<StoredSettings | null> {
  const { rows } = await db.query<StoredSettings>(
    `SELECT ${COLUMNS} FROM single_sign_on WHERE account_id = $1 ${lock}`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** @returns null if the organisation has no single sign-on */
export async function readSettings(db: Queryable, accountId: number): Promise<Settings | null> {
  const stored = await readStored(db, accountId);
  if (stored === null) return null;
  const { client_secret: _, ...settings } = stored;
  const { rows } = await db.query<Omit<Domain, 'record'> & { proof: string }>(
    `SELECT domain, proof, ${wireTimeSql('verified_at')} AS verified_at, ${wireTimeSql('checked_at')} AS checked_at
     FROM single_sign_on_domain WHERE account_id = $1 ORDER BY domain`,
    [accountId],
  );
  return {
    ...settings,
    domains: rows.map(({ domain, proof, ...times }) => ({ domain, record: txtRecord(proof), ...times })),
  };
}

const toProvider = (stored: StoredSettings, clientSecret: string): Provider => ({
  issuer: stored.issuer,
  clientId: stored.client_id,
  clientSecret,
  groupsClaim: stored.groups_claim,
});

/** @returns null if the organisation has no single sign-on, or was suspended */
export async function readProvider(
  db: Queryable,
  accountId: number,
  secretKeys: readonly string[],
): Promise<Provider | null> {
  const { rows } = await db.query<StoredSettings>(
    `SELECT ${COLUMNS} FROM single_sign_on s JOIN account a ON a.id = s.account_id WHERE s.account_id = $1 AND a.suspended_at IS NULL`,
    [accountId],
  );
  const stored = rows[0];
  return stored === undefined ? null : toProvider(stored, decryptSecret(stored.client_secret, secretKeys));
}

const DEFAULTS = {
  groups_claim: 'groups',
  default_role: 'viewer',
  group_roles: [],
  required: false,
  emergency_owner: null,
} as const;

const missing = (parameter: string) => invalidParameter(parameter, 'required', 'is required');

/** Puts a change into the present settings. The secret is still plain. */
function changed(before: StoredSettings | null, change: SettingsChange, secretKeys: readonly string[]): StoredSettings {
  const { domains: _, ...given } = change;
  const merged = {
    ...DEFAULTS,
    ...before,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
  const { issuer, client_id } = merged as Partial<StoredSettings>;
  if (issuer === undefined) throw missing('issuer');
  if (client_id === undefined) throw missing('client_id');
  const isOther = issuer !== before?.issuer || client_id !== before.client_id;
  if (change.client_secret === undefined && isOther) throw missing('client_secret');
  const secret = change.client_secret ?? decryptSecret(before!.client_secret, secretKeys);
  return { ...merged, group_roles: [...merged.group_roles], issuer, client_id, client_secret: secret };
}

const WHY: Record<FailureCode, string> = {
  unreachable: 'does not answer, or its answer is too large or leads elsewhere',
  address_refused: 'is not a public address, or names one that is not public',
  not_conform: 'is not the issuer of an OpenID Connect provider with all the addresses that are needed',
  declined: 'does not answer',
  token_refused: 'does not answer',
};

/** Asks the provider at the issuer. @throws {Problem} invalid_parameter */
async function checkIssuer(providers: Pick<Providers, 'check'>, settings: StoredSettings): Promise<void> {
  try {
    await providers.check(toProvider(settings, settings.client_secret));
  } catch (error) {
    if (error instanceof ProviderFailed) throw invalidParameter('issuer', error.code, WHY[error.code]);
    throw error;
  }
}

/** @throws {Problem} invalid_parameter, unless this owner can enter the organisation while its provider is down */
async function checkEmergencyOwner(
  db: Queryable,
  accountId: number,
  { required, emergency_owner }: StoredSettings,
): Promise<void> {
  if (emergency_owner === null && required) throw missing('emergency_owner');
  if (emergency_owner === null) return;
  const { rows } = await db.query<{ can_sign_in: boolean }>(
    `SELECT m.password IS NOT NULL AND ${HAS_SECOND_FACTOR} AS can_sign_in FROM membership b JOIN member m ON m.id = b.member_id
     WHERE b.account_id = $1 AND b.member_id = $2 AND b.role = 'owner'`,
    [accountId, emergency_owner],
  );
  const refused = (code: string, detail: string) => invalidParameter('emergency_owner', code, detail);
  if (rows[0] === undefined) throw refused('not_owner', 'is not an owner of this organisation');
  if (!rows[0].can_sign_in) throw refused('no_second_factor', 'has no password or no second factor');
}

/** @throws {Problem} invalid_parameter */
async function checkVerified(db: Queryable, accountId: number): Promise<void> {
  const { rows } = await db.query(
    'SELECT FROM single_sign_on_domain WHERE account_id = $1 AND verified_at IS NOT NULL LIMIT 1',
    [accountId],
  );
  if (rows.length === 0) throw invalidParameter('required', 'no_domain', 'needs a verified domain');
}

async function saveDomains(db: Queryable, accountId: number, domains: readonly string[]): Promise<void> {
  await db.query('DELETE FROM single_sign_on_domain WHERE account_id = $1 AND NOT domain = ANY ($2::text[])', [
    accountId,
    domains,
  ]);
  for (const domain of domains)
    await db.query(
      'INSERT INTO single_sign_on_domain (account_id, domain, proof) VALUES ($1, $2, $3) ON CONFLICT (account_id, domain) DO NOTHING',
      [accountId, domain, randomBytes(16).toString('hex')],
    );
}

export interface SettingsDeps extends Pick<MemberDeps, 'pool' | 'clock' | 'config'> {
  providers: Pick<Providers, 'check'>;
}

interface Owner {
  accountId: number;
  actor: Actor;
}

/**
 * Sets single sign-on up, or changes it.
 * @throws {Problem} invalid_parameter; conflict if the settings have changed meanwhile
 */
export async function changeSettings(
  { pool, clock, config: { secretKeys }, providers }: SettingsDeps,
  { accountId, actor }: Owner,
  change: SettingsChange,
): Promise<void> {
  const domains = change.domains === undefined ? null : [...new Set(change.domains.map((text) => parseDomain(text)))];
  const before = await readStored(pool, accountId);
  const wanted = changed(before, change, secretKeys);
  if (wanted.issuer !== before?.issuer || change.client_secret !== undefined) await checkIssuer(providers, wanted);
  await transaction(pool, async (db) => {
    await db.query('SELECT FROM account WHERE id = $1 FOR UPDATE', [accountId]);
    const now = await readStored(db, accountId, 'FOR UPDATE');
    const after = changed(now, change, secretKeys);
    if (after.issuer !== wanted.issuer)
      throw new Problem('conflict', 'The settings were changed in the meantime. Load them again.');
    if (change.required !== undefined || change.emergency_owner !== undefined)
      await checkEmergencyOwner(db, accountId, after);
    await db.query(
      `INSERT INTO single_sign_on (account_id, issuer, client_id, client_secret, groups_claim, default_role, group_roles, required,
         emergency_member_id, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (account_id) DO UPDATE SET issuer = excluded.issuer, client_id = excluded.client_id,
         client_secret = excluded.client_secret, groups_claim = excluded.groups_claim, default_role = excluded.default_role,
         group_roles = excluded.group_roles, required = excluded.required, emergency_member_id = excluded.emergency_member_id,
         changed_at = excluded.changed_at`,
      [
        accountId,
        after.issuer,
        after.client_id,
        encryptSecret(after.client_secret, secretKeys),
        after.groups_claim,
        after.default_role,
        JSON.stringify(after.group_roles),
        after.required,
        after.emergency_owner,
        new Date(clock.now()),
      ],
    );
    if (domains !== null) await saveDomains(db, accountId, domains);
    if (change.required === true) await checkVerified(db, accountId);
    const { client_secret, ...shown } = change;
    const details = { ...shown, ...(client_secret !== undefined && { client_secret: 'changed' }) };
    await audit(db, clock, { accountId, actor, action: 'single_sign_on.changed', details });
  });
}

/** Removes the settings, with the verified domains. @throws {Problem} not_found */
export async function removeSettings(
  { pool, clock }: Pick<SettingsDeps, 'pool' | 'clock'>,
  { accountId, actor }: Owner,
): Promise<void> {
  await transaction(pool, async (db) => {
    const { rowCount } = await db.query('DELETE FROM single_sign_on WHERE account_id = $1', [accountId]);
    if (rowCount === 0) throw notSetUp();
    await audit(db, clock, { accountId, actor, action: 'single_sign_on.removed' });
  });
}

/**
 * Lets members sign in without the provider, for an organisation that has locked itself out: the provider is down, and the emergency
 * owner cannot sign in. The other settings stay.
 * @throws {Problem} not_found; conflict if members may do so already
 */
export async function liftRequirement(pool: pg.Pool, clock: Clock, { accountId, actor }: Owner): Promise<void> {
  await transaction(pool, async (db) => {
    const stored = await readStored(db, accountId, 'FOR UPDATE');
    if (stored === null) throw notSetUp();
    if (!stored.required) throw new Problem('conflict', 'Single sign-on is not required there.');
    await db.query('UPDATE single_sign_on SET required = false, changed_at = $2 WHERE account_id = $1', [
      accountId,
      new Date(clock.now()),
    ]);
    await audit(db, clock, { accountId, actor, action: 'single_sign_on.changed', details: { required: false } });
  });
}

export const notSetUp = () => new Problem('not_found', 'Single sign-on is not set up.');

/** For `touchline reencrypt`. */
export const SINGLE_SIGN_ON_SECRETS: readonly SecretColumn[] = [
  {
    name: 'single sign-on',
    async read(db, prefix) {
      const { rows } = await db.query<{ id: number; stored: string }>(
        'SELECT account_id AS id, client_secret AS stored FROM single_sign_on WHERE NOT starts_with(client_secret, $1) ORDER BY account_id',
        [prefix],
      );
      return rows;
    },
    async replace(db, id, stored, replacement) {
      const { rowCount } = await db.query(
        'UPDATE single_sign_on SET client_secret = $3 WHERE account_id = $1 AND client_secret = $2',
        [id, stored, replacement],
      );
      return rowCount === 1;
    },
  },
];
