/** The resource `ApiKey`, which writes a key into a Secret and rotates it. */
import { z } from 'zod';
import {
  findNamespaceAccount,
  findOwned,
  type Ownership,
  ownTarget,
  resourceActor,
  rolePermissions,
} from '../../src/accounts/index.ts';
import {
  changeKey,
  createAccountKey,
  findAccountKey,
  type KeyOwner,
  keyState,
  keyStore,
  type ListedKey,
  listKeys,
  MAX_OVERLAP_SECONDS,
  revokeKey,
  rotateKey,
} from '../../src/accounts/keys/index.ts';
import { type Queryable, transaction } from '../../src/db/postgres.ts';
import { KEY_SCOPES } from '../../src/http/index.ts';
import { DAY_MS, HOUR_SECONDS, wireTime } from '../../src/wire/time.ts';
import { immutable, listSet, NAME_CHARACTERS, secretKey, secretName } from '../runtime/crd.ts';
import { readCredential, removeCredential, type StoredCredential, writeCredential } from './credential-secret.ts';
import { commonSpec, defineKind, Fault, NO_ACCOUNT, type Outcome, type Work } from './kind.ts';

const MAX_LISTED = 50;
const KINDS = { Secret: 'sk', Publishable: 'pk' } as const;

const spec = z.strictObject({
  type: z
    .enum(['Secret', 'Publishable'])
    .default('Secret')
    .meta({
      description: 'Secret: for servers. Publishable: for browsers.',
      ...immutable,
    }),
  scopes: z
    .array(z.enum(KEY_SCOPES))
    .max(KEY_SCOPES.length)
    .default([])
    .meta({
      description: 'What the key may be used for; empty: everything.',
      ...listSet,
    }),
  addresses: z
    .array(z.string().min(2).max(60))
    .max(MAX_LISTED)
    .default([])
    .meta({
      description: 'The only addresses and networks that may use the key, such as 10.0.0.0/8; empty: any.',
      ...listSet,
    }),
  origins: z
    .array(z.string().min(8).max(300))
    .max(MAX_LISTED)
    .default([])
    .meta({
      description: 'Publishable keys: the only origins that may use the key; empty: any.',
      ...listSet,
    }),
  rotation: z
    .strictObject({
      everyDays: z.int().min(1).max(365).optional().meta({
        description: 'How old a key becomes before a new one replaces it; default: it is never replaced.',
      }),
      overlapHours: z
        .int()
        .min(0)
        .max(MAX_OVERLAP_SECONDS / HOUR_SECONDS)
        .default(24)
        .meta({
          description: 'How long the old key stays valid. With 0 it ends at once.',
        }),
      revision: z.int().min(0).max(1_000_000_000).default(0).meta({
        description: 'A number. If it is changed, the key is replaced now.',
      }),
    })
    .default({ overlapHours: 24, revision: 0 })
    .meta({ description: 'When the key is replaced.' }),
  secretRef: z
    .strictObject({
      name: secretName
        .optional()
        .meta({ description: 'The name of the Secret; default: <name of this resource>-api-key.' }),
      key: secretKey.default('key').meta({ description: 'The key in the Secret.' }),
    })
    .default({ key: 'key' })
    .meta({ description: 'The Secret into which the operator writes the key. It makes the Secret.' }),
  ...commonSpec,
});
type Spec = z.output<typeof spec>;

const toSecretRef = ({ metadata, spec: { secretRef } }: Work<Spec>['resource']) => ({
  name: secretRef.name ?? `${metadata.name}-api-key`,
  key: secretRef.key,
});

/** One attempt to apply a spec. */
class KeyApplication {
  readonly #work: Work<Spec>;
  readonly #owner: KeyOwner;
  readonly #stored: StoredCredential;
  readonly #done: Outcome['done'] = [];

  constructor(work: Work<Spec>, accountId: number, stored: StoredCredential) {
    this.#work = work;
    this.#stored = stored;
    const actor = resourceActor(work.managing);
    // No member acts, but the resource may do what an owner may.
    this.#owner = { accountId, actor, memberId: 0, permissions: rolePermissions('owner') };
  }

  async run(owned: Ownership | null): Promise<Outcome> {
    const { pool, clock, resource } = this.#work;
    const { everyDays } = resource.spec.rotation;
    let key = await this.#current(owned);
    const why = key === null ? null : await this.#whyReplace(key);
    if (key === null)
      key = await this.#issue((db) => createAccountKey(db, clock, this.#owner, this.#settings(), false));
    else if (why !== null) key = await this.#replace(key, why);
    await this.#adjust(key);
    key = await findAccountKey(pool, this.#owner.accountId, key.id);
    const due = everyDays === undefined ? undefined : key.created_at.getTime() + everyDays * DAY_MS;
    return {
      details: {
        account: this.#owner.accountId,
        keyId: key.id,
        prefix: key.prefix,
        secret: toSecretRef(resource).name,
        rotatedAt: wireTime(key.created_at.getTime()),
        ...(due !== undefined && { rotatesAt: wireTime(due) }),
      },
      done: this.#done,
      ...(due !== undefined && { dueMs: Math.max(0, due - clock.now()) }),
    };
  }

  #settings() {
    const { metadata, spec: wanted } = this.#work.resource;
    const listed = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list);
    return {
      kind: KINDS[wanted.type],
      name: metadata.name,
      scopes: listed(wanted.scopes),
      addresses: listed(wanted.addresses),
      origins: listed(wanted.origins),
    };
  }

  /** Returns the key that the resource owns and that is still valid. Adopts the key in a Secret that was offered. */
  async #current(owned: Ownership | null): Promise<ListedKey | null> {
    const { pool, clock, managing } = this.#work;
    const { accountId } = this.#owner;
    const keys = keyStore(pool);
    const found = this.#stored.text === null ? null : await keys.find(this.#stored.text);
    if (owned !== null) {
      const [key] = await listKeys(pool, { accountId, id: Number(owned.target) });
      if (key !== undefined && keyState(key, clock.now()) === 'active') return key;
      this.#done.push(['KeyReplaced', 'The key was no longer valid, so that a new one was made.']);
      return null;
    }
    if (found === null) {
      if (!this.#stored.isOffered) return null;
      throw new Fault(
        'SecretTaken',
        'The Secret has a different purpose, since it does not hold a key of this service.',
      );
    }
    const key = found.accountId === accountId ? await findAccountKey(pool, accountId, found.keyId) : null;
    if (key === null || key.kind !== KINDS[this.#work.resource.spec.type] || keyState(key, clock.now()) !== 'active') {
      if (!this.#stored.isOffered) return null;
      throw new Fault('KeyNotAdopted', 'The Secret holds a key of a different account or type, or one that has ended.');
    }
    await transaction(pool, (db) => ownTarget(db, managing, key.id));
    this.#done.push(['Adopted', `The key ${key.id} existed and is managed by this resource from now on.`]);
    if (this.#stored.isOffered) await this.#write(this.#stored.text!);
    return key;
  }

  /** @returns why a valid key has to be replaced; null if it stays */
  async #whyReplace(key: ListedKey): Promise<[reason: string, message: string] | null> {
    const { pool, clock, resource } = this.#work;
    const { everyDays, revision } = resource.spec.rotation;
    const inSecret = this.#stored.text === null ? null : await keyStore(pool).find(this.#stored.text);
    if (inSecret?.keyId !== key.id)
      return ['SecretRestored', 'The Secret did not hold the key, which is stored as a hash only: a new one was made.'];
    if (everyDays !== undefined && key.created_at.getTime() + everyDays * DAY_MS <= clock.now())
      return ['KeyRotated', `The key was ${everyDays} days old.`];
    if (!this.#stored.isOffered && revision !== this.#stored.revision)
      return ['KeyRotated', `The revision was changed to ${revision}.`];
    return null;
  }

  async #replace(key: ListedKey, done: [reason: string, message: string]): Promise<ListedKey> {
    const { clock, resource } = this.#work;
    const overlap = resource.spec.rotation.overlapHours * HOUR_SECONDS;
    const next = await this.#issue((db) => rotateKey(db, clock, this.#owner, key.id, overlap));
    this.#done.push(done);
    return next;
  }

  /** Makes a key, records that the resource owns it, and writes it into the Secret. */
  async #issue(make: (db: Queryable) => Promise<{ key: string; keyId: number }>): Promise<ListedKey> {
    const { pool, managing } = this.#work;
    const { key, keyId } = await transaction(pool, async (db) => {
      const made = await make(db);
      await ownTarget(db, managing, made.keyId);
      return made;
    });
    await this.#write(key);
    return findAccountKey(pool, this.#owner.accountId, keyId);
  }

  #write(text: string): Promise<void> {
    const { resource } = this.#work;
    return writeCredential(
      this.#work,
      toSecretRef(resource),
      { text, revision: resource.spec.rotation.revision },
      this.#stored,
    );
  }

  /** Brings the key's restrictions in line with the spec. */
  async #adjust(key: ListedKey): Promise<void> {
    const { pool, clock, resource } = this.#work;
    const { name } = resource.metadata;
    const { scopes, addresses, origins } = this.#settings();
    const same = (wanted: readonly string[] | undefined, has: readonly string[] | null) =>
      [...(wanted ?? [])].sort().join() === [...(has ?? [])].sort().join();
    const isSame =
      key.name === name && same(scopes, key.scopes) && same(addresses, key.addresses) && same(origins, key.origins);
    if (isSame) return;
    const change = {
      name,
      scopes: scopes ?? null,
      addresses: addresses ?? null,
      ...(key.kind === 'pk' && { origins: origins ?? null }),
    };
    await transaction(pool, (db) => changeKey(db, clock, this.#owner, key.id, change));
    this.#done.push(['Changed', 'The restrictions of the key were changed.']);
  }
}

async function apply(work: Work<Spec>): Promise<Outcome> {
  const { pool, managing, resource } = work;
  const found = await findNamespaceAccount(pool, managing);
  if (found === null)
    throw new Fault(NO_ACCOUNT, `The namespace ${managing.namespace} has no Account that declares its account.`);
  if (found.isSuspended) throw new Fault('AccountSuspended', `The account ${found.email} is suspended.`);
  const stored = await readCredential(work, toSecretRef(resource));
  return new KeyApplication(work, found.id, stored).run(await findOwned(pool, managing.uid));
}

export const apiKey = defineKind<Spec>({
  kind: 'ApiKey',
  plural: 'apikeys',
  shortName: 'tlk',
  description: 'Writes an API key of the account of this namespace into a Secret, and rotates it.',
  columns: [
    { name: 'Key', type: 'string', jsonPath: '.status.prefix' },
    { name: 'Secret', type: 'string', jsonPath: '.status.secret' },
    { name: 'Rotates', type: 'string', jsonPath: '.status.rotatesAt', priority: 1 },
  ],
  details: {
    account: z.int().optional().meta({ description: 'The id of the account in the service.' }),
    keyId: z.int().optional().meta({ description: 'The id of the key in the service.' }),
    prefix: z.string().max(64).optional().meta({ description: 'The first characters of the key.' }),
    secret: z.string().max(NAME_CHARACTERS).optional().meta({ description: 'The Secret that holds the key.' }),
    rotatedAt: z.string().max(40).optional().meta({ description: 'When the key was made.', format: 'date-time' }),
    rotatesAt: z.string().max(40).optional().meta({ description: 'When the key is replaced.', format: 'date-time' }),
  },
  spec,
  apply,
  async remove(work, { target }) {
    const { pool, clock, managing, resource } = work;
    await transaction(pool, (db) => revokeKey(db, clock, Number(target), resourceActor(managing)));
    await removeCredential(work, toSecretRef(resource));
  },
});
